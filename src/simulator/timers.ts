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

export const dueTimerShape = z.strictObject({ dueMs: z.number(), timer: timerShape });
interface DueTimer extends z.infer<typeof dueTimerShape> {}

interface Timed {
  readonly timers: DueTimer[];
}

/** Adds a timer in the order of their times. Of two with the same time, the one set first runs first. */
export function setTimer({ timers }: Timed, dueMs: number, timer: Timer): void {
  let [low, high] = [0, timers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timers[middle]?.dueMs ?? Infinity) <= dueMs) low = middle + 1;
    else high = middle;
  }
  timers.splice(low, 0, { dueMs, timer });
}

/** Takes the next timer that is due at `nowMs`, if any. */
export function takeDueTimer({ timers }: Timed, nowMs: number): DueTimer | undefined {
  const [first] = timers;
  return first === undefined || first.dueMs > nowMs ? undefined : timers.shift();
}
