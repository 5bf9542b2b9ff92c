import { type Command, Option } from 'commander';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { type Flag, type Word, word } from '../cli/flags.ts';
import { createProgram } from '../cli/program.ts';
import { shown } from '../domain/visible.ts';
import { loadSettings } from '../workspace/load.ts';
import { INDEX } from './index.ts';

interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** A word and what it is on each line. The scripts of the shells call it, and complete paths themselves. */
export const complete = defineCommand({
  path: 'complete',
  about: 'print the words that complete a command line, for the scripts of herald completion',
  examples: ['herald complete -- plan --format m'],
  formats: ['text'],
  hidden: true,
  words: { typed: word('[WORD...]') },
  directories: async ({ typed }) => (await followGlobals(readLine(typed).before)).directories,
  needs: 'nothing',
  run: async (context, { typed }) => {
    const { before, current, prefix } = readLine(typed);
    // The first word is looked for among all commands, the others below theirs.
    const { first } = await followGlobals(before);
    const isNamed = (word: string) => (first === null ? word.startsWith(current) : word === first);
    const program = await createProgram(INDEX, { isNamed });
    const candidates = await findCandidates(context, followWords(program, before), current);
    const fitting = candidates.filter(({ word }) => word.startsWith(current) && NEEDS_NO_QUOTES.test(word));
    return { text: () => fitting.map(({ word, about }) => shown`${prefix}${word}\t${about}`) };
  },
});

/** No shell changes such a word, or runs a part of it. */
const NEEDS_NO_QUOTES = /^[\w.,:@%+/-]+$/;

const FLAG_AND_VALUE = /^(--[^=]+)=(.*)$/s;

/** `--format=json` and bash's `--format`, `=`, `json` are two words. */
function readLine(words: readonly string[]): {
  readonly before: readonly string[];
  /** The word at the cursor, as far as it is typed. */
  readonly current: string;
  /** `--format=`, if the shell replaces it together with the word. bash has it as words of their own. */
  readonly prefix: string;
} {
  const [, flag] = FLAG_AND_VALUE.exec(words.at(-1) ?? '') ?? [];
  const before = words.flatMap((word) => FLAG_AND_VALUE.exec(word)?.slice(1) ?? [word]);
  const current = before.pop() ?? '';
  return {
    // Behind `help`, what comes next is that of the command itself.
    before: before.filter((word) => word !== '=' && word !== 'help'),
    current: current === '=' ? '' : current,
    prefix: flag === undefined ? '' : `${flag}=`,
  };
}

interface Place {
  readonly command: Command;
  /** Its value comes next. */
  readonly option: Option | null;
  /** How many words of the command are there that are not options, and the first of them. */
  readonly operands: number;
  readonly first: string | null;
  /** The values of `-C`. */
  readonly directories: readonly string[];
}

/** Where the words lead as far as the program itself knows them. Loads no command. */
async function followGlobals(words: readonly string[]): Promise<Place> {
  return followWords(await createProgram(INDEX, { isNamed: () => false }), words);
}

/** Where the words lead. What commander would refuse counts as a word: a Tab must not print errors. */
function followWords(program: Command, words: readonly string[]): Place {
  let [command, operands] = [program, 0];
  let [first, option]: [string | null, Option | null] = [null, null];
  const directories: string[] = [];
  for (const word of words) {
    const below: Command | undefined = command.commands.find((one) => one.name() === word);
    if (option !== null) {
      if (option.long === '--chdir') directories.push(word);
      option = null;
    } else if (word.startsWith('-')) option = findOption(command, word);
    else if (below !== undefined && operands === 0) command = below;
    else {
      operands += 1;
      first ??= word;
    }
  }
  return { command, option, operands, first, directories };
}

/** The option of that name, if its value is the next word. `-qC` ends with one. Only the command knows its formats, so it goes first. */
function findOption(command: Command, word: string): Option | null {
  const isNamed = ({ short, long }: Option) => word === long || word.replace(/^-\w*(?=\w$)/, '-') === short;
  const found = command.options.find((one) => one.required && isNamed(one));
  return found ?? (command.parent === null ? null : findOption(command.parent, word));
}

async function findCandidates(
  context: Context,
  { command, option, operands }: Place,
  current: string,
): Promise<readonly Candidate[]> {
  if (option !== null) return listValues(context, option);
  if (current.startsWith('-')) return listOptions(command);
  const argument = command.registeredArguments[operands];
  const commands = operands === 0 ? command.createHelp().visibleCommands(command) : [];
  return [
    ...commands.map((one) => ({ word: one.name(), about: one.description() })),
    ...(argument === undefined ? [] : await listValues(context, argument)),
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

async function listValues(
  context: Context,
  wanted: Flag<unknown> | Word<unknown>,
): Promise<readonly Candidate[]> {
  const words = wanted.suggestions ?? wanted.argChoices;
  if (words !== undefined) return words.map((word) => ({ word, about: 'value' }));
  const name = wanted instanceof Option ? wanted.long : wanted.name();
  return name === '--account' || name === 'ACCOUNT' ? listAccounts(context) : [];
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
