import { conflict } from './answers.ts';
import { drawBelow } from './random.ts';
import { BY_SERVICE, recallDispatches, recordCommit, recordDispatch, type Cause } from './records.ts';
import type { Campaign } from './state.ts';
import { setTimer } from './timers.ts';
import { getAccount, type World } from './world.ts';

/** A paused campaign is archived after seven days (CAMPAIGN-9). */
const AUTO_ARCHIVE_MS = 7 * 86_400_000;
/** A recall covers the messages of the last 24 hours. */
const RECALL_REACH_MS = 86_400_000;

/**
 * Changes the status; setting the current status again is allowed (CAMPAIGN-7). With `partly` the queue stays as it is,
 * as if the change had stopped half-way.
 *
 * | requested | from any status                                         |
 * |-----------|---------------------------------------------------------|
 * | active    | reacts to its trigger again; sends what a pause delayed |
 * | paused    | stops reacting; keeps its queue                         |
 * | archived  | stops permanently; clears its queue                     |
 */
export function setCampaignStatus(
  world: World,
  campaign: Campaign,
  status: 'active' | 'paused' | 'archived',
  cause: Cause,
  partly = false,
): void {
  const { modes, nowMs } = world;
  const { live } = campaign;
  if (status === 'active' && live.status === 'archived' && modes.archivedToActive === 'refuse')
    throw conflict('an archived campaign cannot be activated');
  const isRepeatedPause = status === 'paused' && live.status === 'paused';
  if (!isRepeatedPause || modes.samePauseRestartsClock) campaign.statusSinceMs = nowMs;
  live.status = status;
  setCampaignTimers(world, campaign);
  if (!partly && status === 'archived') campaign.queue = [];
  if (!partly && status === 'active')
    for (const { send, due_ms } of campaign.queue)
      if (due_ms <= nowMs) setSendTimer(world, campaign, send, nowMs);
  recordCommit(world, cause, campaign, 'status');
}

/** Sets the timers for its current status. Also called after creates, seeds and edits. */
export function setCampaignTimers(world: World, campaign: Campaign): void {
  const { account_id, id, status } = campaign.live;
  if (status === 'paused')
    setTimer(world, campaign.statusSinceMs + AUTO_ARCHIVE_MS, { kind: 'campaign_archive', account_id, id });
  if (status === 'recalling')
    setTimer(world, recallEndMs(world, campaign), { kind: 'campaign_recalled', account_id, id });
}

function setSendTimer(world: World, { live }: Campaign, send: number, dueMs: number): void {
  const { account_id, id } = live;
  setTimer(world, dueMs, { kind: 'campaign_send', account_id, id, send });
}

function recallEndMs(world: World, campaign: Campaign): number {
  return campaign.statusSinceMs + world.modes.recallDelaySec * 1000;
}

/** Only an active or paused campaign can be recalled. A repeat during the recall is refused (CAMPAIGN-12). */
export function recallCampaign(world: World, campaign: Campaign, cause: Cause): void {
  const { live } = campaign;
  if (live.status !== 'active' && live.status !== 'paused')
    throw conflict(`a campaign that is ${live.status ?? 'in another state'} cannot be recalled`);
  live.status = 'recalling';
  campaign.statusSinceMs = world.nowMs;
  campaign.queue = [];
  live.stats.unsent_messages_count += recallDispatches(world, campaign, world.nowMs - RECALL_REACH_MS);
  setCampaignTimers(world, campaign);
  recordCommit(world, cause, campaign, 'unsend');
}

export function archivePaused(world: World, campaign: Campaign): void {
  if (campaign.live.status !== 'paused' || campaign.statusSinceMs + AUTO_ARCHIVE_MS > world.nowMs) return;
  setCampaignStatus(world, campaign, 'archived', BY_SERVICE);
}

export function finishRecall(world: World, campaign: Campaign): void {
  if (campaign.live.status !== 'recalling' || recallEndMs(world, campaign) > world.nowMs) return;
  campaign.live.status = 'recalled';
  campaign.statusSinceMs = world.nowMs;
  recordCommit(world, BY_SERVICE, campaign, 'status');
}

/**
 * A fan fires a trigger: every active campaign with that trigger queues a send. Returns the number of sends. Audience
 * filters are not applied: the document does not define which fans they select.
 */
export function fireTrigger(world: World, accountId: string, trigger: string, fanId: string): number {
  const matching = Object.values(getAccount(world, accountId).campaigns).filter(({ live }) => {
    const { status, action, rules } = live;
    const hasEnded = typeof rules['end_at'] === 'string' && Date.parse(rules['end_at']) <= world.nowMs;
    return status === 'active' && live.trigger === trigger && action === 'send_message' && !hasEnded;
  });
  for (const campaign of matching) {
    const send = world.nextSend++;
    const { min_sec = 0, range_sec = 0 } = Object(campaign.live.rules['send_delay_interval']);
    const dueMs = world.nowMs + (min_sec + drawBelow(world, range_sec + 1)) * 1000;
    campaign.queue.push({ send, fan_id: fanId, due_ms: dueMs });
    campaign.live.targeted_sends_count += 1;
    setSendTimer(world, campaign, send, dueMs);
  }
  return matching.length;
}

/**
 * A queued send is due. A pause holds it, or the queue drains (CAMPAIGN-8). Other queued sends go out, also those
 * of a campaign that was only half archived.
 */
export function sendQueued(world: World, campaign: Campaign, send: number): void {
  const place = campaign.queue.findIndex((queued) => queued.send === send);
  const queued = campaign.queue[place];
  if (queued === undefined) return;
  if (campaign.live.status === 'paused' && world.modes.pausedQueue === 'hold') return;
  campaign.queue.splice(place, 1);
  campaign.live.stats.sent_messages_count += 1;
  recordDispatch(world, campaign, queued.fan_id);
}
