import { blockedIn, blockedWords, DECIDES_WITHIN_MS } from '../../operations/events/blocked.ts';
import { readSentMessages } from '../../operations/events/sent.ts';
import { readViolations } from '../../operations/events/violations.ts';
import { shown, visible, visibleProse } from '../../domain/visible.ts';
import { withState, type ServiceName } from '../../library/state-access.ts';
import type { Context } from '../context.ts';
import { warningLine } from '../notice.ts';

/** Warns of the messages to a chat that the guard blocked after the service had accepted them. */
export async function warnOfBlocked(
  { events, output, state }: Context,
  service: ServiceName,
  { accountId, chatId }: { readonly accountId: string; readonly chatId: string },
): Promise<void> {
  const { violations, problem } = await readViolations(events);
  if (problem !== null) output.fail(warningLine(problem.code, visibleProse(problem.message)));
  const here = violations.filter(
    (one) => (one.accountId ?? accountId) === accountId && (one.chatId ?? chatId) === chatId,
  );
  const [first] = here;
  if (first === undefined) return;
  const since = first.atMs - 2 * DECIDES_WITHIN_MS;
  const sends = await withState(state.read(service), (opened) => readSentMessages(opened, since));
  const toChat = sends.filter(({ account_id: id, name }) => id === accountId && name === chatId);
  const { blocked, others } = blockedIn(toChat, here);
  for (const found of blocked.values())
    output.fail(
      warningLine(
        'message-blocked',
        shown`Message of ${found.item.at}, entry ${visible(found.item.entry)}: ${visibleProse(blockedWords(found))}`,
      ),
    );
  for (const { atMs, chatId: named } of others)
    if (named !== null)
      output.fail(
        warningLine(
          'message-blocked',
          shown`The message guard blocked a message of this chat at ${new Date(atMs).toISOString()}. Herald did not send it.`,
        ),
      );
}
