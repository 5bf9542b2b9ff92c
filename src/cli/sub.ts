import { Option, type Command } from 'commander';
import type { Context } from './context.ts';
import { collect } from './flags.ts';
import { REPORT_FORMATS, type Formats } from './formats.ts';

export { collect };

/** Runs a command after its flags were read. Resolves with the exit code. */
type Action = (context: Context) => number | Promise<number>;

/** Runs an action with the context for the flags of its command, in the directory `below` if one is given. */
export type Act = (command: Command, action: Action, below?: string) => Promise<void>;

/** Adds commands to the program. A group that the command line does not name may be left out. */
export type Declare = (program: Command, act: Act, isNamed: (group: string) => boolean) => void;

interface SubOptions {
  /** Help and completion leave it out. */
  readonly hidden?: boolean;
  /** What `--format` takes, for help and completion; null if it prints words only. */
  readonly formats?: Formats | null;
}

/** A subcommand with its examples. The global flags belong to the program. */
export function sub(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[] = [],
  { hidden = false, formats = REPORT_FORMATS }: SubOptions = {},
): Command {
  const command = parent.command(usage, { hidden }).description(description);
  if (formats !== null) command.addOption(formatOption(formats));
  return examples.length === 0
    ? command
    : command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
}

/** Only says what the command prints. The value is read and checked as that of the global flag. */
function formatOption(formats: Formats): Option {
  return new Option('--format <name>', 'output format; the first is the default')
    .choices(formats)
    .argParser((format: string) => format);
}

/** The parent command of others, such as `chat` of `herald chat send`. Several declarations may share it. */
export function group(program: Command, name: string, description: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  const more = `\nFlags and examples of one: herald help ${name} COMMAND`;
  return known ?? program.command(name).description(description).addHelpText('after', more);
}
