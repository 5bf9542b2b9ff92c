import { EXIT } from '../domain/exit-codes.ts';
import type { Client } from '../api/client.ts';
import { describeProblem, IncompleteScanError, type Problem, ServiceError } from '../api/errors.ts';
import { readPages, type ItemOf } from '../api/pages.ts';
import { fullInstantMs } from '../domain/time.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { quoted, visible } from '../domain/visible.ts';
import { serviceTime, type Run } from '../engine/run.ts';
import type { RequestRow } from '../state/shapes.ts';
import { sendAct, type Doubts, type Lost } from './act.ts';
import { describeRequest, parseAsked, sentText } from './record.ts';
import { digest } from '../domain/digest.ts';
import { HeraldError } from '../domain/herald-error.ts';

export type ChatMessage = ItemOf<'chat.messages'>;

/** One chat of one account. */
export interface ChatPlace {
  readonly account: ResolvedAccount;
  readonly chatId: string;
}

/** A chat message as it was typed. */
export interface ChatDraft {
  readonly text: string | null;
  /** US dollars as decimal text; null where none was given. */
  readonly price: string | null;
  readonly lockedText: boolean;
  readonly media: readonly DraftMedia[];
}

export interface DraftMedia {
  readonly id: string;
  readonly type: string;
  readonly isPaid: boolean;
}

/** How long the same text to one chat counts as the same message (LOST-10, FAULT-9). */
const SIMILAR_MS = 5 * 60_000;

/** What speaks against sending a message now. */
export interface ChatDoubts {
  /** Earlier messages to the chat without an answer. */
  readonly open: readonly RequestRow[];
  /** An equal message on record, of the last five minutes. The chat may not show it yet (CHAT-2). */
  readonly same: readonly RequestRow[];
  /** An equal message that the chat shows. */
  readonly similar: readonly ChatMessage[];
  /** Why the chat could not be read back far enough; null if it was. */
  readonly missing: string | null;
  /** The age of the same message. It counts as recent if its age is not known. */
  readonly when: typeof RECENT | typeof WHENEVER;
}

const RECENT = 'within the last five minutes';
const WHENEVER = 'earlier, and its age is not known to be above five minutes';

/** What a person has decided about a message. */
export interface ChatConsent {
  /** Sends it although an earlier one is unconfirmed. */
  readonly acknowledge: boolean;
  /** Sends it although the same message was sent within five minutes. */
  readonly allowSimilar: boolean;
  /** Shows all doubts and asks; rejects if the answer is no. Null: whatever is doubtful is refused. */
  readonly ask: ((doubts: ChatDoubts) => Promise<void>) | null;
  /** Throws why the policy forbids it now. Asked before each send: quiet hours may begin meanwhile. */
  readonly obeyPolicy: () => void;
}

export type ChatSent =
  /** 202: queued, but not delivered. The id is null if the answer has none. */
  | { readonly kind: 'queued'; readonly sendId: string | null; readonly unrecorded: string | null }
  /** The message may appear minutes later, or never (CHAT-2). `tail`: the last messages, or why they cannot be read. */
  | { readonly kind: 'unknown'; readonly error: HeraldError; readonly tail: readonly ChatMessage[] | string };

/**
 * Sends a message, never twice (CHAT-2): no list shows what became of one without an answer.
 *
 * |                                          | `ask` is null                | `ask`              |
 * |------------------------------------------|------------------------------|--------------------|
 * | an unconfirmed message to the chat       | refused, or `acknowledge`    | is shown and asked |
 * | the same message just now, maybe lost    | refused, or `allowSimilar`   | is shown and asked |
 * | a chat that was not read far enough back | refused, or `allowSimilar`   | is shown and asked |
 *
 * An acknowledged message counts as the same one too: `acknowledge` is about going on, not about sending it again.
 */
