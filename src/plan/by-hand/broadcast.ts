import { LEAVING_MS, RECALL_WINDOW_MS } from '../../domain/broadcast.ts';
import type { ObservedBroadcast } from '../../domain/resource.ts';
import { broadcastStatusOf, STATUS_TRAITS, type BroadcastStatus } from '../../domain/status.ts';
import { classifyBroadcast } from '../broadcast/column.ts';
import { go, idsOf, recordStop, type Answer, type ByHandCase, type Wish } from './answer.ts';
import { resume } from './resume.ts';
import { untilWords } from './window.ts';

type Case = ByHandCase<ObservedBroadcast>;
type Cell = (the: Case) => Answer;
type Action = Extract<Wish, { kind: 'broadcast' }>['action'];

/**
 * What a broadcast's status makes of each wish (BROADCAST-11 to BROADCAST-21):
 *
 * | asked  | scheduled | queued | sending | paused | archived | finished or unnamed |
 * |--------|-----------|--------|---------|--------|----------|---------------------|
 * | pause  | go        | go     | go      | so *   | cannot   | cannot              |
 * | resume | is so     | is so  | is so   | resume | cannot   | cannot              |
 * | recall | go        | go     | go      | go     | go       | go                  |
 *
 * \* If an apply paused it, the pause is sent once more, so that it is on record as a person's (`recordStop`).
 *
 * A recall that is on record as done is not asked for again, unless it goes out all the same. The service alone
 * knows the last status change, from which the 24 hours of a recall count, so it is asked in every state.
 */
const TABLE = {
  pause: {
    scheduled: pauseScheduled,
    queued: pauseLeaving,
    sending: pauseLeaving,
    paused: pausedAlready,
    archived: cannotPause,
    none: cannotPause,
    unnamed: cannotPause,
  },
  resume: {
    scheduled: runsAlready,
    queued: runsAlready,
    sending: runsAlready,
    paused: resume,
    archived: cannotResume,
    none: cannotResume,
    unnamed: cannotResume,
  },
  recall: {
    scheduled: recall,
    queued: recall,
    sending: recall,
    paused: recall,
    archived: recall,
    none: recall,
    unnamed: recall,
  },
} as const satisfies Record<Action, Record<BroadcastStatus, Cell>>;

/** By what is asked for. */
export const BROADCAST_ANSWERS: Readonly<Record<Action, Cell>> = {
  pause: (the) => TABLE.pause[statusIn(the)](the),
  resume: (the) => TABLE.resume[statusIn(the)](the),
  recall: (the) => TABLE.recall[statusIn(the)](the),
};

/** The status itself: a person who asks by hand gets the live status, not Herald's reading of it. */
function statusIn({ target }: Case): BroadcastStatus {
  return broadcastStatusOf(target.live);
}

function pausedAlready(the: Case): Answer {
  if (!the.isStoppedByApply) return { kind: 'so', reason: 'It is paused already.' };
  return recordStop(the, `For 5 days after its pause: ${the.command('resume')}`);
}

function runsAlready({ target: { live } }: Case): Answer {
  const { goingOut } = STATUS_TRAITS[broadcastStatusOf(live)];
  const when = goingOut ? '' : ` and goes out at ${live.scheduled_at ?? 'once'}`;
  return { kind: 'so', reason: `It is not paused: it is ${live.status ?? ''}${when}.` };
}

function pauseScheduled(the: Case): Answer {
  const { target, nowMs } = the;
  const hour = target.live.scheduled_at ?? null;
  const near = hour !== null && Date.parse(hour) - nowMs < LEAVING_MS;
  return go({
    reasons: [
      `It does not go out${hour === null ? '' : ` at ${hour}`}.`,
      ...(near ? ['Its time is so near that it may begin to go out before the pause arrives.'] : []),
    ],
    undo: `Until its hour, for at most 5 days, without loss: ${the.command('resume')}`,
  });
}

function pauseLeaving(the: Case): Answer {
  const { progress_percent: percent } = the.target.live;
  const progress = typeof percent === 'number' ? ` (${percent} %)` : '';
  return go({
    reasons: [
      statusIn(the) === 'sending'
        ? `It is going out right now${progress}. Fans that it has reached keep their message; the others get none.`
        : 'It is about to go out: some fans may get it before the pause arrives.',
    ],
    undo: `For 5 days, and it then continues immediately: ${the.command('resume')}`,
    mind: 'It is stopped half-way.',
  });
}

function cannotPause(the: Case): Answer {
  const { status } = the.target.live;
  const reason =
    statusIn(the) === 'archived'
      ? 'It is archived and can no longer go out, so there is nothing to pause.'
      : `${nameOf(status)}: it was probably sent, so there is nothing to pause.`;
  return { kind: 'cannot', reason, hint: `To recall what it delivered: ${the.command('recall')}` };
}

function cannotResume(the: Case): Answer {
  const { status } = the.target.live;
  const reason =
    statusIn(the) === 'archived'
      ? 'It is archived, and an archived broadcast can no longer be resumed.'
      : `${nameOf(status)}: it was probably sent. Only a paused broadcast can be resumed.`;
  return { kind: 'cannot', reason, hint: 'To send it again, give it a new name.' };
}

function nameOf(status: string | null | undefined): string {
  return status === null || status === undefined
    ? 'It has no status that the service names'
    : `Its status ${JSON.stringify(status)} is unknown to this version of Herald`;
}

const RECALL_WINDOW = {
  ms: RECALL_WINDOW_MS,
  what: 'The service recalls it',
  from: 'its last status change',
} as const;

function recall(the: Case): Answer {
  const { target, known, others } = the;
  const state = classifyBroadcast({ observed: target });
  // A recalled one that runs was resumed since; a second recall is harmless (LOST-7).
  if (known?.recalled === true && !STATUS_TRAITS[statusIn(the)].runs)
    return { kind: 'so', reason: 'Herald has already recalled it.' };
  const waiting = others.filter((other) => classifyBroadcast({ observed: other }) === 'scheduled');
  return go({
    reasons: [
      'It stops permanently. What it delivered is recalled as far as the platform allows.',
      'The service allows this within 24 hours of its last status change.',
      untilWords(target, known, RECALL_WINDOW),
      ...(state === 'scheduled'
        ? [`Nothing was sent yet, so a pause is enough: ${the.command('pause')}`]
        : []),
      ...(state === 'paused_pending' ? ['It is paused and nothing was sent, so the pause is enough.'] : []),
      ...(waiting.length > 0 ? [`${idsOf(waiting)} with the same name still waits to go out.`] : []),
    ],
    reversible: false,
    undo: 'It stops permanently. Recalled messages do not come back.',
    mind: 'It cannot be undone.',
  });
}
