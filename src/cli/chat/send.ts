import type { Context } from '../context.ts';
import { momentOf } from '../../domain/elapsed.ts';
import { fullInstantMs } from '../../domain/full-instant.ts';
import { joined, shown } from '../../domain/visible.ts';
import {
  draftProblems,
  messageNow,
  parseMedia,
  priceProblem,
  type ChatDraft,
} from '../../domain/chat-draft.ts';
import {
  earlierSends,
  isSendTo,
  sendChatMessage,
  type ChatChecked,
  type EarlierSends,
} from '../../operations/chat-send.ts';
import { readRecent, similarMessages } from '../../operations/chat-recent.ts';
import type { ChatMessage } from '../../operations/chat-tail.ts';
import { renderDraft, renderTail } from '../../render/chat-text.ts';
import { reportSend } from './report.ts';
import { actDetails, LOOK_FIRST, placeWords, sendWords, type ChatRun } from './run.ts';
import { readText, type TextFlags } from './text.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, interruptedError, requireAnswer } from '../failure.ts';
import { obeyPolicy } from '../policy/obey.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { checkMessage, type PolicyFinding } from '../../policy/check.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { typedOwned } from '../addresses.ts';
import { chooseAccount, openService, sayService } from '../accounts.ts';
import { refuseMovedAlias } from '../../reconcile/moved-alias.ts';
import { refuseChangedLedger, refuseUnreadable, withLedger, type LedgerAtStart } from '../with-ledger.ts';

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
 * unconfirmed sends in the ledger, shown, and sent once.
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
  return withLedger(context, service.client, isSendTo(place), async (ledger, known) => {
    refuseMovedAlias(service.settings, place.account, known);
    if (!flags.acknowledge) refuseUnreadable(known, true);
    const { policy } = service.settings;
    const run: ChatRun = { context, policy, client: service.client, ledger, place, at, format };
    const checked = await agree(run, draft, flags, known);
    const ports = { ...run, clock: context.clock, stop: context.interrupted };
    return reportSend(run, await sendChatMessage(ports, place, draft, checked));
  });
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
  throw new CommandError('invalid-message', problems.join(' '), hint, EXIT.failed, { problems });
}

/** Known reasons against sending now. */
interface Doubts extends EarlierSends {
  readonly similar: readonly ChatMessage[];
  /** Why the chat could not be read back far enough to know; null if it was. */
  readonly missing: string | null;
  /** The age of the same text. It counts as recent if its age is unknown. */
  readonly when: typeof RECENT | typeof WHENEVER;
}

const RECENT = 'within the last five minutes';
const WHENEVER = 'earlier, and its age is not known to be above five minutes';

/**
 * |                                           | --yes or no terminal        | at a terminal          |
 * |-------------------------------------------|-----------------------------|------------------------|
 * | an open earlier send                      | exit 3, or --acknowledge    | is shown and asked     |
 * | the same words just now, maybe not sent   | exit 5, or --allow-similar  | is shown and asked     |
 * | a chat that was not read far enough back  | exit 5, or --allow-similar  | is shown and asked     |
 *
 * An acknowledged message counts as the same words too: --acknowledge is about going on, not about sending them again.
 */
async function agree(
  run: ChatRun,
  draft: ChatDraft,
  flags: ChatSendFlags,
  known: LedgerAtStart,
): Promise<ChatChecked> {
  const { context, ledger, place } = run;
  let askedAt = momentOf(context.clock);
  const doubts = await doubtsAbout(run, draft, known);
  const checkAgain = async () => {
    if (!flags.yes || !flags.allowSimilar) refuseNews(doubts, await doubtsAbout(run, draft, known));
    // Quiet hours may have begun meanwhile.
    obeyPolicy(context, policyOnMessage(run, draft), { warn: false });
  };
  obeyPolicy(context, policyOnMessage(run, draft));
  for (const act of doubts.open) context.output.say(shown`Unconfirmed: ${sendWords(act)}`);
  if (flags.yes) refuseDoubts(run, flags, doubts);
  else {
    context.output.say(renderDraft(placeWords(place), draft));
    sayDoubts(run, doubts);
    const isSure = doubts.missing === null && isUnlike(doubts) && doubts.open.length === 0;
    const question = isSure ? `Send it at ${run.at}?` : `Send it anyway at ${run.at}?`;
    await requireYes(
      context,
      typedQuestion(shown`${question} It cannot be recalled.`, 'send it'),
      'Nothing was sent.',
    );
    await refuseChangedLedger(known);
    askedAt = momentOf(context.clock);
    await checkAgain();
  }
  for (const { entry } of doubts.open) await ledger.acknowledge(entry);
  return { askedAt, checkAgain };
}

