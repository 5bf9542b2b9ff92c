import { matchWebhookFault } from '../faults.ts';
import type { FaultOf } from '../fault-shape.ts';
import { isoTime } from '../records.ts';
import type { AccountState } from '../state.ts';
import type { World } from '../world.ts';
import { bodyOf, type Payload, type EventContent } from './envelope.ts';
import type { Entry, Outgoing } from './state.ts';

/** The kinds that the document names (EVENT-1), and two that it does not. */
export type EventKind =
  | 'vault.media_upload.created'
  | 'vault.media_upload.updated'
  | 'fans.tip.received'
  | 'fans.subscription.new_subscriber'
  | 'fans.ppv.purchased'
  | 'firewall.message_guard.violation.svc_api'
  | 'chat.message.received'
  | 'chat.message.read';

/** A kind that no receiver knows, for floods. */
const FLOOD_KIND = 'simulator.flood';

/** An event that has to be sent after the next one is not kept for longer than this. */
const OVERTAKEN_WITHIN_MS = 5_000;

/** Both ids of the account are in every payload (EVENT-5). Ids of accounts are integers of any size (ACCOUNT-1). */
export function emitEvent(
  world: World,
  { live }: AccountState,
  kind: EventKind,
  members: Payload,
  atMs: number = world.nowMs,
): void {
  const { webhooks } = world;
  if (webhooks.entries.length === 0) return;
  const payload = {
    account_id: BigInt(live.id),
    platform_account_id: live.platform_account_id,
    ...members,
  };
  const told: EventContent = { number: webhooks.nextEvent, kind, atMs, payload };
  webhooks.nextEvent += 1;
  const event = `evt-${told.number}`;
  webhooks.happened.push({ event, at: isoTime(atMs), kind, account_id: live.id });
  const isFor = (entry: Entry) =>
    entry.organisation_id === live.organisation_id &&
    (entry.accounts?.includes(live.id) ?? true) &&
    (entry.events?.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`)) ?? true);
  const entries = webhooks.entries.filter(isFor);
  if (entries.length === 0) return;
  const fault = matchWebhookFault(world, { account_id: live.id, event: kind });
  for (const entry of entries) send(world, entry, told, fault);
}

function send(world: World, entry: Entry, told: EventContent, fault: FaultOf<'webhook'> | undefined): void {
  const event = `evt-${told.number}`;
  const dropped = (why: 'pause' | 'fault') =>
    void world.webhooks.drops.push({
      at: isoTime(world.nowMs),
      event,
      kind: told.kind,
      entry: entry.id,
      why,
    });
  if (isPaused(world, entry)) return dropped('pause');
  if (fault?.how === 'lost') return dropped('fault');
  const whole = bodyOf(entry.envelope, told);
  const body = fault?.how === 'truncated' ? whole.slice(0, whole.length / 2) : whole;
  const group = world.webhooks.nextOrder;
  const put = (more: Partial<Outgoing> = {}) =>
    putOutgoing(world, {
      event,
      entry: entry.id,
      kind: told.kind,
      dueMs: world.nowMs,
      group,
      overtaken: false,
      body,
      ...more,
    });
  if (fault?.how === 'late') put({ dueMs: world.nowMs + fault.late_sec * 1000 });
  else if (fault?.how === 'out_of_order')
    return put({ dueMs: world.nowMs + OVERTAKEN_WITHIN_MS, overtaken: true });
  else put();
  if (fault?.how === 'twice') put({ group: world.webhooks.nextOrder });
  if (fault?.how === 'flood')
    for (let copy = 0; copy < fault.copies; copy += 1) {
      const flood = { ...told, number: world.webhooks.nextEvent++, kind: FLOOD_KIND };
      const text = bodyOf(entry.envelope, flood);
      put({ event: `evt-${flood.number}`, kind: FLOOD_KIND, body: text });
    }
  releaseOvertaken(world, entry);
}

function putOutgoing({ webhooks }: World, outgoing: Omit<Outgoing, 'order'>): void {
  webhooks.outgoing.push({ ...outgoing, order: webhooks.nextOrder });
  webhooks.nextOrder += 1;
}

/** What waited to be overtaken goes after the event that overtook it. */
function releaseOvertaken({ webhooks, nowMs }: World, entry: Entry): void {
  for (const waiting of webhooks.outgoing) {
    if (!waiting.overtaken || waiting.entry !== entry.id) continue;
    waiting.overtaken = false;
    waiting.dueMs = nowMs;
    waiting.order = webhooks.nextOrder;
    webhooks.nextOrder += 1;
  }
}

/** Whether the service sends nothing to the organisation of this entry for now (EVENT-2). */
export function isPaused({ webhooks, nowMs }: World, { organisation_id: id }: Entry): boolean {
  return webhooks.pauses.some(({ organisation_id, untilMs }) => organisation_id === id && nowMs < untilMs);
}
