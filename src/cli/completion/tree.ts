import type { Argument, Command, Option } from 'commander';
import { OPERATIONS } from '../../api/catalogue.ts';
import { ALLOWANCE_NAMES } from '../../domain/allowance.ts';
import type { CommandNode, OptionNode, Values } from '../../render/completion/nodes.ts';
import { SuggestingOption } from '../suggestions.ts';
import { JSON_SCHEMAS } from '../schemas.ts';

/** Reads the commands and options for completion from their declarations. */
export function commandTree(program: Command): CommandNode {
  return nodeOf(program, []);
}

function nodeOf(command: Command, path: readonly string[]): CommandNode {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map((below) => nodeOf(below, [...path, below.name()]));
  const [argument] = command.registeredArguments;
  return {
    path: path.join(' '),
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(optionOf),
    argument: argumentOf(argument),
    repeated: argument?.variadic === true,
    commands: commands.map((below) => (below.name === HELP ? helpFor(below, commands) : below)),
  };
}

const HELP = 'help';

/** `help` takes the names of the commands at its level. */
function helpFor(node: CommandNode, commands: readonly CommandNode[]): CommandNode {
  const words = commands.map(({ name }) => name).filter((name) => name !== HELP);
  return { ...node, argument: { kind: 'words', words } };
}

function optionOf(option: Option): OptionNode {
  const { short, long, description, required, optional } = option;
  const takesValue = required || optional;
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    values: takesValue ? valuesOf(option) : null,
  };
}

const KNOWN_OPTIONS: Readonly<Record<string, Values>> = {
  '--allow': { kind: 'words', words: ALLOWANCE_NAMES },
  '--account': { kind: 'accounts' },
};

const KNOWN_ARGUMENTS: Readonly<Record<string, Values>> = {
  ACCOUNT: { kind: 'accounts' },
  NAME: { kind: 'words', words: Object.keys(JSON_SCHEMAS) },
  OPERATION: { kind: 'words', words: OPERATIONS },
};

function valuesOf(option: Option): Values {
  const { long, argChoices, flags } = option;
  if (option instanceof SuggestingOption && option.words.length > 0)
    return { kind: 'words', words: option.words };
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  return KNOWN_OPTIONS[long ?? ''] ?? byPlaceholder(/[<[]([^>\]]*)[>\]]/.exec(flags)?.[1] ?? '');
}

function argumentOf(argument: Argument | undefined): Values {
  if (argument === undefined) return { kind: 'words', words: [] };
  if (argument.argChoices !== undefined) return { kind: 'words', words: argument.argChoices };
  return KNOWN_ARGUMENTS[argument.name()] ?? byPlaceholder(argument.name());
}

/** Guesses values from the placeholder: `<file>`, `[DIR]`. */
function byPlaceholder(placeholder: string): Values {
  if (/^(file|plan)\b/i.test(placeholder)) return { kind: 'files' };
  return /^dir/i.test(placeholder) ? { kind: 'directories' } : { kind: 'free' };
}
