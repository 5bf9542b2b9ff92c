import { actsOf } from '../../ledger/acts.ts';
import { historyOf, type HistoryItem } from '../../ledger/history.ts';
import { keepNoEntry } from '../../ledger/reduction.ts';
import { readWholeRecord } from '../../ledger/whole-record.ts';
import { shown, visible } from '../../domain/visible.ts';
import { CHAT_SEND } from '../../operations/chat-send.ts';
import { blockedIn } from '../../operations/events/blocked.ts';
import { readViolations } from '../../operations/events/violations.ts';
import { openService } from '../accounts.ts';
import type { Context } from '../context.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { withLedger } from '../with-ledger.ts';

/** What to do where Herald cannot ask. */
export const CHECK_FIRST = 'Check it on the service, then add --yes.';

/** The chat message of the entry, if the service had accepted it and an event says that the guard blocked it. */
export async function blockedMessage(context: Context, entry: string): Promise<HistoryItem | null> {
  const { violations } = await readViolations(context.events);
  if (violations.length === 0) return null;
  const { lines } = await readWholeRecord(context.state.ledger);
  const isClosed = actsOf(lines).some((act) => act.entry === entry && act.acknowledged);
  const items = historyOf(lines).filter(({ action, outcome }) => action === CHAT_SEND && outcome === 'done');
  const found = [...blockedIn(items, violations).blocked.keys()].find((item) => item.entry === entry);
  return isClosed ? null : (found ?? null);
}

/** Adds the line with who and why. `drift` does not name the message any more, and `history` still does. */
export async function closeBlocked(
  context: Context,
  { address, at, entry }: HistoryItem,
  { because, yes }: { readonly because: string; readonly yes: boolean },
): Promise<void> {
  if (!yes) {
    const text = shown`Close the blocked message ${visible(address)} of ${at}? Herald will not name it as drift again.`;
    await requireYes(context, typedQuestion(text, 'close it'), 'Nothing was written.', CHECK_FIRST);
  }
  const { client } = await openService(context);
  await withLedger(context, client, keepNoEntry, async (ledger) => {
    context.onChange?.();
    await ledger.acknowledge(entry ?? '', because);
  });
}
