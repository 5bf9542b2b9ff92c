import type { Declared } from './resource.ts';

/** The command that creates a declared resource. An apply sends no drafts (BROADCAST-3). */
export function creatingCommand(declared: Declared): 'herald apply' | 'herald broadcasts send' {
  return declared.kind === 'broadcast' && declared.atOnce === true
    ? 'herald broadcasts send'
    : 'herald apply';
}

/** The command that looks again at what is left to do. No plan knows a draft: that is the same command again. */
export function planningCommand(
  declared: Declared | null | undefined,
): 'herald plan' | 'herald broadcasts send' {
  return declared?.kind === 'broadcast' && declared.atOnce === true
    ? 'herald broadcasts send'
    : 'herald plan';
}
