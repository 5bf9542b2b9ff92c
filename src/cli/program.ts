import { Command, Help, Option, type OutputConfiguration } from 'commander';
import { type AnyCommand, REPORT_FORMATS } from './define-command.ts';
import { textsFlag } from './flags.ts';
import { formatCommand } from '../domain/command-line.ts';
import { quoted } from '../domain/visible.ts';
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

/** The words and flags of a command, as the command line has them. */
export type Given = Readonly<Record<string, unknown>>;

/** What a command does when the command line names it. */
type Act = (command: Command, row: AnyCommand, given: Given) => Promise<void>;

interface ProgramOptions {
  readonly act?: Act;
  /** The first words of the commands that are loaded. Left out: all. */
  readonly isNamed?: (word: string) => boolean;
  readonly output?: OutputConfiguration;
}

/** The program with its global flags and the commands that are named, each below the group that its path names. */
export async function createProgram(
  { commands, groups }: CommandIndex,
  { act = () => Promise.resolve(), isNamed = () => true, output = {} }: ProgramOptions = {},
): Promise<Command> {
  const program = createRoot().configureOutput(output);
  const named = commands.filter(({ path }) => isNamed(firstWord(path)));
  const rows = await Promise.all(named.map(async ({ heading, load }) => ({ heading, row: await load() })));
  for (const { heading, row } of rows) {
    const [first = '', second] = row.path.split(' ');
    program.commandsGroup(`${heading}:`);
    const parent = second === undefined ? program : declareGroup(program, first, groups[first] ?? '');
    declareRow(parent, second ?? first, act, row);
  }
  refuseRepeats(program);
  return program;
}

/** The program with its global flags. */
function createRoot(): Command {
  return new Command('herald')
    .description(
      "Campaigns as code: creator accounts' campaigns and broadcasts, declared in YAML and reconciled over an API.",
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(
      textsFlag(
        '-C, --chdir <dir>',
        'run in this directory (repeatable; each is relative to the one before)',
      ),
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
    if (!(option.required || option.optional) || Array.isArray(option.defaultValue)) continue;
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
