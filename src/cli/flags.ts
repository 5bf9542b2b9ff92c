import { Argument, InvalidArgumentError, Option } from 'commander';
import { ALLOWANCE_NAMES } from '../domain/allowance.ts';

/** A flag of a command. `declare` makes it for the help, null if the command lacks it; `read` converts what commander found. */
export interface Flag<Value> {
  readonly declare: () => Option | null;
  readonly read: (found: unknown) => Value;
}

/** A word of a command that is not a flag: `<FILE>`, or `[FILE]` where it may be left out. */
export interface Word<Value> {
  readonly declare: () => Argument | null;
  readonly read: (found: unknown) => Value;
}

/** An option that takes any value. Completion offers these words. */
export class SuggestingOption extends Option {
  readonly words: readonly string[];

  constructor(flags: string, description: string, words: readonly string[]) {
    super(flags, description);
    this.words = words;
  }
}

/** What a record of flags or words reads as. */
export type ValuesOf<Declared extends Readonly<Record<string, Flag<unknown> | Word<unknown>>>> = {
  readonly [Name in keyof Declared]: Declared[Name] extends { readonly read: (found: unknown) => infer Value }
    ? Value
    : never;
};

/** A flag without a value. */
export function switchFlag(flags: string, about: string): Flag<boolean> {
  return { declare: () => new Option(flags, about), read: (found) => found === true };
}

/** A flag such as `--no-wait`, which is on unless it is given. */
export function negatedFlag(flags: string, about: string): Flag<boolean> {
  return { declare: () => new Option(flags, about), read: (found) => found !== false };
}

/** A flag with a value. Left out, it reads as `otherwise`. */
export function textFlag(flags: string, about: string): Flag<string | undefined>;
export function textFlag(flags: string, about: string, otherwise: string): Flag<string>;
export function textFlag(flags: string, about: string, otherwise?: string): Flag<string | undefined> {
  return { declare: () => new Option(flags, about).default(otherwise), read: readText };
}

export function requiredFlag(flags: string, about: string): Flag<string> {
  return { declare: () => new Option(flags, about).makeOptionMandatory(), read: String };
}

/** A flag that may be given several times. */
export function textsFlag(flags: string, about: string): Flag<readonly string[]> {
  return { declare: () => new Option(flags, about).argParser(collect), read: readTexts };
}

/** A flag with any value, for which completion offers words. */
export function suggestedFlag(
  flags: string,
  about: string,
  words: readonly string[],
): Flag<string | undefined> {
  return { declare: () => new SuggestingOption(flags, about, words), read: readText };
}

/** A flag that takes one of `choices`; the first is the default, unless `otherwise` is given. */
export function choiceFlag<const Choice extends string>(
  flags: string,
  about: string,
  choices: readonly [Choice, ...Choice[]],
): Flag<Choice> {
  return {
    declare: () => new Option(flags, about).choices(choices).default(choices[0]),
    read: (found) => choices.find((choice) => choice === found) ?? choices[0],
  };
}

/** A flag that takes one of `choices`, and has no default. */
export function optionalChoiceFlag<const Choice extends string>(
  flags: string,
  about: string,
  choices: readonly Choice[],
): Flag<Choice | undefined> {
  return {
    declare: () => new Option(flags, about).choices(choices),
    read: (found) => choices.find((choice) => choice === found),
  };
}

/**
 * A flag with a value that `parse` reads. `parse` throws `InvalidArgumentError` with how to write it. Left out, it reads as
 * `otherwise`.
 */
export function parsedFlag<Value>(
  flags: string,
  about: string,
  parse: (text: string) => Value,
): Flag<Value | undefined>;
export function parsedFlag<Value>(
  flags: string,
  about: string,
  parse: (text: string) => Value,
  otherwise: Value,
): Flag<Value>;
export function parsedFlag<Value>(
  flags: string,
  about: string,
  parse: (text: string) => Value,
  otherwise?: Value,
): Flag<Value | undefined> {
  return {
    declare: () => new Option(flags, about).argParser((text: string) => parse(text)).default(otherwise),
    read: (found) => found as Value | undefined,
  };
}