export async function sendChatMessage(
  run: Run,
  place: ChatPlace,
  draft: ChatDraft,
  consent: ChatConsent,
): Promise<ChatSent> {
  const { account, chatId } = place;
  const { ask, allowSimilar } = consent;
  const details = describeDraft(draft);
  const check = async ({ open, similar: same }: Doubts<never>, before: ChatDoubts | null) => {
    if (before !== null && ask === null && allowSimilar) {
      consent.obeyPolicy();
      return before;
    }
    const doubts = await findDoubts(run, place, draft, { open, same });
    consent.obeyPolicy();
    if (before !== null) refuseNews(before, doubts);
    else if (ask === null && !allowSimilar) refuseSimilar(place, doubts);
    return doubts;
  };
  const end = await sendAct<{ readonly send_id?: string | null | undefined }, ChatDoubts, never>(
    run,
    {
      subject: { operation: 'chat.send', account, kind: 'message', name: chatId },
      resolve: { kind: 'ask', refuse: ({ open }) => describeOpen(place, open) },
      similar: {
        withinMs: SIMILAR_MS,
        isSame: (row) => parseAsked(row)['digest'] === details.digest,
      },
      check,
      prepare: () => ({
        asked: details,
        send: run.client.prepare('chat.send', {
          params: { account_id: account.accountId, chat_id: chatId },
          body: chatBody(draft),
        }),
        createdId: ({ send_id: id }) => id ?? null,
      }),
    },
    {
      acknowledge: consent.acknowledge || ask !== null,
      ask: ask === null ? null : async (_, doubts) => (doubts === null ? undefined : ask(doubts)),
    },
  );
  if (end.kind === 'failed') throw describeRefusal(end.problem);
  if (end.kind === 'done')
    return { kind: 'queued', sendId: end.reply.send_id ?? null, unrecorded: end.unrecorded };
  const tail = await tailAfter(run.client, place);
  return { kind: 'unknown', error: describeLost(place, end.kind === 'lost' ? end.lost : null, tail), tail };
}

/** Characters of a text that the state keeps: enough to know it again, and no copy of the chat. */
const BEGINNING = 60;

function describeDraft(draft: ChatDraft) {
  const { text, price, lockedText, media } = draft;
  return {
    digest: digestDraft(draft),
    beginning: text === null ? null : Array.from(text).slice(0, BEGINNING).join(''),
    price,
    locked_text: lockedText,
    media: media.map(({ id }) => id),
  };
}

/** Sends only the given fields. The service sets the defaults. */
function chatBody({ text, price, lockedText, media }: ChatDraft) {
  return {
    ...(text === null ? {} : { text }),
    ...(price === null ? {} : { price: Number(price) }),
    ...(lockedText ? { locked_text: true } : {}),
    ...(media.length === 0
      ? {}
      : { media: media.map(({ id, type, isPaid }) => ({ id, type, is_paid: isPaid })) }),
  };
}

/**
 * One normal form of a message, for comparing only: what is sent stays as it was typed. A message that is typed in
 * another way is the same message for the fan, and the service may keep it in another way. Assumed: it may trim a
 * text (CONTENT-12).
 *
 * | typed                              | the same as           |
 * |------------------------------------|-----------------------|
 * | spaces and line breaks at the ends | none                  |
 * | `\r\n`, `\r`                       | `\n`                  |
 * | letters in parts (NFD)             | letters as one (NFC)  |
 * | no text                            | an empty text         |
 * | a price of 0                       | no price              |
 * | 5.00                               | 5                     |
 * | media in another order             | media by their ids    |
 */
function normalText(text: string | null | undefined): string {
  return (text ?? '').replaceAll(/\r\n?/g, '\n').normalize('NFC').trim();
}

function normalIds(media: readonly { readonly id: string }[]): string {
  return JSON.stringify(media.map(({ id }) => id).toSorted());
}

/** What the state keeps of a message, to know it again: the digest of its normal form. */
function digestDraft({ text, price, lockedText, media }: ChatDraft): string {
  return digest({
    text: normalText(text),
    price: Number(price ?? 0),
    locked_text: lockedText,
    media: media.map(({ id, type, isPaid }) => JSON.stringify([id, type, isPaid])).toSorted(),
  });
}

/** Words where there are some, else the media. */
function saysTheSame({ text, media }: ChatDraft, message: ChatMessage): boolean {
  const words = normalText(text);
  if (words !== normalText(message.text)) return false;
  return words !== '' || normalIds(message.media ?? []) === normalIds(media);
}

