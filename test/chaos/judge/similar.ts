import type { World } from '../../../src/simulator/world.ts';
import { writesKnownTo, type Chaos, type SentWrite } from '../state.ts';
import type { Write } from '../writes.ts';
import { isDeceived, olderByAllMs } from './deceived.ts';
import type { Facts } from './facts.ts';
import { READING_SERVES_MS } from './late-starts.ts';

/** How long a payout of the same amount counts as the same one, less what clocks may differ by. */
const SAME_PAYOUT_MS = 86_400_000 - 120_000;
/** The same for a message of the same words. */
const SAME_WORDS_MS = 5 * 60_000 - 5_000;

/** The same amount, or the same words to the same chat, once more: only who says so means it. */
export function similarAgain({ chaos, sent }: Facts): string[] {
  const { wish } = sent.process.task;
  if (wish === null || !('sure' in wish) || wish.sure.includes('allow-similar')) return [];
  // A raw call reads no list: it goes by its ledger.
  if (sent.process.run.command.kind.startsWith('api ')) return onRecord(chaos, sent);
  if (isDeceived(chaos, sent.process.actor)) return [];
  const olderMs = olderByAllMs(chaos, sent.process.actor);
  return [
    ...sameAmount(chaos, sent, SAME_PAYOUT_MS - olderMs),
    ...sameWords(chaos, sent, SAME_WORDS_MS - olderMs),
    ...onRecord(chaos, sent),
  ];
}

/** A payout or message that its own ledger knows already. */
function onRecord(chaos: Chaos, sent: SentWrite): string[] {
  const { write, process, sentMs } = sent;
  const { actor } = process;
  const windowMs = write.kind === 'payout' ? SAME_PAYOUT_MS : SAME_WORDS_MS;
  const before = writesKnownTo(chaos, sent).find(
    (one) =>
      one.process !== process &&
      one.answer === 'done' &&
      isSame(one.write, write) &&
      sentMs - one.sentMs < windowMs &&
      !(actor.ledgerLostMs !== null && actor.ledgerLostMs > one.sentMs) &&
      holds(chaos, one),
  );
  if (before === undefined) return [];
  return [
    `a ${write.kind} was sent ${since(sentMs, before.sentMs)} after request ${before.request}, which is on record as the same`,
  ];
}

function isSame(one: Write, other: Write): boolean {
  if (one.kind === 'payout')
    return other.kind === 'payout' && one.accountId === other.accountId && one.cents === other.cents;
  return one.kind === 'chat' && other.kind === 'chat' && one.chat === other.chat && one.text === other.text;
}

/** Neither rejected nor blocked by the service. */
function holds({ simulator: { world } }: Chaos, { write, request }: SentWrite): boolean {
  return Object.values(world.accounts).some(({ payouts, chats }) =>
    write.kind === 'payout'
      ? payouts.requests.some((one) => one.cause.request === request && one.rejectReason === '')
      : Object.values(chats.chats).some(({ written }) =>
          written.some((one) => one.cause.request === request && !one.blocked),
        ),
  );
}

function sameAmount(
  { simulator: { world } }: Chaos,
  { write, process, sentMs }: SentWrite,
  windowMs: number,
): string[] {
  if (write.kind !== 'payout') return [];
  const { accountId, cents } = write;
  const before = world.accounts[accountId]?.payouts.requests.find(
    (one) =>
      one.cents === cents &&
      one.rejectReason === '' &&
      one.createdMs < Math.max(process.startedMs, sentMs - READING_SERVES_MS) &&
      sentMs - one.createdMs < windowMs,
  );
  if (before === undefined) return [];
  return [
    `a payout of ${cents} cents was sent ${since(sentMs, before.createdMs)} after one of the same amount`,
  ];
}

function sameWords(
  { simulator: { world } }: Chaos,
  { write, process, sentMs }: SentWrite,
  windowMs: number,
): string[] {
  if (write.kind !== 'chat') return [];
  const readMs = Math.max(lastReadMs(world, process), sentMs - READING_SERVES_MS);
  const before = world.accounts[write.accountId]?.chats.chats[write.chat]?.written.find(
    (one) =>
      one.fromMe &&
      !one.blocked &&
      one.text === write.text &&
      one.appearsMs < readMs &&
      sentMs - one.writtenMs < windowMs,
  );
  if (before === undefined) return [];
  return [
    `"${write.text}" was sent ${since(sentMs, before.writtenMs)} after the same words to the same chat`,
  ];
}

/** When the process has read the chat last: what a person has written before that is in it. */
function lastReadMs({ requests }: World, process: SentWrite['process']): number {
  const read = requests.findLast(
    (one) =>
      process.requests.has(one.request) &&
      one.operation === 'chat.messages' &&
      one.status === 200 &&
      one.fault === null,
  );
  return read === undefined ? process.startedMs : Math.max(process.startedMs, Date.parse(read.at));
}

function since(nowMs: number, thenMs: number): string {
  return `${Math.round((nowMs - thenMs) / 1000)} s`;
}