function policyOnMessage({ client, context, policy }: ChatRun, draft: ChatDraft): readonly PolicyFinding[] {
  return checkMessage(messageNow(draft, context.clock.now() + client.skewMs()), policy);
}

async function doubtsAbout(
  { context, client, place }: ChatRun,
  draft: ChatDraft,
  { lines }: LedgerAtStart,
): Promise<Doubts> {
  const { clock, interrupted: stop } = context;
  const { messages, missing, times } = await readRecent({ client, clock, stop }, place);
  if (stop.aborted) throw interruptedError();
  const similar = similarMessages(draft, messages, times.serviceMs);
  const earlier = earlierSends(lines, place, draft, times);
  const isTimed =
    client.serverInfo().skewMs !== null &&
    similar.every(({ created_at: at }) => fullInstantMs(at) !== null) &&
    earlier.same.every((act) => act.skewMs !== null);
  return { ...earlier, similar, missing, when: isTimed ? RECENT : WHENEVER };
}

function refuseDoubts({ place }: ChatRun, flags: ChatSendFlags, doubts: Doubts): void {
  const { open, same, similar, missing, when } = doubts;
  if (open.length > 0 && !flags.acknowledge)
    throw new CommandError(
      'open-send',
      `An earlier message to ${placeWords(place)} is unconfirmed, so nothing was sent now. ${open.map(sendWords).join(' ')}`,
      LOOK_FIRST,
      EXIT.unknown,
      { open: open.map(actDetails) },
    );
  if (same.length + similar.length > 0 && !flags.allowSimilar)
    throw new CommandError(
      'similar-message',
      `The same message ${isKnownSent(doubts) ? 'was' : 'may have been'} sent to ${placeWords(place)} ${when}. Nothing was sent now.`,
      'To send it again, add --allow-similar.',
      EXIT.blocked,
      { same: same.map(actDetails), similar },
    );
  if (missing !== null && !flags.allowSimilar)
    throw new CommandError(
      'similar-message',
      `The same message may have been sent to ${placeWords(place)} a moment ago: Herald could not read the chat far enough back (${missing}). Nothing was sent now.`,
      'Check the chat. To send the message without this check, add --allow-similar.',
      EXIT.blocked,
      { same: [], similar: [], missing },
    );
}

function isUnlike({ same, similar }: Doubts): boolean {
  return same.length + similar.length === 0;
}

/** Whether an answer or the chat shows one, and not only a request with a lost answer. */
function isKnownSent({ same, similar }: Doubts): boolean {
  return similar.length > 0 || same.some(({ outcome }) => outcome !== 'unknown');
}

function sayDoubts({ context }: ChatRun, doubts: Doubts): void {
  const { open, same, similar, missing, when } = doubts;
  const style = { colour: context.output.colour, width: context.output.width };
  if (open.length > 0)
    context.output.say(shown`Earlier messages to this chat are unconfirmed. Check the chat first.`);
  if (same.length > 0)
    context.output.say(
      isKnownSent({ ...doubts, similar: [] })
        ? shown`The same message was queued ${when}.`
        : shown`The same message may have been sent ${when}.`,
    );
  if (missing !== null)
    context.output.say(
      shown`Herald could not read the chat far enough back to find the same message in it: ${missing}.`,
    );
  if (similar.length > 0)
    context.output.say(
      joined([shown`The chat has the same text, sent ${when}:`, renderTail(similar, style)], '\n'),
    );
}

/** Throws if new doubts appeared while Herald waited: for the answer of a person, or for the message to leave. */
function refuseNews(shown: Doubts, now: Doubts): void {
  const known = new Set(shown.similar.map(({ id }) => id));
  const news = now.similar.filter(({ id }) => !known.has(id));
  if (news.length > 0)
    throw new CommandError(
      'similar-message',
      'The same text appeared in the chat while Herald waited. Nothing was sent.',
      'Check the chat, then run the command again.',
      EXIT.blocked,
      { similar: news },
    );
  if (now.missing !== null && shown.missing === null)
    throw new CommandError(
      'similar-message',
      `The chat could not be read again before the message was sent: ${now.missing}. Nothing was sent.`,
      'Check the chat, then run the command again.',
      EXIT.blocked,
      { missing: now.missing },
    );
}