/** What cannot be read of a message (who sent it, when) counts against sending. */
async function findDoubts(
  run: Run,
  place: ChatPlace,
  draft: ChatDraft,
  known: Pick<ChatDoubts, 'open' | 'same'>,
): Promise<ChatDoubts> {
  const { messages, missing } = await readRecent(run, place);
  const nowMs = serviceTime(run).earliestMs;
  const similar = messages.filter((message) => {
    if (message.is_sent_by_me === false || !saysTheSame(draft, message)) return false;
    const latestMs = latestWrittenMs(message);
    return latestMs === null || nowMs - latestMs < SIMILAR_MS;
  });
  const isTimed =
    run.client.serverInfo().skewMs !== null &&
    similar.every(({ created_at: at }) => fullInstantMs(at) !== null);
  return { ...known, similar, missing, when: isTimed ? RECENT : WHENEVER };
}

/** A chat of more messages within five minutes is not read further: 5,000 messages, and almost a minute (LIMIT-3). */
const PAGES_MAX = 50;

/**
 * Reads a chat back until a message is older than five minutes. Mostly that is one page. Assumed: without an order a chat is
 * listed newest first (LIST-6); one that is not is read to its end. Throws `ServiceError` when a page fails.
 */
async function readRecent(
  run: Run,
  { account, chatId }: ChatPlace,
): Promise<{ readonly messages: readonly ChatMessage[]; readonly missing: string | null }> {
  const params = { account_id: account.accountId, chat_id: chatId };
  const messages: ChatMessage[] = [];
  try {
    for await (const page of readPages(run.client, 'chat.messages', { params }, { pagesMax: PAGES_MAX })) {
      messages.push(...page);
      if (run.interrupted.aborted) break;
      const lastMs = page.map(latestWrittenMs).findLast((ms) => ms !== null);
      const isOld = lastMs != null && serviceTime(run).earliestMs - lastMs >= SIMILAR_MS;
      if (isOld && !isOldestFirst(messages)) break;
    }
    return { messages, missing: null };
  } catch (error) {
    if (error instanceof IncompleteScanError) return { messages, missing: error.message };
    // The service knows no such chat yet.
    if (isUnknownChat(error) && messages.length === 0) return { messages, missing: null };
    throw error;
  }
}

function isUnknownChat(error: unknown): boolean {
  return error instanceof ServiceError && error.problem.status === 404;
}

/** Messages that a tail shows. */
const TAIL_LENGTH = 20;

/** The last messages for a person to look at, or why they cannot be read. */
async function tailAfter(
  client: Client,
  { account, chatId }: ChatPlace,
): Promise<readonly ChatMessage[] | string> {
  const params = { account_id: account.accountId, chat_id: chatId };
  let tail: readonly ChatMessage[] = [];
  try {
    for await (const page of readPages(client, 'chat.messages', { params })) {
      if (tail.length === 0 && !isOldestFirst(page)) return page.slice(0, TAIL_LENGTH);
      tail = [...tail, ...page].slice(-TAIL_LENGTH);
    }
    return tail;
  } catch (error) {
    if (isUnknownChat(error)) return [];
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return error.message;
    throw error;
  }
}

/** Whether these messages begin with the oldest one. */
function isOldestFirst(messages: readonly ChatMessage[]): boolean {
  const times = messages.map(latestWrittenMs).filter((ms) => ms !== null);
  const [first, last] = [times.at(0), times.at(-1)];
  return first !== undefined && last !== undefined && first < last;
}

const DAY_MS = 86_400_000;

/**
 * The latest time at which a message may have been written; null if its date cannot be read. A date without a zone may
 * be of any zone, so it may be up to a day later than it is in UTC.
 */
function latestWrittenMs({ created_at: at }: ChatMessage): number | null {
  const ms = fullInstantMs(at);
  if (ms !== null) return ms;
  const bareMs = fullInstantMs(`${at ?? ''}Z`);
  return bareMs === null ? null : bareMs + DAY_MS;
}

function refuseSimilar(place: ChatPlace, { same, similar, missing, when }: ChatDoubts): void {
  const chat = describeChat(place);
  const isKnown = similar.length > 0 || same.some(({ outcome }) => outcome === 'done');
  if (same.length + similar.length > 0)
    throw new HeraldError(
      'similar-message',
      `The same message ${isKnown ? 'was' : 'may have been'} sent to ${chat} ${when}. Nothing was sent now.`,
      'To send it again, add --allow-similar.',
      { exit: EXIT.blocked, details: { same: same.map(describeRequest), similar } },
    );
  if (missing === null) return;
  throw new HeraldError(
    'similar-message',
    `The same message may have been sent to ${chat} a moment ago: Herald could not read the chat far enough back (${missing}). Nothing was sent now.`,
    'Check the chat. To send the message without this check, add --allow-similar.',
    { exit: EXIT.blocked, details: { same: [], similar: [], missing } },
  );
}

