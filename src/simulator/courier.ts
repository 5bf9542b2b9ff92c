import type { Clock } from '../domain/ports.ts';
import { addToLog, isoTime } from './records.ts';
import type { Entry, Outgoing } from './webhook-state.ts';
import { isPaused, recordDrop, signBody } from './webhooks.ts';
import type { World } from './world.ts';

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

/** The first that is due, with all of its group. */
function takeDue({ webhooks, nowMs }: World): readonly Outgoing[] {
  const due = webhooks.outgoing.filter(({ dueMs }) => dueMs <= nowMs);
  const [first] = due.sort((one, other) => one.dueMs - other.dueMs || one.order - other.order);
  const taken = due.filter(({ group, entry }) => group === first?.group && entry === first.entry);
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
