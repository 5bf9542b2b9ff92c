import { IncompleteScanError, type Problem, ServiceError } from '../api/errors.ts';
import type { Reply } from '../api/catalogue.ts';
import { readPages, type ItemOf } from '../api/pages.ts';
import { fullInstantMs } from '../domain/time.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { quoted } from '../domain/visible.ts';
import { serviceTime, type Run } from '../engine/run.ts';
import type { RequestRow } from '../state/shapes.ts';
import { sendAct, type Act, describePlace, makeUnknown, readRequest, type ActWords } from './act.ts';
import { formatCommand } from '../domain/command-line.ts';
import { digest } from '../domain/digest.ts';
import { HeraldError } from '../domain/herald-error.ts';

type ChatMessage = ItemOf<'chat.messages'>;

export interface ChatPlace {
  readonly account: ResolvedAccount;
  readonly chatId: string;
}

export interface ChatDraft {
  readonly text: string | null;
  /** US dollars as decimal text; null where none was given. */
  readonly price: string | null;
  readonly lockedText: boolean;
  readonly media: readonly { readonly id: string; readonly type: string; readonly isPaid: boolean }[];
}

const DECIMALS_MAX = 2;

/**
 * Every rule that the message breaks. Assumed: these rules are the ones of the service (CHAT-5), so they can be left to
 * it. Prices are decided on their decimal text.
 *
 * | price    | locked text | paid media | holds                                    |
 * |----------|-------------|------------|------------------------------------------|
 * | above 0  | one of the two           | yes; locked text needs a text            |
 * | above 0  | no          | none       | no: nothing would cost it                |
 * | 0, none  | yes         |            | no: nothing locked is free               |
 * | 0, none  |             | some       | no: nothing paid is free                 |
 */
export function judgeDraft({ text, price, lockedText, media }: ChatDraft): readonly string[] {
  const hasText = text !== null && /\S/.test(text);
  const costs = price !== null && /[1-9]/.test(price);
  const paid = media.filter(({ isPaid }) => isPaid).map(({ id }) => id);
  const hasDecimals = (price?.split('.')[1] ?? '').length > DECIMALS_MAX;
  const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [
      !hasText && media.length === 0,
      'A message needs a text with more than spaces, or at least one --media.',
    ],
    [hasDecimals, `The price ${price ?? ''} has more than two decimals.`],
    [
      costs && !lockedText && paid.length === 0,
      `The price ${price ?? ''} unlocks nothing. Add --locked, or mark media as paid: --media 55012:photo:paid`,
    ],
    [!costs && lockedText, 'Locked text (--locked) needs a --price above 0.'],
    [!costs && paid.length > 0, `Paid media (${paid.join(', ')}) needs a --price above 0.`],
    [lockedText && !hasText, 'Locked text (--locked) needs a text.'],
  ];
  return rules.flatMap(([isBroken, problem]) => (isBroken ? [problem] : []));
}

/** How long the same text to one chat counts as the same message (LOST-10, FAULT-9). */
const SIMILAR_MS = 5 * 60_000;

export interface ChatConsent {
  /** Sends it although an earlier one is unconfirmed. */
  readonly acknowledge: boolean;
  /** Sends it although the same message was sent within five minutes. */
  readonly allowSimilar: boolean;
  /** Throws why the policy forbids it now. Asked before each copy: quiet hours may begin meanwhile. */
  readonly obeyPolicy: () => void;
}

/**
 * Sends a message, never twice (CHAT-2): no list shows what became of one without an answer. Its error has the last messages of
 * the chat, because it may appear minutes later, or never.
 *
 * | what speaks against it                   | then                          |
 * |------------------------------------------|-------------------------------|
 * | an unconfirmed message to the chat       | refused, or `acknowledge`     |
 * | the same message just now, maybe lost    | refused, or `allowSimilar`    |
 * | a chat that was not read far enough back | refused, or `allowSimilar`    |
 *
 * An acknowledged message counts as the same one too: `acknowledge` is about going on, not about sending it again.
 */
export async function sendChatMessage(
  run: Run,
  place: ChatPlace,
  draft: ChatDraft,
  consent: ChatConsent,
): Promise<{ readonly sendId: string; readonly unrecorded: string | null }> {
  const words: ActWords = {
    what: `send a message to ${describePlace(place)}`,
    next: `${adviseLook(place)} A message may appear minutes later, or the message guard may drop it silently. To send it after that, add --acknowledge. The same message within five minutes also needs --allow-similar.`,
    describe: (request) => [`its text: ${describeText(request)}`],
  };
  const end = await sendAct(run, makeAct(run, place, draft, consent, words));
  if (end.kind === 'failed') throw describeRefusal(end.problem);
  // 202: queued, but not delivered.
  if (end.kind === 'done') return { sendId: end.reply.send_id, unrecorded: end.unrecorded };
  const lost = end.kind === 'lost' ? end : { entry: null, problem: null };
  const tail = await readTail(run, place);
  const lines = typeof tail === 'string' ? [`not known: ${tail}`] : tail.toReversed().map(describeMessage);
  throw makeUnknown(words, lost, {
    facts: (lines.length === 0 ? ['none'] : lines).map((line) => `in the chat: ${line}`),
    tail: typeof tail === 'string' ? null : tail,
    tail_problem: typeof tail === 'string' ? tail : null,
  });
}

