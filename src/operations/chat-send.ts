import type { Client } from '../api/client.ts';
import { ServiceError, type Problem } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import type { Moment } from '../domain/elapsed.ts';
import type { Clock } from '../domain/ports.ts';
import { SIMILAR_MS } from '../domain/repeats.ts';
import { actsOf, type Act } from '../ledger/acts.ts';
import type { LedgerLine } from '../ledger/lines.ts';
import type { KeepEntry } from '../ledger/reduction.ts';
import { FreshReading } from '../requests/fresh-reading.ts';
import { chatBody, type ChatDraft } from '../domain/chat-draft.ts';
import { draftDigests, hasSameMessage } from '../domain/chat-same.ts';
import { readTail, type ChatMessage, type ChatPlace } from './chat-tail.ts';
import { recordedAct, unlessStopped, type ActOf, type ActPorts, whyNotCarriedOut } from './recorded-act.ts';
import { leastAgeMs, type EarliestTimes } from './service-time.ts';

export const CHAT_SEND = 'chat.send';
const SUBJECT = 'chat ';

interface ChatSendPorts extends ActPorts {
  readonly clock: Clock;
  /** Aborted by an interrupt: nothing that is not sent yet is sent. */
  readonly stop: AbortSignal;
}

/** What was checked before. A message that leaves long after is checked again. */
export interface ChatChecked {
  /** When the chat was asked for. */
  readonly askedAt: Moment;
  /** Throws why the message must not be sent. */
  readonly checkAgain: () => Promise<void>;
}

/** The result of one send. */
export type ChatSent =
  /** 202: queued, but not delivered. The id is null if the answer's body could not be read. */
  | { readonly kind: 'queued'; readonly sendId: string | null }
  /** Not executed: refused, throttled, or the service was not reached. */
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'interrupted' }
  /** No list can tell. The message may appear minutes later, or never (CHAT-2). */
  | { readonly kind: 'unknown'; readonly problem: Problem; readonly entry: string; readonly tail: TailAfter };

/** The messages of the chat after a lost answer. */
export type TailAfter =
  | { readonly kind: 'read'; readonly messages: readonly ChatMessage[] }
  | { readonly kind: 'unread'; readonly why: string };

/**
 * Sends the message once, with its place in the ledger; a lost answer is never repeated. Throws `LedgerError`,
 * `InvalidCallError`, and what a later check throws: nothing was sent then.
 */
export async function sendChatMessage(
  { client, clock, ledger, stop }: ChatSendPorts,
  place: ChatPlace,
  draft: ChatDraft,
  { askedAt, checkAgain }: ChatChecked,
): Promise<ChatSent> {
  const goesBy = new FreshReading(clock, { askedAt, value: undefined }, checkAgain);
  const actNow = () => {
    goesBy.forRecord();
    return chatAct(place, draft);
  };
  const { entry, exchange } = await recordedAct({ client, ledger }, CHAT_SEND, actNow, {
    input: {
      params: { account_id: place.account.accountId, chat_id: place.chatId },
      body: chatBody(draft),
    },
    remember: ({ send_id: sendId }) => ({ live_id: sendId ?? null }),
    beforeSend: unlessStopped(stop),
    goesBy,
  });
  switch (exchange.kind) {
    case 'done':
      return { kind: 'queued', sendId: exchange.reply.send_id ?? null };
    case 'not_sent':
    case 'refused':
    case 'throttled':
      return whyNotCarriedOut(exchange);
    case 'unknown':
      return { kind: 'unknown', problem: exchange.problem, entry, tail: await tailAfter(client, place) };
  }
}

async function tailAfter(client: Client, place: ChatPlace): Promise<TailAfter> {
  try {
    return { kind: 'read', messages: await readTail(client, place) };
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof IncompleteScanError)) throw error;
    return { kind: 'unread', why: error.message };
  }
}

/** Characters of a text that the ledger keeps: enough to know it again, and no copy of the chat. */
const BEGINNING = 60;

/** The ledger is committed and read by others, so it has only digests and the beginning of the text. */
export function chatAct({ account, chatId }: ChatPlace, draft: ChatDraft): ActOf<typeof CHAT_SEND> {
  const { text, price, lockedText, media } = draft;
  return {
    operation: CHAT_SEND,
    account: account.alias,
    account_id: account.accountId,
    subject: `${SUBJECT}${chatId}`,
    details: {
      chat_id: chatId,
      ...draftDigests(draft),
      beginning: text === null ? null : Array.from(text).slice(0, BEGINNING).join(''),
      price,
      locked_text: lockedText,
      media: media.map(({ id }) => id),
    },
  };
}

/** The chat that a message was sent to, by the name of its act. */
export function chatOf(subject: string): string {
  return subject.slice(SUBJECT.length);
}

/** Earlier sends in this chat that matter for the next send. */
export interface EarlierSends {
  /** Sends with lost answers that were not resolved; oldest first. */
  readonly open: readonly Act[];
  /**
   * The same message, queued within the last five minutes, or sent with a lost answer. The chat may not show it yet
   * (CHAT-2), so a person who has looked at the chat cannot know that either.
   */
  readonly same: readonly Act[];
}

/** Tells the messages to one chat by the lines that begin them. */
export function isSendTo({ account, chatId }: ChatPlace): KeepEntry {
  return (begin) =>
    begin.type === 'act' &&
    begin.operation === CHAT_SEND &&
    begin.account_id === account.accountId &&
    begin.details['chat_id'] === chatId;
}

/** Outcomes of a message that no fan gets. */
const NOT_QUEUED: readonly Act['outcome'][] = ['refused', 'not_sent', 'absent'];

export function earlierSends(
  lines: readonly LedgerLine[],
  { account, chatId }: ChatPlace,
  draft: ChatDraft,
  times: EarliestTimes,
): EarlierSends {
  const isHere = isSendTo({ account, chatId });
  const begun = new Set(lines.flatMap((line) => (line.type === 'act' && isHere(line) ? [line.entry] : [])));
  const acts = actsOf(lines).filter(({ entry }) => begun.has(entry));
  const wanted = draftDigests(draft);
  return {
    open: acts.filter(({ outcome, acknowledged }) => outcome === 'unknown' && !acknowledged),
    same: acts.filter(
      (act) =>
        !NOT_QUEUED.includes(act.outcome) &&
        hasSameMessage(act.details, wanted) &&
        leastAgeMs(act, times) < SIMILAR_MS,
    ),
  };
}
