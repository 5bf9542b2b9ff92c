import { Argument, InvalidArgumentError, Option } from 'commander';
import { ALLOWANCE_NAMES } from '../domain/change-kinds.ts';
import { PROVIDER_NAMES } from '../provider/job.ts';

interface Typed<Value> {
  /** What a flag or a word reads as. Only the compiler knows it. */
  readonly reads?: Value;
  /** What completion offers. Any other value is taken as well. */
  readonly suggestions?: readonly string[];
}

export type Flag<Value> = Option & Typed<Value>;

/** A word of a command that is not a flag: `<FILE>`, or `[FILE]` where it may be left out. */
export type Word<Value> = Argument & Typed<Value>;

/** What a record of flags or words reads as. A null is one that only other commands of the family have. */
export type ValuesOf<Declared extends Readonly<Record<string, Typed<unknown> | null>>> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Typed<infer Value> ? Value : undefined;
};

/** A flag without a value: `--net`, or `--no-wait`, which is on unless it is given. */
export function switchFlag(flags: string, about: string): Flag<boolean> {
  const option = new Option(flags, about);
  return option.negate ? option : option.default(false);
}

/** A flag with a value. Left out, it reads as `otherwise`. */
export function textFlag<Otherwise extends string | undefined = undefined>(
  flags: string,
  about: string,
  otherwise?: Otherwise,
): Flag<string | Otherwise> {
  return new Option(flags, about).default(otherwise);
}

export function requiredFlag(flags: string, about: string): Flag<string> {
  return new Option(flags, about).makeOptionMandatory();
}

/** A flag that may be given several times. */
export function textsFlag(flags: string, about: string): Flag<readonly string[]> {
  return new Option(flags, about)
    .argParser((value: string, earlier: readonly string[]) => [...earlier, value])
    .default([]);
}

/** The flag or the word, for which completion offers these words. */
export function suggest<Declared extends Typed<unknown>>(
  suggestions: readonly string[],
  declared: Declared,
): Declared {
  return Object.assign(declared, { suggestions });
}

/** A flag that takes one of `choices`. Left out, it reads as `otherwise`. */
export function choiceFlag<
  const Choice extends string,
  const Otherwise extends NoInfer<Choice> | undefined = undefined,
>(flags: string, about: string, choices: readonly Choice[], otherwise?: Otherwise): Flag<Choice | Otherwise> {
  return new Option(flags, about).choices(choices).default(otherwise);
}

/** A flag with a value that `parse` reads. `parse` throws `InvalidArgumentError` with how to write it. */
export function parsedFlag<Value>(
  flags: string,
  about: string,
  parse: (text: string) => Value,
): Flag<Value | undefined> {
  return new Option(flags, about).argParser((text) => parse(text));
}

/** `FILE`, `[FILE]` where it may be left out, and `FILE...` or `[FILE...]` for several. */
export function word<const Name extends string>(name: Name, about?: string): Word<WordValue<Name>> {
  return new Argument(name.startsWith('[') ? name : `<${name}>`, about);
}

type WordValue<Name extends string> = Name extends `${string}...` | `${string}...]`
  ? readonly string[]
  : Name extends `[${string}`
    ? string | undefined
    : string;

export const yesFlag = switchFlag('--yes', 'do not ask');

export const accountFlag = textFlag(
  '--account <name>',
  'alias or id (needed if the workspace has several accounts)',
);

export const accountsFlag = textsFlag(
  '--account <name>',
  'alias, group or id (repeatable; default: all accounts)',
);

export const allowFlag = suggest(
  ALLOWANCE_NAMES,
  textsFlag(
    '--allow <name>',
    `allow dangerous changes: ${ALLOWANCE_NAMES.slice(0, -1).join(', ')} or ${ALLOWANCE_NAMES.at(-1)} (repeatable)`,
  ),
);

/** For each command that takes the lease. The frame reads it. */
export const lockTimeoutFlag = timeFlag(
  '--lock-timeout <time>',
  'wait this long for another run to finish (default: 10m on a terminal, otherwise 0)',
  { mayBeZero: true },
);

/** For a command that prints rows. */
export function limitFlag(about: string): Flag<number | undefined> {
  return wholeNumberFlag('--limit <number>', about, [1, 1_000_000_000]);
}

/** For each command that runs in a job of CI. */
export const jobFlags = {
  provider: choiceFlag(
    '--provider <name>',
    'where the job runs (default: found from the environment)',
    PROVIDER_NAMES,
  ),
  allowUnsafeEvent: switchFlag(
    '--allow-unsafe-event',
    'run on any event, although a stranger may have written the files that are checked out',
  ),
  simulator: switchFlag('--simulator', 'use the embedded simulator of herald.yaml; nothing is sent'),
};

/** Reads a number. `what` says which ones are right: `a number of hours above 0`. */
export function parseNumber(what: string, isRight: (number: number) => boolean): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === '' || !isRight(number)) throw new InvalidArgumentError(`Give ${what}.`);
    return number;
  };
}

/** A flag with a whole number from `from` to `to`, both included. */
export function wholeNumberFlag(
  flags: string,
  about: string,
  [from, to]: readonly [number, number],
): Flag<number | undefined> {
  const isInside = (number: number) => Number.isInteger(number) && number >= from && number <= to;
  return parsedFlag(flags, about, parseNumber(`a whole number from ${from} to ${to}`, isInside));
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A flag with a time such as `90s`, `30m` or `2h`. It reads as milliseconds. */
export function timeFlag(flags: string, about: string, { mayBeZero = false } = {}): Flag<number | undefined> {
  return parsedFlag(flags, about, (text) => {
    const [, number = '', unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
    const unitMs = UNIT_MS[unit];
    if (unitMs !== undefined) return Number(number) * unitMs;
    if (mayBeZero && text === '0') return 0;
    throw new InvalidArgumentError('Give a time such as 90s, 30m or 2h.');
  });
}

/** Reads the link to a fan. */
export function parseFanLink(text: string): string {
  if (!/^https?:/i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError(
      'Give the address of the fan on the platform, such as https://HOST/some_fan.',
    );
  return text;
}
