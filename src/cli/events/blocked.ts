import { historyOf, type HistoryItem } from '../../ledger/history.ts';
import { readWholeRecord } from '../../ledger/whole-record.ts';
import { blockedIn, blockedWords } from '../../operations/events/blocked.ts';
import { readViolations } from '../../operations/events/violations.ts';
import { shown, visible, visibleProse } from '../../domain/visible.ts';
import type { Violation } from '../../events/violations.ts';
import type { Context } from '../context.ts';
import { warningLine } from '../notice.ts';

/** The stored events about blocked messages. Warns if some of them may be missing. */
export async function violationsOf({ events, output }: Context): Promise<readonly Violation[]> {
  const { violations, problem } = await readViolations(events);
  if (problem !== null) output.fail(warningLine(problem.code, visibleProse(problem.message)));
  return violations;
}

/** Warns of the messages to a chat that the guard blocked after the service had accepted them. */
export async function warnOfBlocked(
  context: Context,
  { accountId, chatId }: { readonly accountId: string; readonly chatId: string },
): Promise<void> {
  const violations = (await violationsOf(context)).filter(
    (one) => (one.accountId ?? accountId) === accountId && (one.chatId ?? chatId) === chatId,
  );
  if (violations.length === 0) return;
  const { lines } = await readWholeRecord(context.state.ledger);
  const isHere = ({ account_id: id, name, kind }: HistoryItem) =>
    id === accountId && kind === 'chat' && name === `chat ${chatId}`;
  const { blocked, others } = blockedIn(historyOf(lines).filter(isHere), violations);
  for (const found of blocked.values())
    context.output.fail(
      warningLine(
        'message-blocked',
        shown`Message of ${found.item.at}, entry ${visible(found.item.entry ?? '')}: ${visibleProse(blockedWords(found))}`,
      ),
    );
  for (const { atMs, chatId: named } of others)
    if (named !== null)
      context.output.fail(
        warningLine(
          'message-blocked',
          shown`The message guard blocked a message of this chat at ${new Date(atMs).toISOString()}. Herald did not send it.`,
        ),
      );
}
