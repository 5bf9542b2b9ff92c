import { describePlace } from '../../acts/act.ts';
import { type ChatDraft, judgeDraft, sendChatMessage } from '../../acts/chat.ts';
import { chooseAccount, openService, typedOwned } from '../../cli/accounts.ts';
import { type ActItem, readGivenFile, sendItems } from '../../cli/act-run.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import {
  accountFlag,
  lockTimeoutFlag,
  switchFlag,
  textFlag,
  textsFlag,
  word,
  yesFlag,
  type ValuesOf,
} from '../../cli/flags.ts';
import { warningLine } from '../../cli/findings.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { page, shown, type Visible, visibleLines, visibleProse } from '../../domain/visible.ts';
import { serviceTime } from '../../engine/run.ts';
import { checkMessage, type PolicyFinding } from '../../policy/check.ts';
import { tidyText, unprintableOffset } from '../../workspace/text.ts';

const words = { chat: word('CHAT') };
const flags = {
  text: textFlag('--text <text>', 'text of the message'),
  textFile: textFlag('--text-file <file>', 'read the text from a file, - for standard input'),
  price: textFlag('--price <usd>', 'price in US dollars, such as 9.99; 0 is free'),
  locked: switchFlag('--locked', 'lock the text until the fan pays'),
  media: textsFlag('--media <id:type[:paid]>', 'attach a medium of the vault (repeatable)'),
  account: accountFlag,
  yes: yesFlag,
  acknowledge: switchFlag(
    '--acknowledge',
    'send despite an unconfirmed earlier message; check the chat first',
  ),
  allowSimilar: switchFlag('--allow-similar', 'send even if the same message was sent within five minutes'),
  localCheck: switchFlag('--no-local-check', 'do not check price, locked text and media before sending'),
  lockTimeout: lockTimeoutFlag,
};

type Given = ValuesOf<typeof flags & typeof words>;

/** One message, never twice (CHAT-2). It is shown, and sent once. */
export const send = defineCommand({
  path: 'chat send',
  about: 'send one message, never twice; the service queues it',
  examples: [
    'herald chat send 101001 --account alice --text "Good morning!"',
    'herald chat send 101001 --account alice --text-file offer.md --price 9.99 --locked --yes',
    'herald chat send 101001 --account alice --price 5 --media 55012:photo:paid --media 55013:photo',
    'echo "Good morning!" | herald chat send 101001 --text-file - --account alice --yes',
  ],
  words,
  flags,
  needs: 'nothing',
  run: async (context, given) => {
    const draft = await readDraft(context, given);
    const service = await openService(context);
    const { id: chatId, account: named } = typedOwned(given.chat, 'chat', given.account);
    const account = await chooseAccount(service, named);
    const place = { account, chatId };
    const chat = describePlace(place);
    const judge = () => {
      // By either clock, because one of them may be wrong.
      const { earliestMs, latestMs } = serviceTime({ ...service, clock: context.clock });
      const found = [earliestMs, latestMs].flatMap((atMs) => {
        const message = { text: draft.text, price: Number(draft.price ?? 0), atMs };
        return checkMessage(message, service.workspace.policy);
      });
      return [...new Map(found.map((one) => [one.message, one])).values()];
    };
    for (const { code, severity, message } of judge())
      if (severity === 'warning') context.output.fail(warningLine(code, shown`${message}`));
    const obeyPolicy = () => refuseDenied(judge());
    obeyPolicy();
    const { acknowledge, allowSimilar, yes } = given;
    const sendOnce: ActItem['send'] = async (run) => {
      const consent = { acknowledge, allowSimilar, obeyPolicy };
      const { sendId, unrecorded } = await sendChatMessage(run, place, draft, consent);
      // 202 means queued (CHAT-1), so no word here may suggest a delivery.
      const text = visibleProse(`queued, not delivered: ${chat}, send_id ${sendId}`);
      return { item: { outcome: 'queued', send_id: sendId }, text, unrecorded };
    };
    const title = `Send a message to ${chat}`;
    return sendItems(context, service, {
      command: 'chat send',
      preview: renderDraft(chat, draft),
      warning: 'It cannot be recalled.',
      yes,
      items: [{ account, title, about: { chat_id: chatId }, send: sendOnce }],
    });
  },
});

/** Reads the draft. Throws with all problems of flags and message at once. */
async function readDraft(context: Context, typed: Given): Promise<ChatDraft> {
  const { price = null, media: given, locked: lockedText, localCheck } = typed;
  const text = await readText(context, typed);
  // What cannot be sent at all.
  const unread: string[] = [];
  if (price !== null && !/^(0|[1-9]\d{0,8})(\.\d+)?$/.test(price))
    unread.push(`--price ${price}: write US dollars as a plain decimal number, as in 9.99.`);
  const media = given.map((one) => {
    const [, id = '', type = '', paid] = MEDIA.exec(one) ?? [];
    if (id === '') unread.push(`--media ${one}: write id:type or id:type:paid, as in 55012:photo:paid.`);
    return { id, type, isPaid: paid !== undefined };
  });
  const draft: ChatDraft = { text, price, lockedText, media };
  const problems = localCheck && unread.length === 0 ? judgeDraft(draft) : unread;
  if (problems.length === 0) return draft;
  const hint = unread.length > 0 ? '' : ' To let the service judge these rules, add --no-local-check.';
  throw new HeraldError('invalid-message', problems.join(' '), `Nothing was sent.${hint}`, {
    details: { problems },
  });
}

/** `55012:photo` or `55012:photo:paid` */
const MEDIA = /^([^:]+):(?!paid$)([^:]+)(:paid)?$/;
/** The text to send. Null if none was given, as in a message with media only. */
async function readText(context: Context, { text, textFile }: Given): Promise<string | null> {
  if (text !== undefined && textFile !== undefined)
    throw new HeraldError('bad-flag', 'The text is given twice.', 'Use only one of --text and --text-file.');
  const whole = textFile === undefined ? (text ?? null) : await readGivenFile(context, textFile);
  if (whole === null) return null;
  if (unprintableOffset(whole) !== -1)
    throw new HeraldError('not-text', 'The text cannot be sent: it is not valid text.', 'Save it as UTF-8.');
  return textFile === undefined ? whole : tidyText(whole);
}

function refuseDenied(findings: readonly PolicyFinding[]): void {
  const denials = findings.filter(({ severity }) => severity === 'error');
  if (denials.length === 0) return;
  throw new HeraldError(
    'policy-denied',
    `The policy in herald.yaml denies it: ${denials.map(({ message }) => message).join(' ')} Nothing was sent.`,
    `Change what you send, or the policy in herald.yaml. To see all rules: ${formatCommand('policy', 'test')}`,
    { details: { findings: [...findings] } },
  );
}

/** The whole message, before the question. Texts are not cut. */
function renderDraft(where: string, { text, price, lockedText, media }: ChatDraft): Visible {
  const costs = price === null || !/[1-9]/.test(price) ? 'free' : `${price} USD`;
  const lines = [
    shown`Message to ${where}:`,
    ...(text === null ? [shown`  no text`] : visibleLines(text).map((line) => shown`  | ${line}`)),
    shown`  price: ${costs}${lockedText ? ', text locked until paid' : ''}`,
    ...media.map(
      ({ id, type, isPaid }) => shown`  media: ${id} (${type}, ${isPaid ? 'paid' : 'free to see'})`,
    ),
  ];
  return page(lines);
}
