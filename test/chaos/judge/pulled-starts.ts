import { startsSending } from '../../../src/domain/status.ts';
import { groupOf, sends, WINDOW_MS } from '../live.ts';
import { LEAVES_MS, writesKnownTo } from '../state.ts';
import { isDeceivedOfAge } from './deceived.ts';
import type { Facts } from './facts.ts';

/**
 * A create next to a start of its name, or a start or create under the name of a recall, which the ledger has and of which no
 * answer was heard: fans would get both, or what was recalled.
 */
export function besideOpenChange({ chaos, sent, live }: Facts): string[] {
  const { write, process, sentMs } = sent;
  const isStart = write.kind === 'status' && startsSending(write.status);
  if (process.task.wish !== null || (write.kind !== 'create' && !isStart)) return [];
  const object =
    write.kind === 'status' ? live.find(({ kind, id }) => kind === write.of && id === write.id) : undefined;
  const group = write.kind === 'create' ? groupOf({ ...write, kind: write.of }) : object && groupOf(object);
  const atStart = writesKnownTo(chaos, { process, sentMs: process.startedMs + LEAVES_MS });
  const other = writesKnownTo(chaos, sent).find((one) => {
    const { write: earlier, answer } = one;
    if (earlier.kind !== 'status' || one.process === process) return false;
    const isRecall = earlier.status === 'unsend';
    // A plan that knows of the recall replaces what it had paused before, with other words.
    if (isRecall && write.kind === 'create' && atStart.includes(one)) return false;
    if (!isRecall && (write.kind !== 'create' || !startsSending(earlier.status))) return false;
    if (answer !== 'unconfirmed' && answer !== 'none yet') return false;
    if (sentMs - one.sentMs >= WINDOW_MS || isDeceivedOfAge(chaos, one, sent)) return false;
    const its = live.find(({ kind, id }) => kind === earlier.of && id === earlier.id);
    // Once it shows, the plan goes by what it sees.
    if (its === undefined || groupOf(its) !== group || sends(its)) return false;
    return !isRecall || its.status !== 'recalled';
  });
  if (other === undefined || other.write.kind !== 'status') return [];
  const sec = Math.round((sentMs - other.sentMs) / 1000);
  return [
    `a ${write.kind} of ${group ?? ''} was sent ${sec} s after ${other.write.status} of ${other.write.id} without an answer`,
  ];
}
