import type { ObservedBroadcast } from '../../domain/resource.ts';
import { isPastResumeWindow } from '../broadcast/expired.ts';
import { classifyBroadcastAt } from '../broadcast/column.ts';
import { untilWords } from './window.ts';
import { RESUME_WINDOW_MS } from '../../domain/broadcast.ts';
import { go, idsOf, type Answer, type ByHandCase } from './answer.ts';

type Case = ByHandCase<ObservedBroadcast>;

/** Resumes a paused broadcast, unless fans would get it twice or a person should check it first. */
export function resume(the: Case): Answer {
  return otherCopy(the) ?? recalled(the) ?? sendErrors(the) ?? maybePast(the) ?? goOn(the);
}

/** Refuses if another one waits, was sent, or was stopped half-way (BROADCAST-16, LOST-6). */
function otherCopy({ others, nowMs }: Case): Answer | null {
  const inTheWay = others.filter((other) =>
    ['scheduled', 'out', 'paused_left'].includes(
      classifyBroadcastAt({ observed: other, known: null }, nowMs),
    ),
  );
  const [first] = inTheWay;
  if (first === undefined) return null;
  const words = inTheWay.map(({ live }) => `${live.id} (${live.status ?? 'finished or unnamed'})`).join(', ');
  return {
    kind: 'held',
    reason: `Another broadcast with the same name goes out or was sent: ${words}. Fans would get it twice.`,
    hint: `Check ${idsOf([first])} first. If it is another message, resume this one on the service.`,
  };
}

function recalled({ known }: Case): Answer | null {
  if (known?.recalled !== true) return null;
  return {
    kind: 'held',
    reason: 'Herald has recalled it, because a person asked for that.',
    hint: 'To send it again, give it a new name.',
  };
}

function sendErrors(the: Case): Answer | null {
  if (the.force || the.target.live.pause_reason !== 'send_errors') return null;
  return {
    kind: 'held',
    reason: 'The service paused it after too many send errors.',
    hint: `Find out why first. Then: ${the.command('resume')} --force`,
  };
}

/** By one clock it waits for its time, and by the other it goes out at once (BROADCAST-18). A person has to know which. */
function maybePast({ target, nowMs, clocksApartMs, force, command }: Case): Answer | null {
  const hour = target.live.scheduled_at ?? null;
  if (force || hour === null || Date.parse(hour) > nowMs || !(Date.parse(hour) > nowMs - clocksApartMs))
    return null;
  return {
    kind: 'held',
    reason: `Its time ${hour} may have passed: this machine's clock and the service's, or two of the service's, are ${Math.round(clocksApartMs / 1_000)} s apart. If it has, the broadcast goes out immediately.`,
    hint: `Check this machine's clock, then run the command again. To resume it in any case: ${command('resume')} --force`,
  };
}

const RESUME_WINDOW = { ms: RESUME_WINDOW_MS, what: 'The service resumes it', from: 'its pause' } as const;

function goOn(the: Case): Answer {
  const { target, known, nowMs } = the;
  const hour = target.live.scheduled_at ?? null;
  const atOnce = hour === null || !(Date.parse(hour) > nowMs);
  const to = recipients(the);
  const when = atOnce ? `It goes out NOW, ${to}.` : `It goes out at ${hour}, ${to}.`;
  return go({
    reasons: [
      when,
      ...(atOnce
        ? [hour === null ? 'It had begun to go out before it was paused.' : `Its time ${hour} has passed.`]
        : []),
      ...(isPastResumeWindow({ observed: target, known }, nowMs)
        ? ['It was paused more than 5 days ago, and the service refuses to resume it after that.']
        : [untilWords(target, known, RESUME_WINDOW)]),
      ...(the.force && target.live.pause_reason === 'send_errors'
        ? ['The service paused it after too many send errors.']
        : []),
    ],
    undo: atOnce
      ? `Pausing stops what has not gone out by then: ${the.command('pause')}`
      : `Before its time, without loss: ${the.command('pause')}`,
    mind: when,
    atOnce,
  });
}

/** Zero stands for not counted yet as well as for content that cannot be read (BROADCAST-25). */
function recipients({ target: { live } }: Case): string {
  const count = live.targeted_recipients_count ?? 0;
  if (count > 0) return `to ${count} fan${count === 1 ? '' : 's'}`;
  return 'to a number of fans that the service has not counted yet';
}
