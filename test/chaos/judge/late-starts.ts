import { startsSending } from '../../../src/domain/status.ts';
import { keyOf, sends } from '../live.ts';
import type { Facts } from './facts.ts';

/** What was read serves a request for half a minute. Its answer may be slow, and the request leaves within seconds. */
export const READING_SERVES_MS = 45_000;

/** A start by hand next to another one of its name that has shown for long: no one has agreed to two. */
export function startsLate({ sent: { process, sentMs, write }, live }: Facts): string[] {
  if (process.run.command.kind !== 'by hand' || write.kind !== 'status') return [];
  if (!startsSending(write.status)) return [];
  const object = live.find(({ kind, id }) => kind === write.of && id === write.id);
  if (object === undefined || sends(object)) return [];
  const { accountId, kind, name, id } = object;
  const other = live.find(
    (one) =>
      one.accountId === accountId &&
      one.kind === kind &&
      one.name === name &&
      one.id !== id &&
      sends(one) &&
      one.shownSinceMs < sentMs - READING_SERVES_MS,
  );
  if (other === undefined) return [];
  const sec = Math.round((sentMs - other.shownSinceMs) / 1000);
  return [`a start by hand of ${keyOf(object)} next to ${keyOf(other)}, which has shown for ${sec} s`];
}
