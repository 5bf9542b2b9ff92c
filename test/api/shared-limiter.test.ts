import { describe, expect, it } from 'vitest';
import { SharedLimiter } from '../../src/api/shared-limiter.ts';
import type { Bucket } from '../../src/domain/rate-budget.ts';
import type { RateAnswer, RateMessage } from '../../src/domain/rate-store.ts';
import { StateError } from '../../src/domain/state-error.ts';
import { eventClock } from './event-clock.ts';

const token: Bucket = { key: 'token', perSecond: 25 };
const list: Bucket = { key: 'list', perSecond: 5 };
const never = () => new Promise<never>(() => undefined);
const gone = () =>
  Promise.reject(new StateError('state-unreachable', 'db cannot be reached: no', 'Check it.'));

/** A process with a store that answers as the test says. Until it says, everything that is asked for is granted. */
function aProcess(share = 1) {
  const clock = eventClock();
  const messages: RateMessage[] = [];
  const aloneBecause: string[] = [];
  let leave: () => Promise<void> = async () => undefined;
  const grantAll = async ({ asks, first }: RateMessage): Promise<RateAnswer> => ({
    granted: asks.map((queue, index) => ({ queue, number: first + index, in_ms: 0 })),
    again_ms: null,
  });
  const scene: { answer: (message: RateMessage) => Promise<RateAnswer> } = { answer: grantAll };
  const limiter = new SharedLimiter({
    clock,
    share,
    store: {
      exchange: (message) => {
        messages.push(message);
        return scene.answer(message);
      },
      beforeClose: (work) => (leave = work),
    },
    tokenScope: 'hash',
    urgency: () => 'plan',
    run: 'run',
    onAlone: (reason) => void aloneBecause.push(reason),
  });
  const grantedAt = async (...buckets: Bucket[]) => {
    const slot = await limiter.acquire(buckets);
    const atMs = clock.monotonicMs();
    slot.answered();
    return atMs;
  };
  return { clock, limiter, messages, aloneBecause, scene, grantAll, grantedAt, leave: () => leave() };
}

describe('a process that shares its rates', () => {
  it('asks once for all requests of a moment, in the order of asking, and names no key', async () => {
    const { clock, limiter, messages } = aProcess();
    const asked = [[token, list], [token], [token, list]].map((buckets) => limiter.acquire(buckets));
    await clock.run(Promise.all(asked));
    expect(messages).toHaveLength(1);
    expect(messages[0]?.asks).toEqual([0, 1, 0]);
    expect(
      messages[0]?.queues.map(({ buckets, waiting }) => [buckets.map(({ bucket }) => bucket), waiting]),
    ).toEqual([
      [['token', 'list'], 2],
      [['token'], 1],
    ]);
    expect(messages[0]?.scopes).toEqual(['hash']);
  });

  it('sends a request at the begin of its grant, not before', async () => {
    const { clock, scene, grantedAt } = aProcess();
    scene.answer = async ({ first }) => ({
      granted: [{ queue: 0, number: first, in_ms: 250 }],
      again_ms: null,
    });
    expect(await clock.run(grantedAt(token))).toBe(250);
  });

  it('asks again when the answer says so', async () => {
    const { clock, scene, messages, grantAll, grantedAt } = aProcess();
    scene.answer = async () => {
      scene.answer = grantAll;
      return { granted: [], again_ms: 700 };
    };
    expect(await clock.run(grantedAt(token))).toBe(700);
    expect(messages.map(({ turn }) => turn)).toEqual([1, 2]);
  });

  it('reports answers soon, and several at once', async () => {
    const { clock, limiter, messages } = aProcess();
    const slots = await clock.run(Promise.all([limiter.acquire([token]), limiter.acquire([token])]));
    slots[0]?.answered();
    await clock.run(clock.sleep(100));
    slots[1]?.answered();
    await clock.run(clock.sleep(200));
    expect(messages).toHaveLength(2);
    expect(messages[1]?.answered).toEqual([
      { number: 1, ago_ms: 150 },
      { number: 2, ago_ms: 50 },
    ]);
  });

  it('is heard every three seconds while a request is under way', async () => {
    const { clock, limiter, messages } = aProcess();
    const slot = await clock.run(limiter.acquire([token]));
    await clock.run(clock.sleep(10_000));
    expect(messages).toHaveLength(4);
    slot.answered();
    await clock.run(clock.sleep(10_000));
    expect(messages).toHaveLength(5);
    expect(clock.sleeping()).toBe(0);
  });

  it('gives back a grant that came too late to be used', async () => {
    const { clock, scene, messages, grantAll, limiter } = aProcess();
    scene.answer = async (message) => {
      scene.answer = grantAll;
      await clock.sleep(1500);
      return grantAll(message);
    };
    await clock.run(limiter.acquire([token]));
    expect(clock.monotonicMs()).toBe(1500);
    expect(messages[1]?.unused).toEqual([1]);
  });

  it('lends the grant of an abandoned request to the next one', async () => {
    const { clock, scene, limiter, messages } = aProcess();
    scene.answer = async ({ first }) => ({
      granted: first === 1 ? [{ queue: 0, number: 1, in_ms: 0 }] : [],
      again_ms: 5000,
    });
    const first = limiter.acquire([token]);
    const second = limiter.acquire([token]);
    (await clock.run(first)).abandon();
    (await clock.run(second)).answered();
    expect(clock.monotonicMs()).toBe(0);
    await clock.run(clock.sleep(150));
    expect(messages[1]).toMatchObject({ answered: [{ number: 1 }], unused: [] });
  });

  it('gives back the grant of a request that was given up', async () => {
    const { clock, limiter, messages, scene, grantAll } = aProcess();
    scene.answer = async ({ first }) => {
      scene.answer = grantAll;
      return { granted: [{ queue: 0, number: first, in_ms: 200 }], again_ms: null };
    };
    const abort = new AbortController();
    const asked = expect(limiter.acquire([token], abort.signal)).rejects.toThrow('interrupted');
    await clock.run(clock.sleep(10));
    abort.abort(new Error('interrupted'));
    await asked;
    await clock.run(clock.sleep(200));
    expect(messages[1]?.unused).toEqual([1]);
    expect(clock.sleeping()).toBe(0);
  });

  it('says a last time what it has, and leaves', async () => {
    const { clock, limiter, messages, leave, grantedAt } = aProcess();
    await clock.run(limiter.acquire([token]));
    await clock.run(grantedAt(token));
    await clock.run(leave());
    expect(messages.at(-1)).toMatchObject({
      leaves: true,
      asks: [],
      answered: [{ number: 2 }, { number: 1 }],
    });
    expect(clock.sleeping()).toBe(0);
  });

  it('does not leave a store that it never asked', async () => {
    const { messages, leave } = aProcess();
    await leave();
    expect(messages).toEqual([]);
  });
});