function makeAct(
  run: Run,
  place: ChatPlace,
  draft: ChatDraft,
  { acknowledge, allowSimilar, obeyPolicy }: ChatConsent,
  words: ActWords,
): Act<Reply<'chat.send'>, void, never> {
  const { account, chatId } = place;
  const { text, price, lockedText, media } = draft;
  const details = {
    digest: digestDraft(draft),
    beginning: text === null ? null : Array.from(text).slice(0, BEGINNING).join(''),
    price,
    locked_text: lockedText,
    media: media.map(({ id }) => id),
  };
  return {
    subject: { operation: 'chat.send', account, kind: 'message', name: chatId },
    words,
    look: null,
    mayRepeat: false,
    acknowledge,
    similar: { withinMs: SIMILAR_MS, isSame: (row) => readRequest(row).details['digest'] === details.digest },
    check: async (same) => {
      if (!allowSimilar) await refuseSimilar(run, place, draft, same);
      obeyPolicy();
    },
    prepare: () => ({
      asked: details,
      send: run.client.prepare('chat.send', {
        params: { account_id: account.accountId, chat_id: chatId },
        body: chatBody(draft),
      }),
      createdId: ({ send_id: id }) => id,
    }),
  };
}

/** Characters of a text that the state keeps: enough to know it again, and no copy of the chat. */
const BEGINNING = 60;

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

/**
 * Throws if the same message is on record, which the chat may not show yet, or in the chat. What cannot be read of a message in the
 * chat (who sent it, when) counts against sending.
 */
async function refuseSimilar(
  run: Run,
  place: ChatPlace,
  draft: ChatDraft,
  same: readonly RequestRow[],
): Promise<void> {
  const { messages, missing } = await readRecent(run, place);
  const nowMs = serviceTime(run).earliestMs;
  const similar = messages.filter((message) => {
    if (message.is_sent_by_me === false || !saysTheSame(draft, message)) return false;
    const latestMs = latestWrittenMs(message);
    return latestMs === null || nowMs - latestMs < SIMILAR_MS;
  });
  const facts = [
    ...same.map((row) => `the same on record: ${describeSent(row)}`),
    ...similar.map((message) => `the same in the chat: ${describeMessage(message)}`),
    ...(missing === null ? [] : [`the chat was not read far enough back: ${missing}`]),
  ];
  if (facts.length === 0) return;
  throw new HeraldError(
    'similar-message',
    `The same message may have been sent to ${describePlace(place)} within the last five minutes. Nothing was sent now.`,
    `${adviseLook(place)} To send it again, add --allow-similar.`,
    { details: { facts, same: same.map(readRequest), similar, missing } },
  );
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
    if (error instanceof ServiceError && error.problem.status === 404 && messages.length === 0)
      return { messages, missing: null };
    throw error;
  }
}

const TAIL_LENGTH = 20;

/** The last messages for a person to look at, newest first, or why they cannot be read. */
async function readTail(run: Run, place: ChatPlace): Promise<readonly ChatMessage[] | string> {
  try {
    const { messages } = await readRecent(run, place);
    return (isOldestFirst(messages) ? messages.toReversed() : messages).slice(0, TAIL_LENGTH);
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

function isOldestFirst(messages: readonly ChatMessage[]): boolean {
  const times = messages.map(latestWrittenMs).filter((ms) => ms !== null);
  const [first, last] = [times.at(0), times.at(-1)];
  return first !== undefined && last !== undefined && first < last;
}

const DAY_MS = 86_400_000;

/** Null for a date that cannot be read. One without a zone may be up to a day later than it is in UTC. */
function latestWrittenMs({ created_at: at }: ChatMessage): number | null {
  const ms = fullInstantMs(at);
  if (ms !== null) return ms;
  const bareMs = fullInstantMs(`${at ?? ''}Z`);
  return bareMs === null ? null : bareMs + DAY_MS;
}

function adviseLook({ account: { alias }, chatId }: ChatPlace): string {
  return `Check the chat: ${formatCommand('chat', 'messages', chatId, '--account', alias)}.`;
}

/** `sent at 2026-06-01T12:00:00.000Z by ana: "Hello" (entry abc), done` */
function describeSent(row: RequestRow): string {
  return `sent at ${readRequest(row).sent_at} by ${row.who ?? 'unknown'}: ${describeText(row)} (entry ${row.entry}), ${row.outcome ?? 'unconfirmed'}`;
}

function describeText(row: RequestRow): string {
  const { beginning } = readRequest(row).details;
  return typeof beginning === 'string' && beginning !== '' ? quoted(beginning) : 'media';
}

/** `2026-06-01T12:00:00Z, from us: "Hello", 5 USD, 2 media` */
function describeMessage({ created_at: at, is_sent_by_me: isOurs, text, price, media }: ChatMessage): string {
  const from = isOurs == null ? 'an unknown sender' : isOurs ? 'us' : 'the fan';
  return [
    `${at ?? 'no date'}, from ${from}: ${text == null ? 'no text' : quoted(text)}`,
    ...(price == null || price === 0 ? [] : [`${price} USD`]),
    ...(media == null || media.length === 0 ? [] : [`${media.length} media`]),
  ].join(', ');
}

/** The service's own code, which is passed on. */
const RESTRICTED_WORDS = 'RESTRICTED_WORDS_DETECTED';

function describeRefusal(problem: Problem): HeraldError {
  if (problem.code !== RESTRICTED_WORDS) return new ServiceError(problem);
  return new HeraldError(
    RESTRICTED_WORDS,
    'The service refused the text for restricted words or topics. Nothing was sent.',
    'Remove them and run the command again.',
    // Assumed: the details have the words (CHAT-3).
    { details: { facts: [`its details: ${JSON.stringify(problem.details ?? 'none')}`], problem } },
  );
}
