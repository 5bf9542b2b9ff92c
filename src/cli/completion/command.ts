import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { harmless } from '../../domain/visible.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat } from '../formats.ts';
import { bashCompletion } from '../../render/completion/bash.ts';
import { fishCompletion } from '../../render/completion/fish.ts';
import { commandTree } from './tree.ts';
import { zshCompletion } from '../../render/completion/zsh.ts';
import { HeraldError } from '../../domain/herald-error.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `herald completion SHELL`: a script that completes commands, options and their values. */
export function completionCommand(
  context: Context,
  shell: keyof typeof SCRIPTS | undefined,
  program: Command,
): number {
  chooseFormat(context, ['text']);
  if (shell === undefined)
    throw new HeraldError(
      'bad-flag',
      'No shell given.',
      `Use bash, zsh or fish, such as: ${formatCommand('completion', 'bash')}`,
    );
  context.output.result(harmless(SCRIPTS[shell](commandTree(program))));
  return EXIT.done;
}
