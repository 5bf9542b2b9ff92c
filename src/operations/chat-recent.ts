import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import { readPages } from '../api/pages/read-pages.ts';
import type { Clock } from '../domain/ports.ts';
import { SIMILAR_MS } from '../domain/repeats.ts';
import type { ChatDraft } from '../domain/chat-draft.ts';
import { normalIds, normalText } from '../domain/chat-same.ts';
import { isOldestFirst, latestWrittenMs, type ChatMessage, type ChatPlace } from './chat-tail.ts';
import { earliestTimes, type EarliestTimes } from './service-time.ts';

/** A chat of more messages within five minutes is not read further: 5,000 messages, and almost a minute (LIMIT-3). */
const PAGES_MAX = 50;

/** The last five minutes of a chat. */
export interface RecentMessages {
  /** Those of the last five minutes, and maybe older ones. */
  readonly messages: readonly ChatMessage[];
  /** Why the messages may not reach five minutes back; null if they do. */
  readonly missing: string | null;
  /** The times when its first page was heard. */
  readonly times: EarliestTimes;
}

export interface RecentPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** Aborted by an interrupt: no more pages are read. */
  readonly stop: AbortSignal;
}

/**
 * Reads a chat back until a message is older than five minutes. Mostly that is one page. Assumed: without an order a
 * chat is listed newest first (LIST-6); one that is not is read to its end. A date that cannot be read is never old.
 * Throws `ServiceError` when a page fails.
 */
export async function readRecent(
  { client, clock, stop }: RecentPorts,
  { account, chatId }: ChatPlace,
): Promise<RecentMessages> {
  const params = { account_id: account.accountId, chat_id: chatId };
  const messages: ChatMessage[] = [];
  // Heard with the first page. Later pages take time, but a message may only seem younger by that.
  let times: EarliestTimes | null = null;
  let readsToItsEnd = false;
  const recent = async (missing: string | null): Promise<RecentMessages> => ({
    messages,
    missing,
    times: times ?? (await earliestTimes(client, clock)),
  });
  try {
    for await (const page of readPages(client, 'chat.messages', { params }, { pagesMax: PAGES_MAX })) {
      if (times === null) readsToItsEnd = isOldestFirst(page);
      times ??= await earliestTimes(client, clock);
      messages.push(...page);
      if (stop.aborted) return await recent('interrupted');
      if (!readsToItsEnd && reachesBack(page, times.serviceMs)) return await recent(null);
    }
    return await recent(null);
  } catch (error) {
    if (error instanceof IncompleteScanError) return recent(error.message);
    // The service knows no such chat yet.
    if (error instanceof ServiceError && error.problem.status === 404 && times === null) return recent(null);
    throw error;
  }
}

/** Whether all that is listed after this page is older than five minutes. */
function reachesBack(page: readonly ChatMessage[], serviceNowMs: number): boolean {
  const times = page.map(latestWrittenMs).filter((ms) => ms !== null);
  const lastMs = times.at(-1);
  return lastMs !== undefined && serviceNowMs - lastMs >= SIMILAR_MS;
}

/**
 * Own messages of the last five minutes that say the same: the draft may have been sent already. What cannot be
 * read of a message (who sent it, when) counts against sending.
 */
export function similarMessages(
  draft: ChatDraft,
  messages: readonly ChatMessage[],
  serviceNowMs: number,
): readonly ChatMessage[] {
  return messages.filter((message) => {
    if (message.is_sent_by_me === false || !saysTheSame(draft, message)) return false;
    const latestMs = latestWrittenMs(message);
    return latestMs === null || serviceNowMs - latestMs < SIMILAR_MS;
  });
}

/** Words where there are some, else the media. */
function saysTheSame({ text, media }: ChatDraft, message: ChatMessage): boolean {
  const words = normalText(text);
  if (words !== normalText(message.text)) return false;
  return words !== '' || normalIds(message.media ?? []) === normalIds(media);
}
