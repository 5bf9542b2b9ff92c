import { expect, it } from 'vitest';
import { ApiKey } from '../../src/api/key.ts';
import { Limiter } from '../../src/api/limiter.ts';
import { createEvent } from '../../src/events/event.ts';
import { reconcileEvents } from '../../src/events/reconcile.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { aClientScene } from '../api/client-scene.ts';
import { Dice } from '../chaos/dice.ts';
import { addAll, eventsIn, eventStoreAt } from '../helpers/event-builders.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** HERALD_EVENT_RUNS sets another number. */
const RUNS = Number(process.env['HERALD_EVENT_RUNS'] ?? 20);
const STEPS = 12;
/** On a machine that is busy. */
const RUN_MS_MAX = 5_000;

const ACCOUNTS = [
  { alias: 'alice', accountId: '101', platform: 'platform_a', platformAccountId: '9101' },
  { alias: 'bella', accountId: '102', platform: 'platform_a', platformAccountId: '9102' },
];
const FAULTS = ['lost', 'twice', 'late'] as const;

/** A receiver that can be down, and a service that sends to it. */
function aStage(seed: number) {
  const drawn = new Dice(seed);
  const clock = flowClock();
  const store = eventStoreAt({ kind: 'sqlite', directory: temporaryFolder() });
  const receiver = { isUp: true };
  const simulator = createSimulator(
    createWorld({
      seed,
      modes: { rates: 'none', webhookNames: drawn.pick(['full', 'bare']) },
    }),
    {
      clock,
      post: async (_url, body) => {
        if (!receiver.isUp) throw new Error('down');
        await addAll(store, createEvent(Buffer.from(body), clock.now()));
        return 200;
      },
    },
  );
  simulator.control.setData({ transactions: 0, subscriptions: 0 });
  simulator.control.addWebhook({ url: 'http://receiver.test/' });
  return { drawn, clock, store, receiver, simulator };
}

type Stage = ReturnType<typeof aStage>;

/** Time must not jump to the end of the call's own deadline. */
const sleep = () => new Promise<void>(() => undefined);

async function step({ drawn, clock, receiver, simulator }: Stage): Promise<void> {
  const { control, courier } = simulator;
  switch (drawn.pick(['act', 'act', 'act', 'act', 'wait', 'fault', 'down', 'up'])) {
    case 'act':
      act(drawn, simulator);
      // The list of subscriptions has no ids, and no fan subscribes twice in a second.
      clock.move(1_000);
      break;
    case 'wait':
      clock.move(1_000 * drawn.pick([1, 20, 61, 400]));
      break;
    case 'fault':
      control.addFault({ kind: 'webhook', how: drawn.pick(FAULTS), times: drawn.pick([1, 2]) });
      break;
    case 'down':
      receiver.isUp = false;
      break;
    case 'up':
      receiver.isUp = true;
  }
  await courier.deliver();
  clock.move(1_000 * drawn.pick([0, 1, 5]));
}

function act(drawn: Dice, { control }: Simulator): void {
  const who = { account_id: drawn.pick(['101', '102']), fan_id: drawn.pick(['5550001', '5550002']) };
  const amount = drawn.pick([5, 5, 10]);
  const does = drawn.pick(['tip', 'tip', 'purchase', 'subscribe'] as const);
  if (does === 'subscribe') control.fanActs({ ...who, does });
  else control.fanActs({ ...who, does, amount });
}

async function reconcile({ simulator, clock, store }: Stage): Promise<number> {
  const rates = new Limiter(clock, 1);
  const key = new ApiKey('sim-key');
  const { client } = aClientScene(simulator.fetch, { key, rates, clock: { ...clock, sleep } });
  const added = await reconcileEvents(client, store, {
    accounts: ACCOUNTS,
    primary: 'platform_a',
    sinceMs: Date.UTC(2026, 5, 1, 11),
    nowMs: clock.now(),
  });
  return added.length;
}

/**
 * Kind, account and time of each, so that a surplus and a loss are seen. An event that does not name its transaction stands
 * for any payment near to it in time, so times say nothing then.
 */
function told(
  happened: readonly { kind: string | null; account: string | null; at: string | null }[],
  names: 'full' | 'bare',
) {
  const timed = happened.map(({ kind, account, at }) => [kind, account, at?.slice(0, 19)] as const);
  return timed.map((one) => one.slice(0, names === 'full' ? 3 : 2).join(' ')).toSorted();
}

it(
  `every event that lists show is there exactly once, in ${RUNS} runs with pauses, losses and repetitions`,
  async () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const stage = aStage(seed);
      for (let count = 0; count < STEPS; count += 1) {
        await step(stage);
        if (stage.drawn.oneIn(7)) await reconcile(stage);
      }
      stage.receiver.isUp = true;
      stage.clock.move(120_000);
      await stage.simulator.courier.deliver();
      stage.clock.move(120_000);
      await reconcile(stage);
      expect(await reconcile(stage), `seed ${seed}: nothing is added twice`).toBe(0);
      const { happened } = stage.simulator.control.oracle().webhooks;
      const names = stage.simulator.world.modes.webhookNames;
      const stored = (await eventsIn(stage.store)).filter(({ kind }) => kind?.startsWith('fans.') === true);
      const known = stored.map(({ kind, account_id: account, time }) => ({ kind, account, at: isoOf(time) }));
      const due = happened.map(({ kind, account_id: account, at }) => ({ kind, account, at }));
      expect(told(known, names), `seed ${seed}`).toEqual(told(due, names));
    }
  },
  RUNS * RUN_MS_MAX,
);

function isoOf(time: string | null): string | null {
  return time !== null && /^\d+$/.test(time) ? new Date(Number(time) * 1000).toISOString() : time;
}