describe('without the database', () => {
  it('requests go on at a quarter of the share, and the reason is given once', async () => {
    const { clock, scene, aloneBecause, grantedAt } = aProcess(0.8);
    scene.answer = gone;
    const times = await clock.run(Promise.all(Array.from({ length: 12 }, () => grantedAt(token, list))));
    expect(aloneBecause).toEqual(['db cannot be reached: no']);
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    // Earlier requests leave the window of the server first.
    expect(first).toBeGreaterThan(2500 + 1001);
    // One request a second: a quarter of 0.8 of five.
    expect(last - first).toBeGreaterThan(9_500);
    expect(last - first).toBeLessThan(11_500);
  });

  it('one that does not answer is not asked again before it does', async () => {
    const { clock, scene, messages, aloneBecause, grantedAt } = aProcess();
    scene.answer = never;
    await clock.run(Promise.all(Array.from({ length: 10 }, () => grantedAt(token, list))));
    expect(messages).toHaveLength(1);
    expect(aloneBecause).toEqual(['the state database does not answer']);
  });

  it.each(['state-missing', 'state-read-only', 'state-refused', 'state-url'] as const)(
    'nothing waits for one with %s',
    async (code) => {
      const { clock, scene, messages, grantedAt } = aProcess();
      scene.answer = () => Promise.reject(new StateError(code, 'no', 'Do it.'));
      expect(await clock.run(grantedAt(token))).toBe(1001);
      expect(messages).toHaveLength(1);
    },
  );

  it('a short failure is not noticed', async () => {
    const { clock, scene, aloneBecause, grantAll, grantedAt } = aProcess();
    scene.answer = () => {
      scene.answer = grantAll;
      return gone();
    };
    expect(await clock.run(grantedAt(token))).toBe(100);
    expect(aloneBecause).toEqual([]);
  });

  it('the processes find each other again, with all that waits, and no timer is left', async () => {
    const { clock, scene, aloneBecause, grantAll, grantedAt } = aProcess();
    scene.answer = gone;
    const asked = Promise.all(Array.from({ length: 40 }, () => grantedAt(token, list)));
    await clock.run(clock.sleep(6000));
    scene.answer = grantAll;
    const times = await clock.run(asked);
    expect(times.at(-1)).toBeLessThan(10_000);
    expect(aloneBecause).toHaveLength(1);
    await clock.run(clock.sleep(500));
    expect(clock.sleeping()).toBe(0);
  });

  it('a request that is given up leaves no timer and takes no place', async () => {
    const { clock, scene, limiter, grantedAt } = aProcess();
    scene.answer = gone;
    const abort = new AbortController();
    const asked = expect(limiter.acquire([token], abort.signal)).rejects.toThrow('interrupted');
    await clock.run(clock.sleep(3500));
    abort.abort(new Error('interrupted'));
    await asked;
    await clock.run(clock.sleep(1));
    expect(clock.sleeping()).toBe(0);
    expect(await clock.run(grantedAt(token))).toBeGreaterThan(3500);
  });

  it('a 429 holds up its bucket', async () => {
    const { clock, scene, limiter, grantedAt } = aProcess();
    scene.answer = gone;
    await clock.run(grantedAt(token, list));
    const slot = await clock.run(limiter.acquire([token, list]));
    limiter.penalise(list, 20_000);
    expect(slot.isOpen(), 'also a place that was given before').toBe(false);
    slot.abandon();
    const startedMs = clock.monotonicMs();
    expect(await clock.run(grantedAt(token, list))).toBe(startedMs + 20_000);
  });

  it('the end of the command does not wait for it', async () => {
    const { clock, scene, grantedAt, leave } = aProcess();
    await clock.run(grantedAt(token));
    scene.answer = never;
    const startedMs = clock.monotonicMs();
    await clock.run(leave());
    expect(clock.monotonicMs() - startedMs).toBe(1000);
    expect(clock.sleeping()).toBe(0);
  });
});
