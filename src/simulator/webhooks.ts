import { stringify } from 'lossless-json';
import type { Clock } from '../domain/ports.ts';
import type { AccountState, Outgoing } from './state.ts';
import { type World, isoTime } from './world.ts';
import { matchFaults, findFault } from './fault-shape.ts';

/** The kinds that the document names (EVENT-1). */
export type EventKind =
  | 'vault.media_upload.created'
  | 'vault.media_upload.updated'
  | 'fans.tip.received'
  | 'fans.subscription.new_subscriber'
  | 'fans.ppv.purchased'
  | 'firewall.message_guard.violation.svc_api';

/**
 * Both ids of the account are in every payload (EVENT-5). Ids of accounts are integers of any size (ACCOUNT-1). A
 * bigint is an integer in JSON. What happens in a pause is dropped (EVENT-2).
 */
export function emitEvent(
  world: World,
  { live }: AccountState,
  kind: EventKind,
  members: Readonly<Record<string, unknown>>,
): void {
  const { webhooks, nowMs } = world;
  if (webhooks.entries.length === 0) return;
  const created_at = isoTime(nowMs);
  webhooks.happened.push({ at: created_at, kind, account_id: live.id });
  // Assumed: the document shows no envelope (EVENT-1).
  const ids = { account_id: BigInt(live.id), platform_account_id: live.platform_account_id };
  const event = { id: `evt-${webhooks.nextEvent++}`, event: kind, created_at, ...ids, ...members };
  const entries = webhooks.entries.filter(
    ({ accounts, events }) =>
      (accounts?.includes(live.id) ?? true) &&
      (events?.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`)) ?? true),
  );
  if (entries.length === 0) return;
  const fault = findFault(matchFaults(world, 'webhook', { account_id: live.id }), 'webhook');
  if (fault?.how === 'lost') return;
  const dueMs = nowMs + (fault?.how === 'late' ? fault.late_sec * 1000 : 0);
  for (const { id: entry } of entries) {
    const outgoing = { entry, dueMs, body: stringify(event) ?? 'null' };
    if (nowMs < webhooks.pausedUntilMs) webhooks.dropped += 1;
    else webhooks.outgoing.push(outgoing, ...(fault?.how === 'twice' ? [outgoing] : []));
  }
}

/** One delivery. Resolves with the status, and rejects without an answer in time. */
export type PostEvent = (url: string, body: string) => Promise<number>;

/** Assumed: the time for an answer is not shown (EVENT-2). */
const TIMEOUT_MS = 5_000;

/** Sends a delivery over a socket. Redirects are not followed. */
const postOverSocket: PostEvent = async (url, body) => {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  await response.arrayBuffer();
  return response.status;
};

const TICK_MS = 50;

/** Sends the events of a world, one after the other. */
export class Courier {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #catchUp: () => void;
  readonly #post: PostEvent;
  #last: Promise<number> = Promise.resolve(0);
  #wakeUp: () => void = () => undefined;

  constructor(world: World, clock: Clock, catchUp: () => void, post: PostEvent = postOverSocket) {
    this.#world = world;
    this.#clock = clock;
    this.#catchUp = catchUp;
    this.#post = post;
  }

  /** Sends everything that is due. Resolves with the number of deliveries. */
  deliver(): Promise<number> {
    const drain = () => this.#drain();
    this.#last = this.#last.then(drain, drain);
    return this.#last;
  }

  /** Looks again whether there are entries. */
  wake(): void {
    this.#wakeUp();
  }

  /** Sends until the signal is aborted. It does nothing until an entry is registered. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.wake(), { once: true });
    while (!signal.aborted) {
      if (this.#world.webhooks.entries.length === 0) {
        await new Promise<void>((resolve) => (this.#wakeUp = resolve));
        continue;
      }
      await this.deliver();
      await this.#clock.sleep(TICK_MS, signal).catch(() => undefined);
    }
  }

  async #drain(): Promise<number> {
    for (let sent = 0; ; sent += 1) {
      this.#catchUp();
      const due = takeDue(this.#world);
      if (due === undefined) return sent;
      await deliverOne(this.#world, this.#post, due);
    }
  }
}

function takeDue({ webhooks, nowMs }: World): Outgoing | undefined {
  const [first] = webhooks.outgoing.toSorted((one, other) => one.dueMs - other.dueMs);
  if (first === undefined || first.dueMs > nowMs) return undefined;
  webhooks.outgoing.splice(webhooks.outgoing.indexOf(first), 1);
  return first;
}

/** A delivery that failed is never repeated (EVENT-2). */
async function deliverOne({ webhooks, nowMs }: World, post: PostEvent, outgoing: Outgoing): Promise<void> {
  const entry = webhooks.entries.find(({ id }) => id === outgoing.entry);
  // It was deleted meanwhile.
  if (entry === undefined) return;
  if (nowMs < webhooks.pausedUntilMs) {
    webhooks.dropped += 1;
    return;
  }
  const status = await post(entry.url, outgoing.body).catch(() => null);
  // Assumed: an answer below 500 is a response, whatever it says (EVENT-2).
  const hasFailed = status === null || status >= FIRST_FAILURE_STATUS;
  entry.failures = hasFailed ? entry.failures + 1 : 0;
  if (entry.failures < FAILURES_MAX) return;
  entry.failures = 0;
  webhooks.pausedUntilMs = nowMs + PAUSE_MS;
}

/** Assumed: "several consecutive deliveries" are three, and all accounts are of one organisation (EVENT-2). */
const FAILURES_MAX = 3;
const PAUSE_MS = 60_000;
const FIRST_FAILURE_STATUS = 500;
