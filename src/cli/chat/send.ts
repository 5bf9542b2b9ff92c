import {
  type ChatConsent,
  type ChatDoubts,
  type ChatDraft,
  type ChatPlace,
  describeChat,
  describeSend,
  type DraftMedia,
  sendChatMessage,
} from '../../acts/chat.ts';
import { joined, shown, visibleProse } from '../../domain/visible.ts';
import { checkMessage } from '../../policy/check.ts';
import { renderDraft, renderTail } from '../../render/chat-text.ts';
import { chooseAccount, openService, sayService, type Service } from '../accounts.ts';
import { withActRun } from '../act-run.ts';
import { typedOwned } from '../addresses.ts';
import type { Context } from '../context.ts';
import { requireAnswer } from '../question.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { obeyPolicy } from '../policy/obey.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { reportSend } from './report.ts';
import { readText, type TextFlags } from './text.ts';
import { HeraldError } from '../../domain/herald-error.ts';

export interface ChatSendFlags extends TextFlags {
  readonly account: string | undefined;
  /** As it was typed. */
  readonly price: string | undefined;
  readonly locked: boolean;
  /** `id:type` or `id:type:paid`. */
  readonly media: readonly string[];
  readonly yes: boolean;
  /** Send even if the same text was sent within five minutes. */
  readonly allowSimilar: boolean;
  /** A person has checked an unconfirmed send. */
  readonly acknowledge: boolean;
  /** False skips the checks of price, locked text and media. */
  readonly localCheck: boolean;
}

/**
 * `herald chat send`: one message, never twice (CHAT-2). It is checked, compared with the end of the chat and with
 * unconfirmed messages on record, shown, and sent once.
 */
export async function chatSendCommand(
  context: Context,
  typed: string,
  flags: ChatSendFlags,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const draft = await readDraft(context, flags);
  requireAnswer(context, flags.yes, 'A chat message cannot be recalled');
  const service = await openService(context);
  const { id: chatId, account } = typedOwned(typed, 'chat', flags.account);
  const place = { account: await chooseAccount(service, account), chatId };
  const at = sayService(context, service);
  const consent: ChatConsent = {
    acknowledge: flags.acknowledge,
    allowSimilar: flags.allowSimilar,
    ask: flags.yes ? null : (doubts) => askAbout(context, { place, draft, doubts, at }),
    obeyPolicy: policyOnMessage(context, service, draft),
  };
  return withActRun(context, service, { account: place.account, command: 'chat send' }, async (run) =>
    reportSend({ context, place, format }, await sendChatMessage(run, place, draft, consent)),
  );
}

/** Reads the draft. Throws with all problems of flags and message at once. */
async function readDraft(context: Context, flags: ChatSendFlags): Promise<ChatDraft> {
  const { price, locked: lockedText, localCheck } = flags;
  const media = flags.media.map(parseMedia);
  const unread = [
    price === undefined ? null : priceProblem(price),
    ...media.map((parsed) => (typeof parsed === 'string' ? parsed : null)),
  ].filter((problem) => problem !== null);
  const draft: ChatDraft = {
    text: await readText(context, flags),
    price: price ?? null,
    lockedText,
    media: media.filter((parsed) => typeof parsed !== 'string'),
  };
  const problems = localCheck && unread.length === 0 ? draftProblems(draft) : unread;
  if (problems.length === 0) return draft;
  const hint =
    unread.length > 0
      ? 'Nothing was sent.'
      : 'Nothing was sent. To let the service judge these rules, add --no-local-check.';
  throw new HeraldError('invalid-message', problems.join(' '), hint, { details: { problems } });
}

/** `55012:photo` or `55012:photo:paid`. A string says what is wrong with it. */
function parseMedia(typed: string): DraftMedia | string {
  const [id = '', type = '', paid, ...rest] = typed.split(':');
  const wellFormed = id !== '' && type !== '' && rest.length === 0 && (paid === undefined || paid === 'paid');
  if (!wellFormed) return `--media ${typed}: write id:type or id:type:paid, as in 55012:photo:paid.`;
  return { id, type, isPaid: paid === 'paid' };
}

/** What of a price can be sent at all; a string says what is wrong with it. */
function priceProblem(typed: string): string | null {
  return /^(0|[1-9]\d{0,8})(\.\d+)?$/.test(typed)
    ? null
    : `--price ${typed}: write US dollars as a plain decimal number, as in 9.99.`;
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
function draftProblems({ text, price, lockedText, media }: ChatDraft): readonly string[] {
  const hasText = text !== null && /\S/.test(text);
  const costs = price !== null && /[1-9]/.test(price);
  const paid = media.filter(({ isPaid }) => isPaid).map(({ id }) => id);
  const problems: string[] = [];
  if (!hasText && media.length === 0)
    problems.push('A message needs a text with more than spaces, or at least one --media.');
  if ((price?.split('.')[1] ?? '').length > DECIMALS_MAX)
    problems.push(`The price ${price ?? ''} has more than two decimals.`);
  if (costs && !lockedText && paid.length === 0)
    problems.push(
      `The price ${price ?? ''} unlocks nothing. Add --locked, or mark media as paid: --media 55012:photo:paid`,
    );
  if (!costs && lockedText) problems.push('Locked text (--locked) needs a --price above 0.');
  if (!costs && paid.length > 0) problems.push(`Paid media (${paid.join(', ')}) needs a --price above 0.`);
  if (lockedText && !hasText) problems.push('Locked text (--locked) needs a text.');
  return problems;
}

/** Its warnings are printed once, however often it is asked. */
function policyOnMessage(context: Context, { client, settings }: Service, draft: ChatDraft): () => void {
  let warn = true;
  return () => {
    const nowMs = context.clock.now() + client.skewMs();
    const message = { text: draft.text, price: Number(draft.price ?? 0), atMs: nowMs };
    obeyPolicy(context, checkMessage(message, settings.policy), { warn });
    warn = false;
  };
}

interface Asked {
  readonly place: ChatPlace;
  readonly draft: ChatDraft;
  readonly doubts: ChatDoubts;
  /** Name of the service. */
  readonly at: string;
}

/** Shows the message and what speaks against it, and asks. */
async function askAbout(context: Context, { place, draft, doubts, at }: Asked): Promise<void> {
  const { open, same, similar, missing } = doubts;
  for (const row of open) context.output.say(shown`Unconfirmed: ${visibleProse(describeSend(row))}`);
  context.output.say(renderDraft(describeChat(place), draft));
  sayDoubts(context, doubts);
  const isSure = missing === null && open.length + same.length + similar.length === 0;
  const question = isSure ? `Send it at ${at}?` : `Send it anyway at ${at}?`;
  await requireYes(
    context,
    typedQuestion(shown`${question} It cannot be recalled.`, 'send it'),
    'Nothing was sent.',
  );
}

function sayDoubts({ output }: Context, { open, same, similar, missing, when }: ChatDoubts): void {
  const style = { colour: output.colour, width: output.width };
  if (open.length > 0)
    output.say(shown`Earlier messages to this chat are unconfirmed. Check the chat first.`);
  if (same.length > 0)
    output.say(
      same.some(({ outcome }) => outcome === 'done')
        ? shown`The same message was queued ${when}.`
        : shown`The same message may have been sent ${when}.`,
    );
  if (missing !== null)
    output.say(
      shown`Herald could not read the chat far enough back to find the same message in it: ${missing}.`,
    );
  if (similar.length > 0)
    output.say(joined([shown`The chat has the same text, sent ${when}:`, renderTail(similar, style)], '\n'));
}
