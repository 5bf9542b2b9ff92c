import { InvalidArgumentError, type Command } from 'commander';
import type { Context } from './context.ts';

/** What a command does once its flags are read; resolves with the exit code. */
type Action = (context: Context) => number | Promise<number>;

/** Runs an action with the context that the flags of its command ask for, in a directory `below` theirs if need be. */
export type Act = (command: Command, action: Action, below?: string) => Promise<void>;

/** Declares some commands on the program. */
export type Declare = (program: Command, act: Act) => void;

/** A subcommand with its examples; the flags that every command takes stand on the program. */
export function sub(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[] = [],
): Command {
  const command = parent.command(usage).description(description);
  return examples.length === 0
    ? command
    : command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
}

/** The command that others stand under, as `chat` in `herald chat send`; several declarations may share one. */
export function group(program: Command, name: string, description: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  const more = `\nFlags and examples of one: herald help ${name} COMMAND`;
  return known ?? program.command(name).description(description).addHelpText('after', more);
}

/** For an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

/** Reads a whole number within bounds, both included. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isInteger(number) || number < from || number > to)
      throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
    return number;
  };
}
