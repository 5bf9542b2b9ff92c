import { Option, type Argument, type Command } from 'commander';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { optionalWords, SuggestingOption } from '../cli/flags.ts';
import { createProgram, declareCommands, findCommandWord } from '../cli/program.ts';
import { ALLOWANCE_NAMES } from '../domain/allowance.ts';
import { shown, visible } from '../domain/visible.ts';
import { loadSettings } from '../workspace/load.ts';
import { INDEX } from './index.ts';

/** A word that may stand at the cursor. */
interface Candidate {
  readonly word: string;
  /** What it is or does. `file` and `folder` are paths, which a shell quotes in its own way. */
  readonly about: string;
}

/** Prints what may stand at the end of a command line, a word and what it is on each line. The scripts of the shells call it. */
export const complete = defineCommand({
  path: 'complete',
  about: 'print the words that complete a command line, for the scripts of herald completion',
  examples: ['herald complete -- plan --format m'],
  formats: ['text'],
  hidden: true,
  words: { typed: optionalWords('WORD') },
  directories: ({ typed }, env) => findDirectories(readLine(typed).before, env),
  needs: 'nothing',
  run: async (context, { typed }) => {
    const line = readLine(typed);
    const program = createProgram();
    // The first word is looked for among all commands, the others below theirs.
    const first = findCommandWord(line.before.filter((word) => word !== HELP));
    const isNamed = (word: string) => (first === undefined ? word.startsWith(line.current) : word === first);
    await declareCommands(program, INDEX, () => Promise.resolve(), isNamed);
    const candidates = await findCandidates(context, program, line);
    const fitting = candidates.filter(({ word }) => word.startsWith(line.current) && visible(word) === word);
    const cut = line.isCut ? line.current.indexOf('=') + 1 : 0;
    return { text: () => fitting.map(({ word, about }) => shown`${word.slice(cut)}\t${about}`) };
  },
});

const HELP = 'help';

interface Line {
  readonly before: readonly string[];
  /** The word at the cursor, as far as it is typed. */
  readonly current: string;
  /** bash replaces only what is behind the `=`. */
  readonly isCut: boolean;
}

/** Reads the words as a shell has them: still quoted, and cut at each `=` by bash. */
function readLine(typed: readonly string[]): Line {
  const words: string[] = [];
  for (const [at, raw] of typed.entries()) {
    const isBehind = at > 0 && (raw === '=' || typed[at - 1] === '=');
    words.push(`${isBehind ? (words.pop() ?? '') : ''}${unquote(raw)}`);
  }
  const current = words.pop() ?? '';
  return { before: words, current, isCut: typed.length > 1 && typed.slice(-2).includes('=') };
}

/** A quote may be open, because the word is still being typed. */
function unquote(word: string): string {
  return word.replace(
    /\\(.)|'([^']*)'?|"((?:\\.|[^"\\])*)"?/gs,
    (_all, escaped = '', single = '', double = '') =>
      `${escaped}${single}${String(double).replace(/\\(["\\$`])/g, '$1')}`,
  );
}

/** The directories of `-C`, each relative to the one before. */
function findDirectories(words: readonly string[], env: Context['env']): readonly string[] {
  return words.flatMap((word, at) => {
    if (IS_CHDIR.test(word)) return expandHome(words[at + 1] ?? '', env);
    const attached = /^(?:-C|--chdir=)(.+)$/s.exec(word)?.[1];
    return attached === undefined ? [] : expandHome(attached, env);
  });
}

/** `-qC` as well: flags of one letter may be written as one word. */
const IS_CHDIR = /^(?:-[^-]*C|--chdir)$/;

function expandHome(path: string, env: Context['env']): string {
  return path.replace(/^~(?=\/|$)/, env['HOME'] ?? '~');
}

/** What may stand at the cursor. */
async function findCandidates(context: Context, program: Command, line: Line): Promise<readonly Candidate[]> {
  const { current } = line;
  const { command, option, operands, isHelp } = walk(program, line.before);
  if (option !== null) return listValues(context, option, current);
  const [, name = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const assigned = findOption(command, name);
  if (assigned !== null) {
    const values = await listValues(context, assigned, value);
    return values.map(({ word, about }) => ({ word: `${name}=${word}`, about }));
  }
  if (current.startsWith('-')) return listOptions(command);
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic === true ? last : undefined);
  return [
    ...(operands === 0 ? listCommands(command, isHelp) : []),
    ...(isHelp || argument === undefined ? [] : await listValues(context, argument, current)),
  ];
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
    else if (word.startsWith('-')) place = { ...place, option: findOption(command, word) };
    else if (below !== undefined) place = { ...place, command: below };
    else if (word === HELP && command.commands.length > 0) place = { ...place, isHelp: true };
    else place = { ...place, operands: operands + 1 };
  }
  return place;
}

/** The option of that name, if it takes a value. */
function findOption(command: Command, word: string): Option | null {
  const name = IS_CHDIR.test(word) ? '--chdir' : word;
  const found = [command, ...ancestors(command)]
    .flatMap(({ options }) => options)
    .find(({ long }) => long === name);
  return found !== undefined && (found.required || found.optional) ? found : null;
}

function ancestors({ parent }: Command): readonly Command[] {
  return parent === null ? [] : [parent, ...ancestors(parent)];
}

function listCommands(command: Command, isHelp: boolean): readonly Candidate[] {
  const visibleCommands = command.createHelp().visibleCommands(command);
  return visibleCommands
    .filter((one) => !isHelp || one.name() !== HELP)
    .map((one) => ({ word: one.name(), about: one.description() }));
}

/** The options of a command and those of the program, each name once. */
function listOptions(command: Command): readonly Candidate[] {
  const program = ancestors(command).at(-1) ?? command;
  const found = new Map<string, string>();
  for (const one of new Set([command, program]))
    for (const { short, long, description } of one.createHelp().visibleOptions(one))
      for (const name of [short, long])
        if (name !== undefined && !found.has(name)) found.set(name, description);
  return [...found].map(([word, about]) => ({ word, about }));
}

/** What may be the value of an option or an argument. */
async function listValues(
  context: Context,
  wanted: Option | Argument,
  typed: string,
): Promise<readonly Candidate[]> {
  const named = (words: readonly string[], about: string) => words.map((word) => ({ word, about }));
  const name = wanted instanceof Option ? (wanted.long ?? '') : wanted.name();
  if (wanted instanceof SuggestingOption) return named(wanted.words, 'value');
  if (wanted.argChoices !== undefined) return named(wanted.argChoices, 'value');
  const placeholder = wanted instanceof Option ? (/[<[](.*)[>\]]/.exec(wanted.flags)?.[1] ?? '') : name;
  switch (name) {
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
      return /^(?:file|plan|dir)\b/i.test(placeholder) ? listPaths(context, placeholder, typed) : [];
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

/** The files and folders in the folder that is typed so far. A name with a dot in front has to be begun with it. */
async function listPaths(
  { typed: { files }, env }: Context,
  placeholder: string,
  typed: string,
): Promise<readonly Candidate[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const names = await files.list(expandHome(folder, env));
  const isHidden = (name: string) => name.startsWith('.') && !typed.slice(folder.length).startsWith('.');
  return names
    .filter((name) => !isHidden(name) && (name.endsWith('/') || !/^dir/i.test(placeholder)))
    .map((name) => ({ word: `${folder}${name}`, about: name.endsWith('/') ? 'folder' : 'file' }));
}
