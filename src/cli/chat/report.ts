import { joined, shown, visibleProse } from '../../domain/visible.ts';
import { describeProblem, ServiceError, type Problem } from '../../api/errors.ts';
import type { ChatSent, TailAfter } from '../../operations/chat-send.ts';
import { renderTail, renderWords } from '../../render/chat-text.ts';
import { renderJson } from '../../render/json.ts';
import { LOOK_FIRST, placeWords, type ChatRun } from './run.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, interruptedError } from '../failure.ts';
import { warningLine } from '../notice.ts';

/** Prints the result of a send and returns the exit code. Throws if it failed. */
export function reportSend(run: ChatRun, sent: ChatSent): number {
  switch (sent.kind) {
    case 'queued':
      printQueued(run, sent.sendId);
      return EXIT.done;
    case 'failed':
      throw failed(sent.problem);
    case 'interrupted':
      throw interruptedError();
    case 'unknown':
      throw unknown(run, sent);
  }
}

/** 202 means queued (CHAT-1), so no word here may suggest a delivery. */
function printQueued({ context, place, format }: ChatRun, sendId: string | null): void {
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
  const words = `queued, not delivered: ${placeWords(place)}, send_id ${sendId ?? 'unknown'}`;
  context.output.result(shown`${visibleProse(words)}\n`);
}

/** The service's own code, which is passed on. */
const RESTRICTED_WORDS = 'RESTRICTED_WORDS_DETECTED';

function failed(problem: Problem): Error {
  if (problem.code !== RESTRICTED_WORDS) return new ServiceError(problem);
  const words = wordsIn(problem.details);
  const which = words.length === 0 ? 'it does not name them' : renderWords(words);
  return new CommandError(
    RESTRICTED_WORDS,
    `The service refused the text for restricted words or topics: ${which}. Nothing was sent.`,
    'Remove them and run the command again.',
    EXIT.failed,
    { words, problem },
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

function unknown(
  run: ChatRun,
  { problem, entry, tail }: Extract<ChatSent, { kind: 'unknown' }>,
): CommandError {
  const { context, place, format } = run;
  if (format === 'text') {
    const { colour, width } = context.output;
    const style = { colour, width };
    context.output.fail(
      tail.kind === 'read'
        ? joined([shown`Last messages of ${placeWords(place)}:`, renderTail(tail.messages, style)], '\n')
        : shown`The last messages of ${placeWords(place)} cannot be shown: ${visibleProse(tail.why)}`,
    );
  }
  return new CommandError(
    'unknown-outcome',
    `Unconfirmed: the message to ${placeWords(place)} may have been sent (${describeProblem(problem)}). Herald does not send it again.`,
    LOOK_FIRST,
    EXIT.unknown,
    { entry, problem, ...tailDetails(tail) },
  );
}

function tailDetails(tail: TailAfter): object {
  return tail.kind === 'read'
    ? { tail: tail.messages, tail_problem: null }
    : { tail: null, tail_problem: tail.why };
}
