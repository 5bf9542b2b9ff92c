import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { readPages, type ItemOf } from '../api/pages/read-pages.ts';
import { fullInstantMs } from '../domain/full-instant.ts';
import type { ResolvedAccount } from '../domain/resource.ts';

export type ChatMessage = ItemOf<'chat.messages'>;

/** One chat of one account. */
export interface ChatPlace {
  readonly account: ResolvedAccount;
  readonly chatId: string;
}

/** Messages that a tail shows. */
const TAIL_LENGTH = 20;

/**
 * The last messages of a chat for a person to look at, as they came; none where the service knows no such chat yet.
 * Assumed: without an order a chat is listed newest first (LIST-6); one that is not is read to its end. Throws
 * `ServiceError` or `IncompleteScanError` when it cannot be read.
 */
export async function readTail(
  client: Client,
  { account, chatId }: ChatPlace,
): Promise<readonly ChatMessage[]> {
  const params = { account_id: account.accountId, chat_id: chatId };
  const result = await client.call('chat.messages', { params, query: { limit: TAIL_LENGTH } });
  if (result.kind !== 'done') {
    if (result.problem.status === 404) return [];
    throw new ServiceError(result.problem);
  }
  const { items, has_more: more } = result.reply;
  if (more === false || !isOldestFirst(items)) return items;
  let tail: readonly ChatMessage[] = [];
  for await (const page of readPages(client, 'chat.messages', { params }))
    tail = [...tail, ...page].slice(-TAIL_LENGTH);
  return tail;
}

/** Whether a page begins with the oldest message. */
export function isOldestFirst(messages: readonly ChatMessage[]): boolean {
  const times = messages.map(latestWrittenMs).filter((ms) => ms !== null);
  const [first, last] = [times.at(0), times.at(-1)];
  return first !== undefined && last !== undefined && first < last;
}

const DAY_MS = 86_400_000;

/**
 * The latest time at which a message may have been written; null if its date cannot be read. A date without a zone may
 * be of any zone, so it may be up to a day later than it is in UTC.
 */
export function latestWrittenMs({ created_at: at }: ChatMessage): number | null {
  const ms = fullInstantMs(at);
  if (ms !== null) return ms;
  const bareMs = fullInstantMs(`${at ?? ''}Z`);
  return bareMs === null ? null : bareMs + DAY_MS;
}
