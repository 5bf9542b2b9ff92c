import { Command, CommanderError, Help, Option } from 'commander';
import type { AnyCommand } from './define-command.ts';
import { describeError, type Given, runCommand } from './run-command.ts';
import { collect } from './flags.ts';
import { REPORT_FORMATS } from './formats.ts';
import type { GlobalFlags, Surroundings } from './context.ts';
import { chooseWorkspace, formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { renderJson } from '../render/json.ts';
import { harmless, quoted, visible } from '../domain/visible.ts';
import type { Host } from '../host/host.ts';
import { VERSION } from '../version.ts';

/** Where each command is. A file is loaded only if the command line may mean its command. */
export interface CommandIndex {
  /** In the order of the help, each under a heading there. */
  readonly commands: readonly {
    readonly heading: string;
    readonly path: string;
    readonly load: () => Promise<AnyCommand>;
  }[];
  /** What the words that begin several commands are about. */
  readonly groups: Readonly<Record<string, string>>;
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

/** What a command does when the command line names it. */
export type Act = (command: Command, row: AnyCommand, given: Given) => Promise<void>;

/** Reads the command line and runs its command. Loads the code of that command only. */
export async function runProgram(
  args: readonly string[],
  host: Host,
  wire: (flags: GlobalFlags) => Surroundings,
  index: CommandIndex,
): Promise<number> {
  let exitCode = 0;
  const program = createProgram().configureOutput({
    writeOut: (text) => void host.stdout.write(text),
    writeErr: (text) => void host.stderr.write(text),
    outputError: (text, write) => write(usageText(text)),
  });
  const act: Act = async (command, row, given) => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    const chdir = [...flags.chdir, ...(row.directories?.(given as never) ?? [])];
    chooseWorkspace(chdir, flags.apiKeyFile);
    exitCode = await runCommand(row, wire({ ...flags, chdir }), given).finally(() => chooseWorkspace([]));
  };
  const words = expandHelp(args);
  const first = findCommandWord(words);
  // All of them for help and for typos, so that suggestions work.
  const isKnown = index.commands.some(({ path }) => firstWord(path) === first);
  await declareCommands(program, index, act, (word) => !isKnown || word === first);
  refuseRepeats(program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // The command line is invalid, but commander has read this before the rest.
    if (program.opts<{ readonly format?: string }>().format === 'json') {
      const message = error.code === 'commander.help' ? NO_COMMAND : error.message.replace(/^error: /, '');
      host.stdout.write(renderJson(describeError(new HeraldError('usage', message, 'See: herald --help'))));
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
      [],
    )
    .option('--format <name>', 'output format; the help of each command lists its own')
    .option('--api-key-file <file>', 'read the API key from this file instead of HERALD_API_KEY')
    .option('-v, --verbose', 'print requests to stderr, without secrets', false)
    .option('--no-color', 'print without colour')
    .option('-q, --quiet', 'print only results and errors', false)
    .configureHelp({
      // A flag that is off or empty by default has no default to show.
      optionDescription: (option) =>
        new Help().optionDescription(option).replace(/ \(default: (?:\[\]|false)\)$/, ''),
    })
    .addHelpText('after', HELP_FOOTER)
    .addHelpText('afterAll', ({ command }) => (command.parent === null ? '' : GLOBAL_OPTIONS))
    .commandsGroup('Tools:')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .showHelpAfterError('(see --help)');
}

/** Adds the commands of which the first word is named, each below the group that its path names. */
export async function declareCommands(
  program: Command,
  { commands, groups }: CommandIndex,
  act: Act = () => Promise.resolve(),
  isNamed: (word: string) => boolean = () => true,
): Promise<void> {
  const named = commands.filter(({ path }) => isNamed(firstWord(path)));
  const rows = await Promise.all(named.map(async ({ heading, load }) => ({ heading, row: await load() })));
  for (const { heading, row } of rows) {
    const [first = '', second] = row.path.split(' ');
    program.commandsGroup(`${heading}:`);
    const parent = second === undefined ? program : declareGroup(program, first, groups[first] ?? '');
    declareRow(parent, second ?? first, act, row);
  }
}

const firstWord = (path: string) => path.split(' ')[0] ?? '';

/** The command above others, such as `chat` of `herald chat send`. */
function declareGroup(program: Command, name: string, about: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  const more = `\nFlags and examples of one: herald help ${name} COMMAND`;
  return known ?? program.command(name).description(about).addHelpText('after', more);
}

function declareRow(parent: Command, name: string, act: Act, row: AnyCommand): void {
  const { examples, about, hidden = false, formats = REPORT_FORMATS, more } = row;
  const words = listDeclared(row.words);
  const flags = listDeclared(row.flags);
  const command = parent
    .command(name, { hidden })
    .description(about)
    // Of `plan show --out FILE`, the flag is for `show`.
    .enablePositionalOptions()
    // Only says what the command prints. The value is read and checked as that of the global flag.
    .addOption(
      new Option('--format <name>', 'output format; the first is the default')
        .choices(formats)
        .argParser((format: string) => format),
    )
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
  if (more !== undefined) command.addHelpText('after', `\n${more}`);
  for (const [, word] of words) command.addArgument(word);
  for (const [, flag] of flags) command.addOption(flag);
  command.action(async () => {
    // `herald history --limit 3 diff`: the flag would do nothing.
    const stray = parent.options.find((one) => parent.getOptionValueSource(one.attributeName()) === 'cli');
    if (parent.parent !== null && stray !== undefined) {
      const above = formatCommand(parent.name());
      command.error(`error: ${stray.long ?? ''} works only with ${above}, not with ${command.name()}`);
    }
    const readFlag = (flag: Option): unknown => {
      const value: unknown = command.getOptionValue(flag.attributeName());
      return flag.negate ? value !== false : value;
    };
    await act(command, row, {
      ...Object.fromEntries(words.map(([key], at) => [key, command.processedArgs[at]])),
      ...Object.fromEntries(flags.map(([key, flag]) => [key, readFlag(flag)])),
    });
  });
}

/** Without those that only other commands of the family have. */
function listDeclared<Declared>(
  declared: Readonly<Record<string, Declared | null>> = {},
): readonly (readonly [string, Declared])[] {
  return Object.entries(declared).flatMap(([key, one]) => (one === null ? [] : [[key, one] as const]));
}

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

/** The first word that is neither an option nor its value. */
export function findCommandWord(words: readonly string[]): string | undefined {
  return words[findCommandAt(words)];
}

function findCommandAt(words: readonly string[]): number {
  return words.findIndex((word, at) => !word.startsWith('-') && !TAKES_NEXT.test(words[at - 1] ?? ''));
}

/** Turns `herald help chat send` into `herald chat send --help`, because commander's `help` takes one word. */
function expandHelp(words: readonly string[]): readonly string[] {
  const at = findCommandAt(words);
  const named = words.slice(at + 1);
  return words[at] === 'help' && named.length > 1 ? [...words.slice(0, at), ...named, '--help'] : words;
}

/** Commander shows its help here and has no message. */
const NO_COMMAND = 'Unknown or missing command.';

/** The suggestion that commander adds to its message. */
const SUGGESTION = /\n(?=\(Did you mean )/;

/** Commander repeats an argument unchanged, with its line breaks. */
function usageText(text: string): string {
  const lines = text.trimEnd().split(SUGGESTION).map(visible);
  return harmless(`${lines.join('\n')}\n`);
}
