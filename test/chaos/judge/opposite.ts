import { WINDOW_MS } from '../live.ts';
import { writesOf, type SentWrite } from '../state.ts';
import type { Write } from '../writes.ts';
import type { Facts } from './facts.ts';

type Change = Extract<Write, { readonly kind: 'status' }>;

/** A lost copy of another status may still be carried out, and would undo what is asked for now. */
export function tooEarlyAfterOpposite({ chaos, sent }: Facts): string[] {
  const { write, process, sentMs } = sent;
  if (write.kind !== 'status' || write.status === 'unsend' || needsNoWait(process.run.command.kind, write))
    return [];
  const { actor } = process;
  const open = writesOf(chaos, actor).findLast(
    (earlier) =>
      isOpposite(earlier.write, write) &&
      (earlier.answer === 'unconfirmed' || earlier.answer === 'none yet') &&
      sentMs - earlier.sentMs < WINDOW_MS &&
      !(actor.ledgerLostMs !== null && actor.ledgerLostMs > earlier.sentMs),
  );
  return open === undefined ? [] : [wordsOf(open, sent, write)];
}

function isOpposite(earlier: Write, write: Change): boolean {
  return (
    earlier.kind === 'status' &&
    earlier.of === write.of &&
    earlier.id === write.id &&
    earlier.status !== write.status &&
    earlier.status !== 'unsend'
  );
}

/** A raw call goes by nothing but what it is told, and a stop by hand is wanted at once. */
function needsNoWait(command: string, { status }: Change): boolean {
  return command !== 'apply' && (command !== 'by hand' || (status !== 'active' && status !== 'queued'));
}

function wordsOf({ write: earlier, sentMs }: SentWrite, { sentMs: nowMs }: SentWrite, write: Change): string {
  const before = earlier.kind === 'status' ? earlier.status : '';
  const sec = Math.round((nowMs - sentMs) / 1000);
  return `${write.status} of ${write.of} ${write.id} was sent ${sec} s after ${before}, of which no answer was heard`;
}
