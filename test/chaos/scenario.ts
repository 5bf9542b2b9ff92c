import type { FaultInput } from '../../src/simulator/fault-shape.ts';

/**
 * What happens in one run, as plain data: two operators on one folder edit the YAML and run Herald, people act on the service,
 * and faults strike. The draw makes it, and the player plays it.
 */
export interface Scenario {
  readonly seed: number;
  readonly startMin: number;
  /** The lists have a second page, and their order changes with each scan. */
  readonly crowded: boolean;
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly kind: 'edit'; readonly edits: readonly Edit[] }
  | { readonly kind: 'run'; readonly runs: readonly Run[]; readonly faults: readonly FaultInput[] }
  | { readonly kind: 'person'; readonly deed: Deed }
  /** A new fan comes to each account and fires the trigger of the campaigns. */
  | { readonly kind: 'fan' }
  | { readonly kind: 'wait'; readonly sec: number }
  /** How wrong the clocks of the service and of each operator's machine are from then on. One of them is not behind (A4). */
  | { readonly kind: 'clocks'; readonly serviceSec: number; readonly machinesSec: readonly number[] };

/** The resources of the files, each in a file of its own. */
export const SLOTS = ['Welcome', 'Offer', 'Teaser', 'Flash'] as const;
export type Slot = (typeof SLOTS)[number];
export type Kind = 'campaign' | 'broadcast';

export function kindOfSlot(slot: Slot): Kind {
  return slot === 'Welcome' || slot === 'Offer' ? 'campaign' : 'broadcast';
}

export const ACCOUNTS = { alice: '101', bob: '102' } as const;
export type Alias = keyof typeof ACCOUNTS;
export const ALIASES: readonly Alias[] = ['alice', 'bob'];

/** What people do to the file of one resource. */
export type Edit = { readonly slot: Slot } & (
  | { readonly does: 'write'; readonly hoursAhead: number; readonly both: boolean }
  | { readonly does: 'set'; readonly status: 'runs' | 'paused' | 'archived' | 'recalled' }
  | { readonly does: 'reword' }
  /** Back to the text before. */
  | { readonly does: 'revert' }
  | { readonly does: 'move'; readonly hours: number }
  | { readonly does: 'rename' }
  | { readonly does: 'delete' }
);

export type Allow = 'resume' | 'recall' | 'adopt' | 'prune' | 'large';

export type Command =
  | { readonly kind: 'apply'; readonly allow: readonly Allow[]; readonly target: Slot | null }
  /** `plan --out`, then perhaps edits and deeds, then the apply of that plan. */
  | { readonly kind: 'saved'; readonly allow: readonly Allow[]; readonly between: readonly (Edit | Deed)[] }
  | { readonly kind: 'look'; readonly at: Look }
  | ByHand;

export interface ByHand {
  readonly kind: 'hand';
  readonly verb: Verb;
  readonly slot: Slot;
  readonly alias: Alias;
  /** What names the objects. A start takes no pattern, and not all. */
  readonly by: 'id' | 'address' | 'pattern' | 'all';
}

/** Commands that write nothing. */
export const LOOKS = ['plan', 'drift', 'history', 'validate', 'import'] as const;
export type Look = (typeof LOOKS)[number];

export const VERBS = ['pause', 'archive', 'recall', 'activate', 'resume'] as const;
export type Verb = (typeof VERBS)[number];

export interface Run {
  readonly operator: number;
  readonly afterSec: number;
  readonly command: Command;
  readonly cut: Cut | null;
  /** What people do on the service right before the nth request of this run, or in its nth second, while it waits. */
  readonly meanwhile: readonly {
    readonly at: 'request' | 'second';
    readonly nth: number;
    readonly deed: Deed;
  }[];
  /** A command by hand that another operator runs, whole, right before the nth time that this run sleeps or uses the state. */
  readonly between: { readonly nth: number; readonly command: ByHand } | null;
}

export const CALM = { cut: null, meanwhile: [], between: null } as const;

/** What happens to a process at its nth request, its nth write of the state, or in the nth second, while it waits. */
export type Cut =
  | {
      readonly at: 'request';
      readonly nth: number;
      readonly how: 'killed before' | 'killed after' | 'interrupted';
    }
  /** Stopped by SIGSTOP for so long. */
  | { readonly at: 'request'; readonly nth: number; readonly how: 'frozen'; readonly sec: number }
  | { readonly at: 'write'; readonly nth: number; readonly how: 'killed before' | 'killed within' }
  | { readonly at: 'second'; readonly nth: number; readonly how: 'killed' }
  /** From then on, nothing can be written to the state. */
  | { readonly at: 'write'; readonly nth: number; readonly how: 'disk full' | 'unreachable' };

/** What a person does on the service's own screens, to the newest object of a resource or to its oldest. */
export interface Deed {
  readonly person: 'pauses' | 'starts' | 'archives' | 'recalls' | 'rewords' | 'copies';
  readonly slot: Slot;
  readonly alias: Alias;
  readonly oldest: boolean;
  /** How long lists and single reads do not show it (A2). */
  readonly listsLagSec: number;
  readonly readsLagSec: number;
}
