import { Command, CommanderError, Help } from 'commander';
import { declareRows, type Act } from './declare-rows.ts';
import type { AnyCommand } from './define-command.ts';
import { runCommand } from './run-command.ts';
import { collect } from './flags.ts';
import type { Context } from './context.ts';
import { chooseWorkspace } from '../domain/command-line.ts';
import type { ErrorCode } from '../domain/error-codes.ts';
import { renderJson } from '../render/json.ts';
import { harmless, quoted, visible } from '../domain/visible.ts';
import type { Host } from '../host/host.ts';
import { VERSION } from '../version.ts';
import type { WiringFlags } from './wiring.ts';

type Wire = (flags: WiringFlags) => Context;

/** Where each command is. A file is loaded only if the command line may mean its command. */
export interface CommandIndex {
  /** In the order of the help. */
  readonly commands: readonly { readonly path: string; readonly load: () => Promise<AnyCommand> }[];
  /** What the words that begin several commands are about. */
  readonly groups: Readonly<Record<string, string>>;
}

/** The headings of the help in their order, with their commands. */
const HEADINGS = {
  'Get started': ['init', 'validate', 'import', 'simulate', 'trust'],
  Change: ['preview', 'plan', 'apply', 'drift', 'calendar', 'ci', 'policy', 'campaigns', 'broadcasts'],
  'Accounts, team and media': ['accounts', 'team', 'vault'],
  'Fans, chat and money': ['fans', 'chat', 'traffic', 'revenue', 'payouts'],
  'Look back': ['history', 'state', 'events', 'doctor'],
  Tools: ['api', 'schema', 'completion', 'help'],
} as const;

function headingOf(word: string): string {
  const found = Object.entries(HEADINGS).find(([, words]) => (words as readonly string[]).includes(word));
  return `${found?.[0] ?? 'Commands'}:`;
}

/** The place of a heading in the help. Options come first. */
function rank(heading: string): number {
  return Object.keys(HEADINGS).indexOf(heading.replace(/:$/, ''));
}

/** Below the help of each command. The options themselves are in the help of the program. */
const GLOBAL_OPTIONS = '\nGlobal options, such as -C and --quiet: herald --help';

/** For the help and the manual page. */
export const EXIT_CODES = `Exit codes: 0 done · 1 failed before anything was changed · 2 differences ·
            3 an outcome is unknown · 4 some changes made, some failed ·
            5 blocked, a person must decide · 130 interrupted`;

const HELP_FOOTER = `
${EXIT_CODES}

Examples:
  herald init my-agency && herald -C my-agency plan
  herald plan --out plan.json && herald apply plan.json
  herald drift --format markdown`;

/** Reads the command line and runs its command. Loads the code of that command only. */
export async function runProgram(
  args: readonly string[],
  host: Host,
  wire: Wire,
  index: CommandIndex,
): Promise<number> {
  let exitCode = 0;
  const program = createProgram().configureOutput({
    writeOut: (text) => void host.stdout.write(text),
    writeErr: (text) => void host.stderr.write(text),
    outputError: (text, write) => write(usageText(text)),
  });
  const act: Act = async (command, action, below) => {
    const flags = readFlags(command, below(host.env));
    chooseWorkspace(flags.chdir);
    exitCode = await runCommand(wire(flags), action).finally(() => chooseWorkspace([]));
  };
  const words = helpWords(args);
  await declareCommands(program, index, act, namedBy(index, words));
  refuseRepeats(program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (asksForJson(args)) {
      const message = error.code === 'commander.help' ? NO_COMMAND : error.message.replace(/^error: /, '');
      host.stdout.write(
        renderJson({
          schema: 'herald/error/1',
          code: 'usage' satisfies ErrorCode,
          message,
          hint: 'See: herald --help',
          details: null,
        }),
      );
    }
    return 1;
  }
  return exitCode;
}

