import type { ChangeKind, Step } from '../../domain/change.ts';
import type { Kind } from '../../domain/resource.ts';

export interface Undo {
  readonly reversible: boolean;
  /** How and until when, in words; empty for changes that write nothing. */
  readonly undo: string;
}

const NOTHING: Undo = { reversible: true, undo: '' };
const STOPPABLE = {
  reversible: true,
  undo: 'Pausing stops it; what it delivered can be recalled for 24 hours.',
};
const CLEARED = { reversible: false, undo: 'Its queue is lost.' };
const WAITS = { reversible: true, undo: 'Until it goes out, pausing stops it without loss.' };
const RESUMABLE = { reversible: true, undo: 'It can be resumed within 5 days, before its time.' };

/** What can be undone, and until when (CAMPAIGN-12, BROADCAST-20). */
const UNDO: Readonly<Record<Kind, Partial<Record<ChangeKind, Undo>>>> = {
  campaign: {
    create: STOPPABLE,
    activate: STOPPABLE,
    replace: {
      reversible: true,
      undo: 'The old version stays paused and can be activated again; the service archives it after 7 days.',
    },
    pause: { reversible: true, undo: 'It can be activated again; the service archives it after 7 days.' },
    archive: CLEARED,
    retire: CLEARED,
    recall: { reversible: false, undo: 'Messages of the last 24 hours are recalled permanently.' },
  },
  broadcast: {
    create: WAITS,
    resume: WAITS,
    replace: {
      reversible: true,
      undo: 'The old version stays paused. Until the new one goes out, pausing stops it without loss.',
    },
    pause: RESUMABLE,
    retire: RESUMABLE,
    recall: {
      reversible: false,
      undo: 'It stops permanently. What it delivered is recalled as far as the platform allows.',
    },
  },
};

/** Whether a change of this kind, with these steps, can be undone and until when. */
export function describeUndo(action: ChangeKind, kind: Kind, steps: readonly Step[]): Undo {
  if (action === 'replace' && steps.some((step) => step.kind === 'archive'))
    return { reversible: false, undo: 'The old version is archived, and its queue is lost.' };
  return UNDO[kind][action] ?? NOTHING;
}
