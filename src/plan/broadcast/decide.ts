import { SCHEDULE_LEAD_MS } from '../../domain/broadcast.ts';
import type { BroadcastTarget } from '../../domain/status.ts';
import type { DeclaredBroadcast } from '../../domain/resource.ts';
import {
  broadcastColumn,
  type BroadcastCase,
  type BroadcastCell,
  type BroadcastColumn,
  type BroadcastMember,
} from './column.ts';
import { unlessRecalled } from './undone-stops.ts';
import { done, doneNeverLeft, doneTooLate, keep, keepAbsent, pauseAll, recallAll } from './over.ts';
import {
  blockHalted,
  blockLeft,
  create,
  leaveUnreadable,
  replace,
  resumeOrFinish,
  keepLowest,
} from './send.ts';
import { createNow, sentOnce } from './send-now.ts';
import { blocked, change, only, warning, type Decision, type Terms } from '../decision.ts';

/**
 * What to do, by the declared and the live state. A broadcast goes out once: a sent one is done.
 *
 * | declared          | none   | scheduled= | scheduled≠ | scheduled? | paused, pending | paused, has left | has left |
 * |-------------------|--------|------------|------------|------------|-----------------|------------------|----------|
 * | scheduled, future | create | keepLowest    | replace    | leave      | resume/finish   | blocked          | blocked  |
 * | scheduled, past   | missed | done       | done       | done       | done            | done             | done     |
 * | scheduled, maybe past | blocked | done    | done       | done       | blocked         | done             | done     |
 * | paused            | keep   | pause      | pause      | pause      | keep            | keep             | done     |
 * | recalled          | keep   | recall     | recall     | recall     | recall          | recall           | recall   |
 *
 * | sent at once      | create | blocked¹   | blocked¹   | blocked¹   | blocked¹        | blocked¹         | blocked¹ |
 *
 * ¹ done, if Herald has sent it with the same content and it is not paused (`sentOnce`).
 *
 * Maybe past: it is past by one of two clocks that do not agree, and ahead by the other.
 *
 * `=` equal, `≠` different, `?` content not readable. In both `scheduled` rows, members that still wait are paused first
 * if another one stays or was sent. If several wait and differ from the file, only one may go out (`sendOnlyOne`).
 * `pause` and `recall` apply to every member of the name. A paused one that can no longer be resumed has expired, and is
 * created again (`resumeOrFinish`).
 */
const TABLE = {
  future: {
    none: unlessRecalled(create),
    scheduled_equal: keepLowest('keep'),
    scheduled_different: unlessRecalled(replace),
    scheduled_unknowable: leaveUnreadable,
    paused_pending: unlessRecalled(resumeOrFinish),
    paused_left: blockHalted,
    left: blockLeft,
  },
  past: {
    none: missed,
    scheduled_equal: keepLowest('done'),
    scheduled_different: doneTooLate,
    scheduled_unknowable: doneTooLate,
    paused_pending: doneNeverLeft,
    paused_left: done,
    left: done,
  },
  maybe_past: {
    none: blockUnsure,
    scheduled_equal: keepLowest('keep'),
    scheduled_different: doneTooLate,
    scheduled_unknowable: doneTooLate,
    paused_pending: blockUnsure,
    paused_left: done,
    left: done,
  },
  now: {
    none: unlessRecalled(createNow),
    scheduled_equal: sentOnce,
    scheduled_different: sentOnce,
    scheduled_unknowable: sentOnce,
    paused_pending: sentOnce,
    paused_left: sentOnce,
    left: sentOnce,
  },
  paused: {
    none: pauseAll(keepAbsent),
    scheduled_equal: pauseAll(keep),
    scheduled_different: pauseAll(keep),
    scheduled_unknowable: pauseAll(keep),
    paused_pending: pauseAll(keep),
    paused_left: pauseAll(keep),
    left: pauseAll(done),
  },
  recalled: {
    none: recallAll(keepAbsent),
    scheduled_equal: recallAll(done),
    scheduled_different: recallAll(done),
    scheduled_unknowable: recallAll(done),
    paused_pending: recallAll(done),
    paused_left: recallAll(done),
    left: recallAll(done),
  },
} as const satisfies Record<BroadcastRow, Record<BroadcastColumn, BroadcastCell>>;

type BroadcastRow = 'future' | 'past' | 'maybe_past' | 'now' | Exclude<BroadcastTarget, 'scheduled'>;

/** Decides about one declared broadcast and every live object of its name. */
export function decideBroadcast(
  declared: DeclaredBroadcast,
  group: readonly BroadcastMember[],
  terms: Terms,
): Decision {
  const { column, members } = broadcastColumn(group, terms.nowMs);
  return TABLE[rowOf(declared, terms)][column]({ declared, terms, group, members });
}

function rowOf(declared: DeclaredBroadcast, terms: Terms): BroadcastRow {
  if (declared.atOnce === true) return 'now';
  if (declared.target !== 'scheduled') return declared.target;
  const leadMs = Date.parse(declared.scheduledAtUtc) - terms.nowMs;
  if (leadMs >= SCHEDULE_LEAD_MS) return 'future';
  return terms.clocksApartMs > 0 && leadMs + terms.clocksApartMs >= SCHEDULE_LEAD_MS ? 'maybe_past' : 'past';
}

/** A schedule in the past goes out at once (BROADCAST-6), so it is not started while one clock says that it is past. */
function blockUnsure({ declared, terms, members }: BroadcastCase): Decision {
  const apart = Math.round(terms.clocksApartMs / 1_000);
  const reason = `Its time ${declared.scheduledAtUtc} may have passed: this machine's clock and the service's, or two of the service's, are ${apart} s apart. Check this machine's clock, then run the command again.`;
  return only(blocked(declared, reason, members[0] ?? null));
}

/** Never created any more: a schedule in the past goes out at once (BROADCAST-6). */
function missed({ declared, terms }: BroadcastCase): Decision {
  const at = declared.scheduledAtUtc;
  const reason =
    Date.parse(at) <= terms.nowMs
      ? `Its time ${at} passed before it was created.`
      : `Its time ${at} is less than ${SCHEDULE_LEAD_MS / 60_000} minutes away.`;
  const message = `${reason} Herald does not create it, because the service would send it immediately. Change scheduled_at, or remove it.`;
  return {
    changes: [change(declared, 'missed', { reasons: [reason] })],
    diagnostics: [warning(declared, 'missed', message)],
  };
}