/** The program with its global flags and without commands. */
export function createProgram(): Command {
  return new Command('herald')
    .description(
      "Campaigns as code: creator accounts' campaigns and broadcasts, declared in YAML and reconciled over an API.",
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option(
      '-C, --chdir <dir>',
      'run in this directory (repeatable; each is relative to the one before)',
      collect,
    )
    .option('--format <name>', 'output format; the help of each command lists its own')
    .option('--api-key-file <file>', 'read the API key from this file instead of HERALD_API_KEY')
    .option('-v, --verbose', 'print requests to stderr, without secrets')
    .option('--no-color', 'print without colour')
    .option('-q, --quiet', 'print only results and errors')
    .configureHelp({
      groupItems: (...given) =>
        new Map([...new Help().groupItems(...given)].toSorted(([one], [other]) => rank(one) - rank(other))),
      // Hide `(default: [])` in help.
      optionDescription: (option) => new Help().optionDescription(option).replace(/ \(default: \[\]\)$/, ''),
    })
    .addHelpText('after', HELP_FOOTER)
    .addHelpText('afterAll', ({ command }) => (command.parent === null ? '' : GLOBAL_OPTIONS))
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .description('show the help of a command')
        .helpGroup(headingOf('help')),
    )
    .exitOverride()
    .showHelpAfterError('(see --help)');
}

/** Adds the commands of which the first word is named. */
export async function declareCommands(
  program: Command,
  index: CommandIndex,
  act: Act,
  isNamed: (word: string) => boolean,
): Promise<void> {
  const entries = index.commands.filter(({ path }) => isNamed(firstWord(path)));
  declareRows(program, act, await Promise.all(entries.map(({ load }) => load())), index.groups);
  for (const command of program.commands) command.helpGroup(headingOf(command.name()));
}

const firstWord = (path: string) => path.split(' ')[0] ?? '';

/** Commander takes the last value of an option that is given twice, and says nothing of the others. */
function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (!(option.required || option.optional) || option.parseArg === collect) continue;
    const given: string[] = [];
    command.on(`option:${option.name()}`, (value: string) => {
      given.push(value);
      if (given.length > 1)
        command.error(
          `error: ${option.long} takes one value, and it was given twice: ${given.map(quoted).join(' and ')}. Give it once. For several values, run the command once for each.`,
        );
    });
  }
  command.commands.forEach(refuseRepeats);
}

/** Global flags that take their value from the next word. */
const TAKES_NEXT = /^(?:-\w*C|--chdir|--format|--api-key-file)$/;

/** Loads only the commands that the words name, and all of them for help and for typos, so that suggestions work. */
function namedBy({ commands }: CommandIndex, words: readonly string[]): (word: string) => boolean {
  const command = findCommandWord(words);
  const isKnown = commands.some(({ path }) => firstWord(path) === command);
  return isKnown ? (word) => word === command : () => true;
}

/** The first word that is neither an option nor its value. */
export function findCommandWord(words: readonly string[]): string | undefined {
  return words.find((word, at) => !word.startsWith('-') && !TAKES_NEXT.test(words[at - 1] ?? ''));
}

/** Turns `herald help chat send` into `herald chat send --help`, because commander's `help` takes one word. */
function helpWords([first, ...words]: readonly string[]): string[] {
  if (first === undefined) return [];
  return first === 'help' && words.length > 1 ? [...words, '--help'] : [first, ...words];
}

/** Commander shows its help here and has no message. */
const NO_COMMAND = 'Unknown or missing command.';

/** The command line is invalid, so `--format` is searched for in its words. */
function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (word, index) => word === '--format=json' || (word === '--format' && args[index + 1] === 'json'),
  );
}

/** The suggestion that commander adds to its message. */
const SUGGESTION = /\n(?=\(Did you mean )/;

/** Commander repeats an argument unchanged, with its line breaks. */
function usageText(text: string): string {
  const lines = text.trimEnd().split(SUGGESTION).map(visible);
  return harmless(`${lines.join('\n')}\n`);
}

function readFlags(command: Command, below: readonly string[]): WiringFlags {
  const flags = command.optsWithGlobals<{ readonly [name: string]: unknown; readonly chdir?: string[] }>();
  const { chdir = [] } = flags;
  const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined);
  return {
    chdir: [...chdir, ...below],
    format: text('format'),
    apiKeyFile: text('apiKeyFile'),
    verbose: flags['verbose'] === true,
    noColour: flags['color'] === false,
    quiet: flags['quiet'] === true,
    lockTimeoutMs: typeof flags['lockTimeout'] === 'number' ? flags['lockTimeout'] : undefined,
  };
}
