import { Option, type Argument, type Command } from 'commander';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { optionalWords, SuggestingOption } from '../cli/flags.ts';
import { createProgram, declareCommands, findCommandWord } from '../cli/program.ts';
import { ALLOWANCE_NAMES } from '../domain/allowance.ts';
import { shown } from '../domain/visible.ts';
import { loadSettings } from '../workspace/load.ts';
import { INDEX } from './index.ts';

/** A word that may stand at the cursor, and what it is or does. */
interface Candidate {
  readonly word: string;
  readonly about: string;
}

/**
 * Prints what may stand at the end of a command line, a word and what it is on each line. The scripts of the shells call it, and
 * complete paths themselves.
 */
export const complete = defineCommand({
  path: 'complete',
  about: 'print the words that complete a command line, for the scripts of herald completion',
  examples: ['herald complete -- plan --format m'],
  formats: ['text'],
  hidden: true,
  words: { typed: optionalWords('WORD') },
  directories: ({ typed }) => findDirectories(readLine(typed).before),
  needs: 'nothing',
  run: async (context, { typed }) => {
    const { before, current, prefix } = readLine(typed);
    const program = createProgram();
    // The first word is looked for among all commands, the others below theirs.
    const first = findCommandWord(before.filter((word) => word !== HELP));
    const isNamed = (word: string) => (first === undefined ? word.startsWith(current) : word === first);
    await declareCommands(program, INDEX, () => Promise.resolve(), isNamed);
    const candidates = await findCandidates(context, walk(program, before), current);
    const fitting = candidates.filter(({ word }) => word.startsWith(current) && NEEDS_NO_QUOTES.test(word));
    return { text: () => fitting.map(({ word, about }) => shown`${prefix}${word}\t${about}`) };
  },
});

const HELP = 'help';

/** No shell changes such a word, or runs a part of it. */
const NEEDS_NO_QUOTES = /^[\w.,:@%+/-]+$/;

interface Line {
  readonly before: readonly string[];
  /** The word at the cursor, as far as it is typed. */
  readonly current: string;
  /** `--format=`, if the shell replaces it together with the word. bash has it as words of their own. */
  readonly prefix: string;
}

const FLAG_AND_VALUE = /^(--[^=]+)=(.*)$/s;

/** `--format=json` and bash's `--format`, `=`, `json` are two words. */
function readLine(words: readonly string[]): Line {
  const [, flag] = FLAG_AND_VALUE.exec(words.at(-1) ?? '') ?? [];
  const before = words.flatMap((word) => FLAG_AND_VALUE.exec(word)?.slice(1) ?? [word]);
  const current = before.pop() ?? '';
  return {
    before: before.filter((word) => word !== '='),
    current: current === '=' ? '' : current,
    prefix: flag === undefined ? '' : `${flag}=`,
  };
}

/** `-C`, also as `-qC`, with its directory or without. */
const CHDIR = /^(?:-[^-]*C|--chdir$)(.*)$/s;

/** The directories of `-C`, each relative to the one before. */
function findDirectories(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const attached = CHDIR.exec(word)?.[1];
    return attached === undefined ? [] : [attached || (words[at + 1] ?? '')];
  });
}

interface Place {
  readonly command: Command;
  /** Its value comes next. */
  readonly option: Option | null;
  /** How many words of the command are there that are not options. */
  readonly operands: number;
  /** Behind `help`, only commands come. */
  readonly isHelp: boolean;
}

/** Where the words lead. */
function walk(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, option: null, operands: 0, isHelp: false };
  for (const word of words) {
    const { command, option, operands } = place;
    const below = operands === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (option !== null) place = { ...place, option: null };
    else if (word.startsWith('-')) place = { ...place, option: findOption(command, program, word) };
    else if (below !== undefined) place = { ...place, command: below };
    else if (word === HELP && command.commands.length > 0) place = { ...place, isHelp: true };
    else place = { ...place, operands: operands + 1 };
  }
  return place;
}

/** The option of that name, if its value is the next word. */
function findOption(command: Command, program: Command, word: string): Option | null {
  const name = CHDIR.exec(word)?.[1] === '' ? '--chdir' : word;
  const found = [...command.options, ...program.options].find(({ long }) => long === name);
  return found !== undefined && (found.required || found.optional) ? found : null;
}

/** What may stand at the cursor. */
async function findCandidates(
  context: Context,
  { command, option, operands, isHelp }: Place,
  current: string,
): Promise<readonly Candidate[]> {
  if (option !== null) return listValues(context, option);
  if (current.startsWith('-')) return listOptions(command);
  const argument = command.registeredArguments[operands];
  const commands = operands === 0 ? command.createHelp().visibleCommands(command) : [];
  return [
    ...commands
      .filter((one) => !isHelp || one.name() !== HELP)
      .map((one) => ({ word: one.name(), about: one.description() })),
    ...(isHelp || argument === undefined ? [] : await listValues(context, argument)),
  ];
}

/** The options of a command and those of the program, each name once. */
function listOptions(command: Command): readonly Candidate[] {
  const found = new Map<string, string>();
  for (let one: Command | null = command; one !== null; one = one.parent)
    for (const { short, long, description } of one.createHelp().visibleOptions(one))
      for (const name of [short, long])
        if (name !== undefined && !found.has(name)) found.set(name, description);
  return [...found].map(([word, about]) => ({ word, about }));
}

/** What may be the value of an option or an argument. */
async function listValues(context: Context, wanted: Option | Argument): Promise<readonly Candidate[]> {
  const named = (words: readonly string[], about: string) => words.map((word) => ({ word, about }));
  if (wanted instanceof SuggestingOption) return named(wanted.words, 'value');
  if (wanted.argChoices !== undefined) return named(wanted.argChoices, 'value');
  switch (wanted instanceof Option ? wanted.long : wanted.name()) {
    case '--account':
    case 'ACCOUNT':
      return listAccounts(context);
    case '--allow':
      return named(ALLOWANCE_NAMES, 'change');
    case 'NAME':
      return named(Object.keys((await import('../cli/schemas.ts')).JSON_SCHEMAS), 'schema');
    case 'OPERATION':
      return named((await import('../api/catalogue.ts')).OPERATIONS, 'operation');
    default:
      return [];
  }
}

/** The names of the workspace; none without one, because a Tab must not print errors. */
async function listAccounts({ files, env }: Context): Promise<readonly Candidate[]> {
  const loaded = await loadSettings(files, { env });
  if (loaded.kind === 'invalid') return [];
  const { accounts, groups } = loaded.settings;
  return [
    ...accounts.map(({ alias }) => ({ word: alias, about: 'account' })),
    ...Object.keys(groups).map((word) => ({ word, about: 'group' })),
  ];
}
