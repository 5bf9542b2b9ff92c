import { createHmac } from 'node:crypto';
import { stringify } from 'lossless-json';
import type { Clock } from '../domain/ports.ts';
import { notFound, Refusal } from './answers.ts';
import type { FaultOf } from './fault-shape.ts';
import { matchWebhookFault } from './faults.ts';
import { addToLog, dropUndefined, isoTime } from './records.ts';
import {
  entryEditShape,
  entryInputShape,
  type AccountState,
  type Entry,
  type EntryEdit,
  type EntryInput,
  type Envelope,
  type Outgoing,
  type Signature,
} from './state.ts';
import { setTimer, type World } from './world.ts';

/** The limits of an organisation (EVENT-4). */
const ENTRIES_MAX = 100;
const PER_ACCOUNT_MAX = 2;
const IDENTICAL_MAX = 2;

/** The organisation of the default accounts. */
const ORGANISATION = '1';

/** Adds an entry. From now on the uploads of the world move by themselves, and not only when a list is read. */
export function addEntry(world: World, input: EntryInput): Entry {
  const entry: Entry = {
    id: String(world.webhooks.nextEntry),
    accounts: null,
    events: null,
    organisation_id: ORGANISATION,
    envelope: 'flat',
    signature: null,
    failures: 0,
    ...dropUndefined(entryInputShape.parse(input)),
  };
  requireLimits(world, [...world.webhooks.entries, entry], entry);
  world.webhooks.nextEntry += 1;
  world.webhooks.entries.push(entry);
  for (const { live, vault } of Object.values(world.accounts))
    for (const { id, nextMs } of vault.records)
      if (nextMs !== null) setTimer(world, nextMs, { kind: 'upload_move', account_id: live.id, id });
  return entry;
}

export function editEntry(world: World, id: string, edit: EntryEdit): Entry {
  const known = findEntry(world, id);
  const entry = { ...known, ...dropUndefined(entryEditShape.parse(edit)) };
  const others = world.webhooks.entries.filter((other) => other !== known);
  requireLimits(world, [...others, entry], entry);
  return Object.assign(known, entry);
}

export function removeEntry(world: World, id: string): void {
  const known = findEntry(world, id);
  world.webhooks.entries = world.webhooks.entries.filter((other) => other !== known);
}

function findEntry({ webhooks }: World, id: string): Entry {
  const found = webhooks.entries.find((entry) => entry.id === id);
  if (found === undefined) throw notFound(`Webhook ${id}`);
  return found;
}

/** Assumed: an entry without accounts counts for none of them (EVENT-4). */
function requireLimits(world: World, all: readonly Entry[], entry: Entry): void {
  const own = all.filter(({ organisation_id: id }) => id === entry.organisation_id);
  const requireAtMost = (most: number, what: string, isCounted: (one: Entry) => boolean) => {
    if (own.filter(isCounted).length > most) throw new Refusal(400, `at most ${most} ${what}`);
  };
  requireAtMost(ENTRIES_MAX, 'URLs for an organisation', () => true);
  requireAtMost(IDENTICAL_MAX, 'identical URLs for an organisation', ({ url }) => url === entry.url);
  for (const account of entry.accounts ?? []) {
    if (world.accounts[account] === undefined) throw notFound(`Account ${account}`);
    const isForAccount = ({ accounts }: Entry) => accounts?.includes(account) === true;
    requireAtMost(PER_ACCOUNT_MAX, `URLs for account ${account}`, isForAccount);
  }
}

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

