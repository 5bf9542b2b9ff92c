import { formatCommand } from './command-line.ts';
import type { Declared } from './resource.ts';

/** A broadcast of a draft (BROADCAST-3). No plan and no apply knows it, only the command that sends it. */
export function isSentAtOnce(declared: Declared | null | undefined): boolean {
  return declared?.kind === 'broadcast' && declared.atOnce === true;
}

/** The command that creates a declared resource. */
export function creatingCommand(declared: Declared): string {
  return isSentAtOnce(declared) ? formatCommand('broadcasts', 'send') : formatCommand('apply');
}
