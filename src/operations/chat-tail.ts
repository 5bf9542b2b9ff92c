import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { readPages, type ItemOf } from '../api/pages/read-pages.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { ChatDraft } from './chat-draft.ts';

export type ChatMessage = ItemOf<'chat.messages'>;

/** One chat of one account. */
export interface ChatPlace {
  readonly account: ResolvedAccount;
  readonly chatId: string;
}

/** Messages that a tail shows. */
const TAIL_LENGTH = 20;

/**
 * The last messages of a chat, as they came; none where the service knows no such chat yet. Assumed: without an
 * order a chat is listed newest first (LIST-6); one that is not is read to its end. Throws `ServiceError` or
 * `IncompleteScanError` when it cannot be read.
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

function isOldestFirst(messages: readonly ChatMessage[]): boolean {
  const [first, last] = [messages.at(0), messages.at(-1)].map((one) => Date.parse(one?.created_at ?? ''));
  return first !== undefined && last !== undefined && first < last;
}

/** How long the same text counts as the same message (LOST-10, FAULT-9). */
export const SIMILAR_MS = 5 * 60_000;

/**
 * Own messages of the last five minutes that say the same: the draft may have been sent already. What cannot be
 * read of a message (who sent it, when) counts against sending.
 */
export function similarMessages(
  draft: ChatDraft,
  tail: readonly ChatMessage[],
  serviceNowMs: number,
): readonly ChatMessage[] {
  return tail.filter((message) => {
    if (message.is_sent_by_me === false || !saysTheSame(draft, message)) return false;
    const ageMs = serviceNowMs - Date.parse(message.created_at ?? '');
    return Number.isNaN(ageMs) || ageMs < SIMILAR_MS;
  });
}

/** Words where there are some, else the media. Assumed: the service may trim a text (CONTENT-12). */
function saysTheSame({ text, media }: ChatDraft, message: ChatMessage): boolean {
  const words = (text ?? '').trim();
  if (words !== (message.text ?? '').trim()) return false;
  if (words !== '') return true;
  const ids = (message.media ?? []).map(({ id }) => id).toSorted();
  return (
    ids.join(' ') ===
    media
      .map(({ id }) => id)
      .toSorted()
      .join(' ')
  );
}