/** A flag or a word that only some commands of a family have. The others read it as undefined. */
export function onlyIf<Declared, Value>(
  isThere: boolean,
  { declare, read }: { readonly declare: () => Declared; readonly read: (found: unknown) => Value },
): { readonly declare: () => Declared | null; readonly read: (found: unknown) => Value | undefined } {
  return isThere ? { declare, read } : { declare: () => null, read: () => undefined };
}

export function word(name: string, about?: string): Word<string> {
  return { declare: () => new Argument(`<${name}>`, about), read: String };
}

export function optionalWord(name: string, about?: string): Word<string | undefined> {
  return { declare: () => new Argument(`[${name}]`, about), read: readText };
}

export function optionalChoiceWord<const Choice extends string>(
  name: string,
  about: string,
  choices: readonly Choice[],
): Word<Choice | undefined> {
  return {
    declare: () => new Argument(`[${name}]`, about).choices(choices),
    read: (found) => choices.find((choice) => choice === found),
  };
}

/** One or more words. */
export function words(name: string, about?: string): Word<readonly string[]> {
  return { declare: () => new Argument(`<${name}...>`, about), read: readTexts };
}

/** Any number of words. */
export function optionalWords(name: string, about?: string): Word<readonly string[]> {
  return { declare: () => new Argument(`[${name}...]`, about), read: readTexts };
}

export const yesFlag = switchFlag('--yes', 'do not ask');

/** For a command about one account. */
export const accountFlag = textFlag(
  '--account <name>',
  'alias or id (needed if the workspace has several accounts)',
);

/** For a command about any number of accounts. */
export const accountsFlag = textsFlag(
  '--account <name>',
  'alias, group or id (repeatable; default: all accounts)',
);

/** For each command that plans. */
export const allowFlag = textsFlag(
  '--allow <name>',
  `allow dangerous changes: ${ALLOWANCE_NAMES.slice(0, -1).join(', ')} or ${ALLOWANCE_NAMES.at(-1)} (repeatable)`,
);

/** For each command that takes the lease. The frame reads it. */
export const lockTimeoutFlag = lockTimeout(
  'wait this long for another run to finish (default: 10m on a terminal, otherwise 0)',
);

/** For a stop by hand, which goes ahead without the lease. */
export const unusedLockTimeoutFlag = lockTimeout(
  'accepted for consistency; a stop does not wait for other runs',
);

/** The flag with a default of its own. */
export function lockTimeout(about: string): Flag<number | undefined> {
  return parsedFlag('--lock-timeout <time>', about, (text) => (text === '0' ? 0 : parseMilliseconds(text)));
}

/** For a command that prints rows. */
export function limitFlag(about: string): Flag<number | undefined> {
  return parsedFlag('--limit <number>', about, parseWholeNumber(1, 1_000_000_000));
}

/** For a list of pages that the service counts: reads a whole number from `from` to `to`, both included. */
export function parseWholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isInteger(number) || number < from || number > to)
      throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
    return number;
  };
}

/** Reads an id or another number that stays as it was typed. */
export function parseDigits(text: string): string {
  if (!/^\d{1,19}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return text;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads a time such as `90s`, `30m` or `2h`, in milliseconds. */
export function parseMilliseconds(text: string): number {
  const match = /^(\d{1,5})([smh])$/.exec(text);
  const unit = UNIT_MS[match?.[2] ?? ''];
  if (match === null || unit === undefined)
    throw new InvalidArgumentError('Give a time such as 90s, 30m or 2h.');
  return Number(match[1]) * unit;
}

/** Collects the values of a flag that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

function readText(found: unknown): string | undefined {
  return typeof found === 'string' ? found : undefined;
}

function readTexts(found: unknown): readonly string[] {
  return Array.isArray(found) ? found.map(String) : [];
}
