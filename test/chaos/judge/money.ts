import { isClosedByPerson } from '../closing.ts';
import { WINDOW_MS } from '../live.ts';
import { writesKnownTo, type SentWrite } from '../state.ts';
import type { Write } from '../writes.ts';
import type { Facts } from './facts.ts';

/** Money that is asked for, and messages that are sent, once more than someone meant. */
export function moneyTwice(facts: Facts): string[] {
  const { chaos, sent } = facts;
  const { write, process } = sent;
  if (write.kind !== 'payout' && write.kind !== 'chat' && write.kind !== 'follow') return [];
  const earlier = writesKnownTo(chaos, sent).filter(
    (other) => isOneOf(other.write, write) && other.answer !== 'never left' && other.answer !== 'throttled',
  );
  const own = earlier.filter((other) => other.process === process && other.answer !== 'refused');
  if (own.length > 0 && write.kind !== 'follow')
    return [`a ${write.kind} was sent twice by one command: requests ${own[0]?.request} and ${sent.request}`];
  const open = earlier.find((other) => isInDoubt(facts, other));
  if (open === undefined || acknowledges(sent.process)) return [];
  return [
    `a ${write.kind} was sent ${Math.round((sent.sentMs - open.sentMs) / 1000)} s after one of which no answer was heard`,
  ];
}

function isOneOf(left: Write, right: Write): boolean {
  if (left.kind === 'payout') return right.kind === 'payout' && left.accountId === right.accountId;
  if (left.kind === 'chat') return right.kind === 'chat' && left.chat === right.chat;
  return left.kind === 'follow' && right.kind === 'follow' && left.fan === right.fan;
}

/**
 * Whether it is unknown what came of it: of a payout until the list shows it, of a message until a person has looked,
 * of a follow until its window is over.
 */
function isInDoubt({ chaos, sent }: Facts, earlier: SentWrite): boolean {
  if (earlier.answer !== 'unconfirmed' && earlier.answer !== 'none yet') return false;
  // What the person said of it may be wrong: that decides, and Herald does not know better.
  if (isClosedByPerson(chaos, sent.process.actor, earlier)) return false;
  if (sent.write.kind === 'follow') return sent.sentMs - earlier.sentMs < WINDOW_MS;
  if (chaos.processes.some((process) => process.startedMs >= earlier.sentMs && acknowledges(process)))
    return false;
  return sent.write.kind === 'chat' || !wasPaidOut(chaos, earlier);
}

function acknowledges({ task: { wish } }: SentWrite['process']): boolean {
  return wish !== null && 'sure' in wish && wish.sure.includes('acknowledge');
}

/**
 * Or another person's of the same amount came since its command began, so after the list that the command read first:
 * nothing in the next list tells the two apart.
 */
function wasPaidOut(
  { simulator: { world } }: Facts['chaos'],
  { request, process, write }: SentWrite,
): boolean {
  const cents = write.kind === 'payout' ? write.cents : null;
  return Object.values(world.accounts).some(({ payouts }) =>
    payouts.requests.some(
      (one) => one.cause.request === request || (one.cents === cents && one.createdMs >= process.startedMs),
    ),
  );
}
