import { KIND_CALLS } from '../api/kind-calls.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Send } from '../api/client.ts';
import type { Exchange } from '../api/exchange.ts';
import { SCHEDULE_LEAD_MS } from '../domain/broadcast.ts';
import { momentOf } from '../domain/elapsed.ts';
import { creatingCommand } from '../domain/creating-command.ts';
import { contentDigest } from '../domain/media.ts';
import { hiddenDigest } from '../domain/hidden.ts';
import type { BroadcastReply, CampaignReply } from '../domain/replies.ts';
import type { Declared } from '../domain/resource.ts';
import { broadcastBody, campaignBody } from '../api/create-bodies.ts';
import { joinSentences } from '../domain/join-sentences.ts';
import { failure, type StepResult } from './call-result.ts';
import { movedBeforeCreate, readFreshList, type FreshList } from './fresh-list.ts';
import { rememberCreated } from '../requests/created.ts';
import { FreshReading } from '../requests/fresh-reading.ts';
import { learnRewrites } from './learn-rewrites.ts';
import { rememberStarts, statusesAbout } from './remember.ts';
import { recordedCall, type CallIntent } from './recorded-call.ts';
import { serviceNowMs, type StepContext } from './step-context.ts';
import { untilShown } from './until-shown.ts';
import { earlierMediaWords, withMedia, type EarlierMedia } from './step-upload.ts';

type Reply = CampaignReply | BroadcastReply;
type CreateContext = StepContext & { readonly declared: Declared };

/**
 * Creates the declared resource, once. The intent is on the disk before the request leaves; an answer
 * that is lost leaves it open and is reported as unknown, never repeated.
 */
export async function createStep(context: StepContext): Promise<StepResult> {
  if (!isDeclared(context)) throw new Error('a create needs what is declared');
  const media = await withMedia(context, context.declared);
  if ('result' in media) return media.result;
  const { declared } = media;
  // Asked once its files are there: they take as long as they take.
  const moved = context.listIsOld ? await refreshListBeforeCreate(context) : null;
  if (moved !== null) return { kind: 'failed', message: moved, denied: false };
  const askedAt = context.list.askedAt ?? momentOf(context.clock);
  const readAgain = async () => {
    const why = await refreshListBeforeCreate(context);
    if (why !== null) throw new Error(why);
    return intentOf(context, declared);
  };
  // At a very low rate each list is old before it is used. The final scan finds what is live twice.
  const goesBy = new FreshReading(context.clock, { askedAt, value: intentOf(context, declared) }, readAgain, {
    mustBeFresh: false,
  });
  const result = await recordedCall<Reply>(context, {
    operation: KIND_CALLS[declared.kind].create,
    intent: goesBy.value,
    send: createCall(context, declared),
    beforeSend: () => tooLate(context) ?? denied(context),
    goesBy,
    remember: rememberCreated,
  });
  return result.kind === 'not_begun' ? result.result : understand(context, result, media);
}

/** The same in the place of something else that was refused: the list was read before that. */
export function createInstead(context: StepContext): Promise<StepResult> {
  context.listIsOld = true;
  return createStep(context);
}

function isDeclared(context: StepContext): context is CreateContext {
  return context.declared !== null;
}

/** `filled` is what is declared, with the media ids of its files. */
function intentOf(context: CreateContext, filled: Declared): CallIntent {
  const { content, protect } = context.declared;
  return {
    call: 'create',
    live_id: null,
    target: null,
    purpose: null,
    content: contentDigest(content),
    hidden: hiddenDigest(content.audience_filters),
    ...(protect ? { protect } : {}),
    wanted: {
      content: filled.content,
      scheduled_at: scheduleOf(context.declared),
    },
    supersedes: supersededBy(context),
    baseline: [...(context.list.idsByName.get(context.change.address.name) ?? [])],
  };
}

/** Null for what has none: a campaign, and a broadcast that is sent at once. */
function scheduleOf(declared: Declared): string | null {
  return declared.kind === 'broadcast' && declared.atOnce !== true ? declared.scheduledAtUtc : null;
}

function createCall({ client, account }: CreateContext, declared: Declared): Send<Reply> {
  const params = { account_id: account.accountId };
  return declared.kind === 'campaign'
    ? client.prepare('campaigns.create', { params, body: campaignBody(declared) })
    : client.prepare('broadcasts.create', { params, body: broadcastBody(declared) });
}

