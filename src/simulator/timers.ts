import * as z from 'zod';

const object = { account_id: z.string(), id: z.string() };

/** Events that happen by themselves at a virtual time. A timer without a reason does nothing. */
const timerShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('campaign_archive'), ...object }),
  z.strictObject({ kind: z.literal('campaign_recalled'), ...object }),
  z.strictObject({ kind: z.literal('campaign_send'), ...object, send: z.int() }),
  z.strictObject({ kind: z.literal('broadcast_due'), ...object }),
  z.strictObject({ kind: z.literal('broadcast_run'), account_id: z.string() }),
  z.strictObject({ kind: z.literal('broadcast_send'), ...object }),
  z.strictObject({ kind: z.literal('broadcast_end'), ...object }),
  z.strictObject({ kind: z.literal('broadcast_archive'), ...object }),
  /** Only set while an entry for events exists. */
  z.strictObject({ kind: z.literal('upload_move'), ...object }),
  /** The message guard stops a queued chat message; `id` is its `send_id`. */
  z.strictObject({ kind: z.literal('chat_blocked'), ...object, chat_id: z.string(), key: z.string() }),
  z.strictObject({
    kind: z.literal('late_rewrite'),
    ...object,
    of: z.enum(['campaign', 'broadcast']),
    from: z.string(),
    to: z.string(),
  }),
  /** A request with a lost answer that is executed later. */
  z.strictObject({ kind: z.literal('late_commit'), call: z.record(z.string(), z.unknown()) }),
]);
export type Timer = z.infer<typeof timerShape>;
export type TimerOf<Kind extends Timer['kind']> = Extract<Timer, { kind: Kind }>;

export const dueTimerShape = z.strictObject({ dueMs: z.number(), order: z.int(), timer: timerShape });
interface DueTimer extends z.infer<typeof dueTimerShape> {}

interface Timed {
  timers: DueTimer[];
  nextTimerOrder: number;
}

/** Adds a timer to the heap. Of two with the same time, the one set first runs first. */
export function setTimer(world: Timed, dueMs: number, timer: Timer): void {
  const heap = world.timers;
  const entry = { dueMs, order: world.nextTimerOrder++, timer };
  let place = heap.push(entry) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || isBefore(above, entry)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = entry;
}

/** Takes the next timer that is due at `nowMs`, if any. */
export function takeDueTimer(world: Timed, nowMs: number): DueTimer | undefined {
  const heap = world.timers;
  const first = heap[0];
  if (first === undefined || first.dueMs > nowMs) return undefined;
  const last = heap.pop();
  if (last !== undefined && heap.length > 0) sink(heap, last);
  return first;
}

function sink(heap: DueTimer[], entry: DueTimer): void {
  let place = 0;
  for (;;) {
    const left = heap[2 * place + 1];
    const right = heap[2 * place + 2];
    const goesRight = left !== undefined && right !== undefined && isBefore(right, left);
    const below = goesRight ? right : left;
    if (below === undefined || isBefore(entry, below)) break;
    heap[place] = below;
    place = 2 * place + (goesRight ? 2 : 1);
  }
  heap[place] = entry;
}

function isBefore(left: DueTimer, right: DueTimer): boolean {
  return left.dueMs === right.dueMs ? left.order < right.order : left.dueMs < right.dueMs;
}
