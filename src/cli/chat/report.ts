import { ServiceError, type Problem } from '../../api/errors.ts';
import { describeChat, type ChatPlace, type ChatSent } from '../../acts/chat.ts';
import { joined, shown, visibleProse } from '../../domain/visible.ts';
import { renderTail, renderWords } from '../../render/chat-text.ts';
import { renderJson } from '../../render/json.ts';
import { exitOfDone } from '../act-run.ts';
import type { Context } from '../context.ts';
import { warningLine } from '../notice.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** How one `chat send` is reported. */
interface ChatReport {
  readonly context: Context;
  readonly place: ChatPlace;
  readonly format: 'text' | 'json';
}

/** Prints the result of a send and returns the exit code. Throws if it failed. */
export function reportSend(report: ChatReport, sent: ChatSent): number {
  switch (sent.kind) {
    case 'queued':
      printQueued(report, sent.sendId);
      return exitOfDone(report.context, sent.unrecorded);
    case 'failed':
      throw failed(sent.problem);
    case 'unknown':
      if (report.format === 'text') printTail(report, sent.tail);
      throw sent.error;
  }
}

/** 202 means queued (CHAT-1), so no word here may suggest a delivery. */
function printQueued({ context, place, format }: ChatReport, sendId: string | null): void {
  if (sendId === null)
    context.output.fail(
      warningLine(
        'send-not-tracked',
        shown`The service accepted the message, but returned no send_id, so it cannot be tracked. Do not send it again.`,
      ),
    );
  if (format === 'json') {
    const { account, chatId } = place;
    const item = {
      account: account.alias,
      account_id: account.accountId,
      chat_id: chatId,
      outcome: 'queued',
      send_id: sendId,
    };
    context.output.result(renderJson({ schema: 'herald/item/1', item }));
    return;
  }
  const words = `queued, not delivered: ${describeChat(place)}, send_id ${sendId ?? 'unknown'}`;
  context.output.result(shown`${visibleProse(words)}\n`);
}

/** The service's own code, which is passed on. */
const RESTRICTED_WORDS = 'RESTRICTED_WORDS_DETECTED';

function failed(problem: Problem): Error {
  if (problem.code !== RESTRICTED_WORDS) return new ServiceError(problem);
  const words = wordsIn(problem.details);
  const which = words.length === 0 ? 'it does not name them' : renderWords(words);
  return new HeraldError(
    RESTRICTED_WORDS,
    `The service refused the text for restricted words or topics: ${which}. Nothing was sent.`,
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

function printTail(
  { context: { output }, place }: ChatReport,
  tail: Extract<ChatSent, { kind: 'unknown' }>['tail'],
): void {
  const chat = visibleProse(describeChat(place));
  const { colour, width } = output;
  output.fail(
    typeof tail === 'string'
      ? shown`The last messages of ${chat} cannot be shown: ${visibleProse(tail)}`
      : joined([shown`Last messages of ${chat}:`, renderTail(tail, { colour, width })], '\n'),
  );
}
