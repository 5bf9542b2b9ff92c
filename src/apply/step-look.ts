import { formatCommand } from '../domain/command-line.ts';
import type { LiveId } from '../domain/ids.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { startsSending, stopsSending } from '../domain/status.ts';
import { joinSentences } from '../domain/join-sentences.ts';
import { failure, type StepResult } from './call-result.ts';
import { isTooOld } from '../requests/fresh-reading.ts';
import { readFreshList, startedSince, unplannedIds } from './fresh-list.ts';
import { look, type Looked } from './look-first.ts';
import type { Asked } from './moved.ts';
import type { Live } from '../live/read-object.ts';
import { rememberStarts, statusesAbout } from './remember.ts';
import { stopPurpose, type StepContext } from './step-context.ts';
import { untilShown } from './until-shown.ts';

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
  if (looked.kind === 'go on') return startsSending(asked) ? othersMeanwhile(context, liveId) : null;
  if (looked.kind === 'differs') {
    await rememberStarts(context, new Map([[liveId, looked.live.status ?? null]]));
    const was = planned?.live.status ?? null;
    const moved = looked.finding === 'moved';
    return { kind: 'failed', message: movedWords(context, liveId, was, looked), denied: false, moved };
  }
  const failed = failure(looked.why);
  const denied = failed.kind === 'failed' && failed.denied;
  const message = joinSentences([
    `${liveId} could not be checked first, so it was not activated`,
    failedWords(failed),
  ]);
  return { kind: 'failed', message, denied };
}

/**
 * Why nothing of this name may start now. A start that waited may have waited for a minute, and someone else may have made
 * another one of its name meanwhile, or switched one on.
 */
async function othersMeanwhile(
  context: StepContext,
  liveId: LiveId,
): Promise<Extract<StepResult, { kind: 'failed' }> | null> {
  const { account, byHand, change, clock, planned } = context;
  // What a person starts goes by no list of its own until it waits.
  const askedAt = context.list.askedAt ?? byHand?.askedAt ?? null;
  if (!context.listIsOld && (askedAt === null || !isTooOld(clock, askedAt))) return null;
  const read = () => readFreshList(context, account, change.address.kind);
  const list = await untilShown(clock, read, (now) => context.sendsAgain(now) === null);
  const failed = (message: string) => ({ kind: 'failed', message, denied: false }) as const;
  if (list.problem !== null)
    return failed(`${liveId} was not activated: it had to wait, and ${list.problem}`);
  context.list = list;
  context.listIsOld = false;
  const others = new Set([...unplannedIds(list, change, planned), ...startedSince(list, change, planned)]);
  // Its own look has found it as it should be. An earlier copy of this start may have arrived by now.
  others.delete(liveId);
  if (others.size === 0) {
    const again = context.sendsAgain(list);
    return again === null ? null : failed(again);
  }
  context.moved = true;
  await rememberStarts(context, statusesAbout(change, list));
  const ids = [...others].join(', ');
  return failed(
    `${liveId} was not activated: ${ids} appeared with this name, or was switched on, while it waited. Run ${byHand === null ? `"${formatCommand('plan')}"` : 'the command'} again.`,
  );
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
  const again = `It was not changed. Run "${formatCommand('plan')}" again.`;
  if (finding === 'edited') return `${id} was edited after the plan was made. ${again}`;
  if (finding === 'begun')
    return `${id} had begun to go out${progressOf(live)}, so it was not stopped half-way. To stop it now, run "${formatCommand('broadcasts', 'pause', id, '--account', account.alias)}".`;
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