async function understand(
  context: CreateContext,
  result: Exchange<Reply>,
  { declared: filled, earlier }: { readonly declared: Declared; readonly earlier: readonly EarlierMedia[] },
): Promise<StepResult> {
  const { account, declared } = context;
  if (result.kind === 'unknown') return { kind: 'unknown', message: lostWords(context, result) };
  if (result.kind !== 'done') {
    const failed = failure(result);
    if (result.kind !== 'refused' || failed.kind !== 'failed' || failed.denied) return failed;
    return { ...failed, message: joinSentences([failed.message, earlierMediaWords(earlier, account)]) };
  }
  const { id, account_id: accountId, name } = result.reply;
  if (accountId !== null && accountId !== undefined && accountId !== account.accountId) {
    return {
      kind: 'unknown',
      message: `The answer says that ${id} was created on account ${accountId} instead of ${account.accountId}. Check both accounts on the service.`,
    };
  }
  context.createdId = id;
  const notes = [
    name === declared.address.name ? null : `the service rewrote the name to ${JSON.stringify(name ?? null)}`,
    await learnRewrites(context, filled, result.reply),
  ].filter((note) => note !== null);
  return { kind: 'ok', liveId: id, ...(notes.length === 0 ? {} : { note: notes.join('; ') }) };
}

/** What may exist, where, and what to do about it. */
function lostWords(context: CreateContext, lost: { problem: { what: string }; sentAtMs: number }): string {
  const { account, declared, settleMs } = context;
  const { title } = KIND_ROWS[declared.kind];
  const until = new Date(Math.ceil((lost.sentAtMs + settleMs) / 1000) * 1000)
    .toISOString()
    .replace('.000Z', 'Z');
  return joinSentences([
    `Unconfirmed: ${title} "${declared.address.name}" may exist on account ${account.alias}: ${lost.problem.what}`,
    `Do not create it by hand. Run "${creatingCommand(declared)}" after ${until}: it adopts it if it exists, and creates it if not.`,
  ]);
}

/**
 * Reads the list again if the create had to wait, because another run may have created it (LOST-1, FAULT-7).
 */
async function refreshListBeforeCreate(context: CreateContext): Promise<string | null> {
  const { account, change } = context;
  const movedIn = (now: FreshList) => movedBeforeCreate(now, change, context.planned, context.declared);
  const list = await untilShown(
    context.clock,
    () => readFreshList(context, account, change.address.kind),
    // Only what this run has set itself may show later (ERROR-15).
    (now) => (context.ownStatuses.size === 0 || movedIn(now) === null) && context.sendsAgain(now) === null,
  );
  if (list.problem !== null) return `Not created: it had to wait, and ${list.problem}`;
  context.list = list;
  context.listIsOld = false;
  const moved = movedIn(list);
  context.moved = moved !== null;
  if (moved !== null) await rememberStarts(context, statusesAbout(change, list));
  return moved ?? context.sendsAgain(list);
}

/** Called before the intent and again right before the send: a wait in the queue may have used up the time. */
function tooLate(context: CreateContext): string | null {
  const { declared } = context;
  if (declared.kind !== 'broadcast' || declared.atOnce === true) return null;
  const leadMs = Date.parse(declared.scheduledAtUtc) - serviceNowMs(context);
  if (leadMs >= SCHEDULE_LEAD_MS) return null;
  return `Not created: its time ${declared.scheduledAtUtc} has passed or is less than ${SCHEDULE_LEAD_MS / 60_000} minutes away, and the service sends a past schedule immediately. To send it, change scheduled_at`;
}

/** A broadcast that is sent at once may leave long after its plan. */
function denied(context: CreateContext): string | null {
  const why = context.deniedNow(context.declared, serviceNowMs(context));
  return why === null ? null : `Not created, because the policy in herald.yaml denies it by now: ${why}`;
}

/** The versions that this create replaces. */
function supersededBy({ change }: StepContext): string[] {
  if (change.action !== 'replace') return [];
  const paused = change.steps
    .filter(({ kind }) => kind === 'pause' || kind === 'archive' || kind === 'check_not_left')
    .map((step) => step.live_id);
  return [...new Set([change.live_id, ...paused])].filter((id) => id !== null);
}
