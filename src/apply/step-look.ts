import type { LiveId } from '../domain/ids.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { startsSending, stopsSending } from '../domain/status.ts';
import { failure, joinSentences, type StepResult } from './call-result.ts';
import { look, type Looked } from './look-first.ts';
import type { Asked } from './moved.ts';
import type { Live } from './read-now.ts';
import { stopPurpose, type StepContext } from './step-context.ts';

/**
 * Looks at the object right before a request of a step: why the request must not be sent; null to send it.
 * A stop that a person asks for by hand is sent as it is asked for.
 */
export async function lookFirst(
  context: StepContext,
  liveId: LiveId,
  asked: Asked,
  mayBeDone: boolean,
): Promise<Extract<StepResult, { kind: 'failed' }> | null> {
  if (context.byHand !== null && stopsSending(asked)) return null;
  const planned = context.planned(liveId);
  const looked = await look(context, liveId, {
    kind: context.change.address.kind,
    asked,
    planned,
    own: context.ownStatuses.get(liveId) ?? null,
    mayBeDone,
    takesBack: context.change.action === 'recall',
    isDuplicate: context.change.action === 'retire',
    forContent: isForContent(context, asked),
  });
  if (looked.kind === 'go on') return null;
  if (looked.kind === 'differs') {
    const was = planned?.live.status ?? null;
    return { kind: 'failed', message: movedWords(context, liveId, was, looked), denied: false };
  }
  const failed = failure(looked.why);
  const denied = failed.kind === 'failed' && failed.denied;
  const message = joinSentences([
    `${liveId} could not be checked first, so it was not activated`,
    failedWords(failed),
  ]);
  return { kind: 'failed', message, denied };
}

function failedWords(result: StepResult): string {
  return 'message' in result ? result.message : '';
}

/**
 * | the request                                                | decided for what the object says             |
 * |------------------------------------------------------------|----------------------------------------------|
 * | a start                                                    | yes                                          |
 * | a stop for a replace, of what no file declares any more    | yes                                          |
 * | the archiving of a duplicate                               | yes: its queue would be lost                 |
 * | the pause of a duplicate or of another version             | no: two of one name must not run             |
 * | a declared pause or archive, a recall                      | no                                           |
 */
function isForContent(context: StepContext, asked: Asked): boolean {
  if (startsSending(asked)) return true;
  if (asked === 'unsend' || context.byHand !== null) return false;
  const purpose = stopPurpose(context);
  if (context.declared === null) return true;
  return purpose === 'replace' || (purpose === 'duplicate' && asked === 'archived');
}

type Differs = Extract<Looked, { readonly kind: 'differs' }>;

function movedWords(
  context: StepContext,
  id: string,
  was: string | null,
  { finding, live }: Differs,
): string {
  const { account, change } = context;
  const again = 'It was not changed. Run "herald plan" again.';
  if (finding === 'edited') return `${id} was edited after the plan was made. ${again}`;
  if (finding === 'begun')
    return `${id} had begun to go out${progressOf(live)}, so it was not stopped half-way. To stop it now, run "herald broadcasts pause ${id} --account ${account.alias}".`;
  const is = live.status ?? 'without a status';
  const when = `when the plan was made and is ${is} now`;
  return `${KIND_ROWS[change.address.kind].title} ${id} was ${was ?? 'without a status'} ${when}. ${again}`;
}

/** How much of a broadcast has gone out, in words; empty where the service does not say. */
export function progressOf(live: Live): string {
  const percent = 'progress_percent' in live ? live.progress_percent : null;
  if (typeof percent !== 'number') return '';
  const recipients = 'targeted_recipients_count' in live ? live.targeted_recipients_count : null;
  return typeof recipients === 'number' && recipients > 0
    ? ` (${percent} % of ${recipients} fans)`
    : ` (${percent} % done)`;
}