/** One event before its envelope. In its payload a bigint is an integer in JSON. */
interface EventContent {
  readonly number: number;
  readonly kind: string;
  readonly atMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Both ids of the account are in every payload (EVENT-5). Ids of accounts are integers of any size (ACCOUNT-1). */
export function emitEvent(
  world: World,
  { live }: AccountState,
  kind: EventKind,
  members: Readonly<Record<string, unknown>>,
  atMs: number = world.nowMs,
): void {
  const { webhooks } = world;
  if (webhooks.entries.length === 0) return;
  const ids = { account_id: BigInt(live.id), platform_account_id: live.platform_account_id };
  const told: EventContent = { number: webhooks.nextEvent++, kind, atMs, payload: { ...ids, ...members } };
  webhooks.happened.push({ event: `evt-${told.number}`, at: isoTime(atMs), kind, account_id: live.id });
  const entries = webhooks.entries.filter(
    ({ organisation_id, accounts, events }) =>
      organisation_id === live.organisation_id &&
      (accounts?.includes(live.id) ?? true) &&
      (events?.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`)) ?? true),
  );
  if (entries.length === 0) return;
  const fault = matchWebhookFault(world, { account_id: live.id, event: kind });
  for (const entry of entries) send(world, entry, told, fault);
}

function send(world: World, entry: Entry, told: EventContent, fault: FaultOf<'webhook'> | undefined): void {
  const { webhooks, nowMs } = world;
  const { how, late_sec: lateSec = 0, copies = 0 } = fault ?? {};
  const put = ({ number, kind }: EventContent, delayMs = 0, overtaken = false): void => {
    const whole = writeEvent(entry.envelope, { ...told, number, kind });
    const body = how === 'truncated' ? whole.slice(0, whole.length / 2) : whole;
    const [dueMs, order] = [nowMs + delayMs, webhooks.nextOrder++];
    webhooks.outgoing.push({ event: `evt-${number}`, kind, entry: entry.id, dueMs, order, overtaken, body });
  };
  const isHeld = isPaused(world, entry);
  if (isHeld || how === 'lost') {
    const dropped = { event: `evt-${told.number}`, kind: told.kind, entry: entry.id };
    return recordDrop(world, dropped, isHeld ? 'pause' : 'fault');
  }
  if (how === 'out_of_order') return put(told, OVERTAKEN_WITHIN_MS, true);
  put(told, how === 'late' ? lateSec * 1000 : 0);
  if (how === 'twice') put(told);
  if (how === 'flood')
    for (let copy = 0; copy < copies; copy += 1)
      put({ ...told, number: webhooks.nextEvent++, kind: FLOOD_KIND });
  // What waited to be overtaken goes after the event that overtook it.
  for (const waiting of webhooks.outgoing) {
    if (!waiting.overtaken || waiting.entry !== entry.id) continue;
    Object.assign(waiting, { overtaken: false, dueMs: nowMs, order: webhooks.nextOrder++ });
  }
}

/** Notes an event that is never delivered. */
function recordDrop(
  { webhooks, nowMs }: World,
  { event, kind, entry }: Pick<Outgoing, 'event' | 'kind' | 'entry'>,
  why: 'pause' | 'fault',
): void {
  webhooks.drops.push({ at: isoTime(nowMs), event, kind, entry, why });
}

/** Whether the service sends nothing to the organisation of this entry for now (EVENT-2). */
function isPaused({ webhooks, nowMs }: World, { organisation_id: id }: Entry): boolean {
  return webhooks.pauses.some(({ organisation_id, untilMs }) => organisation_id === id && nowMs < untilMs);
}

/** Just above the integers that a JavaScript number holds. */
const BIG_IDS_FROM = 9_007_199_254_740_993n;

/** The body of a delivery. */
function writeEvent(envelope: Envelope, { number, kind, atMs, payload }: EventContent): string {
  const id = `evt-${number}`;
  const created_at = isoTime(atMs);
  const bodies: Readonly<Record<Envelope, object>> = {
    flat: { id, event: kind, created_at, ...payload },
    nested: { event: kind, data: { id: BIG_IDS_FROM + BigInt(number), created_at, ...payload } },
    typed: { type: kind, timestamp: Math.floor(atMs / 1000), payload },
    cloud: { specversion: '1.0', id, type: kind, time: created_at, data: payload },
  };
  return stringify(bodies[envelope]) ?? 'null';
}

/** The header of a signed delivery. */
function signBody({ header, secret, format }: Signature, body: string, nowMs: number) {
  const sign = (text: string, form: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', secret).update(text).digest(form);
  const sec = Math.floor(nowMs / 1000);
  const values: Readonly<Record<Signature['format'], string>> = {
    hex: sign(body),
    base64: sign(body, 'base64'),
    prefixed: `sha256=${sign(body)}`,
    timestamped: `t=${sec},v1=${sign(`${sec}.${body}`)}`,
  };
  return { [header]: values[format] };
}

/** One delivery. Resolves with the status, and rejects without an answer in time. */
export type PostEvent = (delivery: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}) => Promise<number>;

/** Sends a delivery over a socket. Redirects are not followed. */
export const postOverSocket: PostEvent = async ({ url, headers, body, timeoutMs }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  await response.arrayBuffer();
  return response.status;
};

/** Sends the events of a world. */
export interface Courier {
  /** Sends everything that is due. Resolves with the number of deliveries. */
  deliver(): Promise<number>;
  /** Sends until the signal is aborted. It does nothing until an entry is registered. */
  run(signal: AbortSignal): Promise<void>;
  /** Looks again whether there are entries. */
  wake(): void;
}

interface CourierPorts {
  readonly clock: Clock;
  readonly catchUp: () => void;
  readonly post: PostEvent;
}

const TICK_MS = 50;
const FIRST_FAILURE_STATUS = 500;

export function createCourier(world: World, { clock, catchUp, post }: CourierPorts): Courier {
  let last: Promise<number> = Promise.resolve(0);
  let wakeUp: () => void = () => undefined;
  const drain = async (): Promise<number> => {
    let sent = 0;
    for (;;) {
      catchUp();
      const group = takeDue(world);
      if (group.length === 0) return sent;
      await Promise.all(group.map((outgoing) => deliverOne(world, post, outgoing)));
      sent += group.length;
    }
  };
  const deliver = (): Promise<number> => {
    last = last.then(drain, drain);
    return last;
  };
  return {
    deliver,
    wake: () => wakeUp(),
    async run(signal) {
      signal.addEventListener('abort', () => wakeUp(), { once: true });
      while (!signal.aborted) {
        if (world.webhooks.entries.length === 0) {
          await new Promise<void>((resolve) => (wakeUp = resolve));
          continue;
        }
        await deliver();
        await clock.sleep(TICK_MS, signal).catch(() => undefined);
      }
    },
  };
}

/** The first that is due. A flood is sent at once. */
function takeDue({ webhooks, nowMs }: World): readonly Outgoing[] {
  const due = webhooks.outgoing.filter(({ dueMs }) => dueMs <= nowMs);
  const [first] = due.sort((one, other) => one.dueMs - other.dueMs || one.order - other.order);
  const isTaken = (one: Outgoing): boolean =>
    one === first || (first?.kind === FLOOD_KIND && one.kind === FLOOD_KIND && one.entry === first.entry);
  const taken = due.filter(isTaken);
  webhooks.outgoing = webhooks.outgoing.filter((one) => !taken.includes(one));
  return taken;
}

/** A delivery that failed is never repeated (EVENT-2). */
async function deliverOne(world: World, post: PostEvent, outgoing: Outgoing): Promise<void> {
  const { webhooks, modes } = world;
  const { event, kind, body } = outgoing;
  const entry = webhooks.entries.find(({ id }) => id === outgoing.entry);
  // It was deleted meanwhile.
  if (entry === undefined) return;
  if (isPaused(world, entry)) return recordDrop(world, outgoing, 'pause');
  const { url, signature } = entry;
  const headers = {
    'content-type': 'application/json',
    ...(signature === null ? {} : signBody(signature, body, world.nowMs)),
  };
  const timeoutMs = modes.webhookTimeoutSec * 1000;
  const status = await post({ url, headers, body, timeoutMs }).catch(() => null);
  addToLog(webhooks.deliveries, { at: isoTime(world.nowMs), event, kind, entry: entry.id, url, status });
  countFailure(world, entry, status);
}

/** Assumed: an answer below 500 is a response, whatever it says (EVENT-2). */
function countFailure({ modes, webhooks, nowMs }: World, entry: Entry, status: number | null): void {
  const hasFailed = status === null || status >= FIRST_FAILURE_STATUS;
  entry.failures = hasFailed ? entry.failures + 1 : 0;
  if (entry.failures < modes.webhookFailuresMax) return;
  entry.failures = 0;
  webhooks.pauses.push({
    organisation_id: entry.organisation_id,
    from: isoTime(nowMs),
    untilMs: nowMs + modes.webhookPauseSec * 1000,
  });
}