/** Throws if new doubts appeared while Herald waited: for the answer of a person, or for the message to leave. */
function refuseNews(before: ChatDoubts, now: ChatDoubts): void {
  const known = new Set(before.similar.map(({ id }) => id));
  const similar = now.similar.filter(({ id }) => !known.has(id));
  const next = 'Check the chat, then run the command again.';
  if (similar.length > 0)
    throw new HeraldError(
      'similar-message',
      'The same text appeared in the chat while Herald waited. Nothing was sent.',
      next,
      { exit: EXIT.blocked, details: { similar } },
    );
  const { missing } = now;
  if (missing === null || before.missing !== null) return;
  throw new HeraldError(
    'similar-message',
    `The chat could not be read again before the message was sent: ${missing}. Nothing was sent.`,
    next,
    { exit: EXIT.blocked, details: { missing } },
  );
}

/** `chat 101001 of alice (account 101)` */
export function describeChat({ account: { alias, accountId }, chatId }: ChatPlace): string {
  const account = alias === accountId ? `account ${accountId}` : `${alias} (account ${accountId})`;
  return visible(`chat ${chatId} of ${account}`);
}

/** An unconfirmed earlier message, as a sentence. */
export function describeSend(row: RequestRow): string {
  const { beginning } = parseAsked(row);
  const what = typeof beginning === 'string' && beginning !== '' ? quoted(beginning) : 'media';
  return `Sent at ${sentText(row)} by ${visible(row.who ?? 'unknown')}: ${what} (entry ${visible(row.entry)}).`;
}

const LOOK_FIRST =
  'Check the chat. A message may appear minutes later, or the message guard may drop it silently. To send it after that, add --acknowledge. The same message within five minutes also needs --allow-similar.';

function describeOpen(place: ChatPlace, open: readonly RequestRow[]): HeraldError {
  return new HeraldError(
    'open-send',
    `An earlier message to ${describeChat(place)} is unconfirmed, so nothing was sent now. ${open.map(describeSend).join(' ')}`,
    LOOK_FIRST,
    { exit: EXIT.unknown, details: { open: open.map(describeRequest) } },
  );
}

/** The service's own code, which is passed on. */
const RESTRICTED_WORDS = 'RESTRICTED_WORDS_DETECTED';

function describeRefusal(problem: Problem): HeraldError {
  if (problem.code !== RESTRICTED_WORDS) return new ServiceError(problem);
  const words = wordsIn(problem.details);
  return new HeraldError(
    RESTRICTED_WORDS,
    `The service refused the text for restricted words or topics: ${words.map(quoted).join(', ') || 'it does not name them'}. Nothing was sent.`,
    'Remove them and run the command again.',
    { details: { words, problem } },
  );
}

/** Search depth for words in the details. */
const DEPTH_MAX = 5;

/** All texts in the details. Assumed: only the details have the words (CHAT-3). */
function wordsIn(details: unknown, depth = 0): readonly string[] {
  if (typeof details === 'string') return [details];
  if (typeof details !== 'object' || details === null || depth >= DEPTH_MAX) return [];
  return Object.values(details).flatMap((value: unknown) => wordsIn(value, depth + 1));
}

function describeLost(
  place: ChatPlace,
  lost: Lost<unknown> | null,
  tail: readonly ChatMessage[] | string,
): HeraldError {
  const problem = lost?.problem ?? null;
  const why = problem === null ? 'no answer' : describeProblem(problem);
  const isRead = typeof tail !== 'string';
  return new HeraldError(
    'unknown-outcome',
    `Unconfirmed: the message to ${describeChat(place)} may have been sent (${why}). Herald does not send it again.`,
    LOOK_FIRST,
    {
      exit: EXIT.unknown,
      details: {
        entry: lost?.entry ?? null,
        problem,
        tail: isRead ? tail : null,
        tail_problem: isRead ? null : tail,
      },
    },
  );
}
