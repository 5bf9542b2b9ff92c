import type { ChangeKind, Step, WritingKind } from '../../../domain/change.ts';
import type { Declared, DeclaredBroadcast } from '../../../domain/resource.ts';

export interface Undo {
  readonly reversible: boolean;
  /** How and until when, in words; empty for changes that write nothing. */
  readonly undo: string;
}

const NOTHING: Undo = { reversible: true, undo: '' };
const STOPPABLE: Undo = {
  reversible: true,
  undo: 'Pausing stops it; what it delivered can be recalled for 24 hours.',
};
const CLEARED: Undo = { reversible: false, undo: 'Its queue is lost.' };
const REPLACED: Undo = {
  reversible: false,
  undo: 'The old version is archived, and its queue is lost.',
};
const ALL_REPLACED: Undo = {
  reversible: false,
  undo: 'The old versions are archived, and their queues are lost.',
};
const RESUMABLE: Undo = { reversible: true, undo: 'It can be resumed within 5 days, before its time.' };

/** What can be recalled, and until when (CAMPAIGN-12). */
const CAMPAIGN_UNDO = {
  create: STOPPABLE,
  replace: {
    reversible: true,
    undo: 'The old version stays paused and can be activated again; the service archives it after 7 days.',
  },
  activate: STOPPABLE,
  pause: { reversible: true, undo: 'It can be activated again; the service archives it after 7 days.' },
  archive: CLEARED,
  recall: { reversible: false, undo: 'Messages of the last 24 hours are recalled permanently.' },
  retire: CLEARED,
} as const satisfies Record<Exclude<WritingKind, 'resume'>, Undo>;

/** What can be recalled, and until when (BROADCAST-20). */
function broadcastUndo({ atOnce }: DeclaredBroadcast) {
  const stop =
    atOnce === true
      ? 'Pausing stops it for fans that it has not reached.'
      : 'Until it goes out, pausing stops it without loss.';
  return {
    create: { reversible: true, undo: stop },
    replace: {
      reversible: true,
      undo: 'The old version stays paused. Until the new one goes out, pausing stops it without loss.',
    },
    resume: { reversible: true, undo: 'Until it goes out, pausing stops it again without loss.' },
    pause: RESUMABLE,
    recall: {
      reversible: false,
      undo: 'It stops permanently. What it delivered is recalled as far as the platform allows.',
    },
    retire: RESUMABLE,
  } as const satisfies Record<Exclude<WritingKind, 'activate' | 'archive'>, Undo>;
}

/** What retiring an object that no file declares any more leaves open. */
export function undoOfPrune(action: 'archive' | 'pause'): Undo {
  return action === 'archive' ? CLEARED : RESUMABLE;
}

/** Whether a change of this kind, with these steps, can be undone and until when. */
export function undoOf(action: ChangeKind, declared: Declared, steps: readonly Step[]): Undo {
  const archived = action === 'replace' ? steps.filter(({ kind }) => kind === 'archive').length : 0;
  if (archived > 0) return archived === 1 ? REPLACED : ALL_REPLACED;
  const table: Partial<Record<ChangeKind, Undo>> =
    declared.kind === 'campaign' ? CAMPAIGN_UNDO : broadcastUndo(declared);
  return table[action] ?? NOTHING;
}
