import { Option, type Command } from 'commander';
import { formatCommand } from '../domain/command-line.ts';
import type { Context } from './context.ts';
import type { AnyCommand } from './define-command.ts';
import { REPORT_FORMATS, type Formats } from './formats.ts';

/** Runs an action with the context for the flags of its command, in the folders that it names below that of `-C`. */
export type Act = (
  command: Command,
  action: (context: Context) => Promise<number>,
  below: (env: Context['env']) => readonly string[],
) => Promise<void>;

/** Adds commands to the program, each below the group that its path names. */
export function declareRows(
  program: Command,
  act: Act,
  rows: readonly AnyCommand[],
  groups: Readonly<Record<string, string>>,
): void {
  for (const row of rows) declareRow(program, act, row, groups);
}

function declareRow(
  program: Command,
  act: Act,
  row: AnyCommand,
  groups: Readonly<Record<string, string>>,
): void {
  const [first = '', second] = row.path.split(' ');
  const parent = second === undefined ? program : declareGroup(program, first, groups[first] ?? '');
  const { examples, about, hidden = false, formats = REPORT_FORMATS, more } = row;
  const command = parent
    .command(second ?? first, { hidden })
    .description(about)
    .addOption(formatOption(formats))
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
  if (more !== undefined) command.addHelpText('after', `\n${more}`);
  for (const word of Object.values(row.words ?? {})) {
    const argument = word.declare();
    if (argument !== null) command.addArgument(argument);
  }
  for (const flag of Object.values(row.flags ?? {})) {
    const option = flag.declare();
    if (option !== null) command.addOption(option);
  }
  command.action(async () => {
    refuseFlagsOf(parent, command);
    const given = readGiven(command, row);
    await act(
      command,
      async (context) => (await import('./run-row.ts')).runRow(row, context, given),
      (env) => row.directories?.(given as never, env) ?? [],
    );
  });
}

/** Only says what the command prints. The value is read and checked as that of the global flag. */
function formatOption(formats: Formats): Option {
  return new Option('--format <name>', 'output format; the first is the default')
    .choices(formats)
    .argParser((format: string) => format);
}

/** The command above others, such as `chat` of `herald chat send`. */
function declareGroup(program: Command, name: string, about: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  const more = `\nFlags and examples of one: herald help ${name} COMMAND`;
  return known ?? program.command(name).description(about).addHelpText('after', more);
}

/** `herald history diff --limit 3`: commander gives a flag that `history` has to `history`, wherever it is. */
function refuseFlagsOf(parent: Command, command: Command): void {
  if (parent.parent === null) return;
  const stray = parent.options.find(
    (option) =>
      parent.getOptionValueSource(option.attributeName()) === 'cli' &&
      !command.options.some((own) => own.long === option.long),
  );
  if (stray !== undefined)
    command.error(
      `error: ${stray.long ?? ''} works only with ${formatCommand(parent.name())}, not with ${command.name()}`,
    );
}

/** The values of a command's words and flags. */
function readGiven(command: Command, row: AnyCommand): Readonly<Record<string, unknown>> {
  // `plan` has flags of `plan show`, and takes them wherever they are.
  const found: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  const words = Object.entries(row.words ?? {}).map(([name, word], at) => [
    name,
    word.read(command.processedArgs[at]),
  ]);
  const flags = Object.entries(row.flags ?? {}).map(([name, flag]) => [
    name,
    flag.read(found[flag.declare()?.attributeName() ?? '']),
  ]);
  return Object.fromEntries([...words, ...flags]) as Readonly<Record<string, unknown>>;
}
