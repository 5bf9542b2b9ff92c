import { describe, expect, it } from 'vitest';
import { type Bucket, Limiter, type Turn } from '../../src/api/limiter.ts';
import { flowClock } from '../helpers/flow-clock.ts';

const slow: Bucket = { key: 'slow', perSecond: 1 };
const fast: Bucket = { key: 'fast', perSecond: 5 };
const token: Bucket = { key: 'token', perSecond: 25 };

const aLimiter = (share = 1) => {
  const clock = flowClock(0);
  return { clock, limiter: new Limiter(clock, share) };
};

/** Resolves to the instant of the grant; the request is answered at once. */
const grantedAt = async (
  { clock, limiter }: ReturnType<typeof aLimiter>,
  buckets: readonly Bucket[],
): Promise<number> => {
  const slot = await limiter.acquire(buckets);
  const at = clock.monotonicMs();
  slot.answered();
  return at;
};

describe('the limiter', () => {
  it('keeps the share of a rate by the time from grant to grant', async () => {
    const scene = aLimiter(0.5);
    const grants = Array.from({ length: 4 }, () => grantedAt(scene, [slow]));
    expect(await Promise.all(grants)).toEqual([0, 2000, 4000, 6000]);
  });

  it('takes no place anywhere while one bucket is full', async () => {
    const { clock, limiter } = aLimiter();
    const held = await limiter.acquire([slow]);
    const waiting = limiter.acquire([fast, slow]);
    // Five still go through the other bucket: the one that waits takes nothing of it.
    const five = Promise.all(Array.from({ length: 5 }, () => limiter.acquire([fast])));
    expect((await five).length).toBe(5);
    for (const slot of await five) slot.answered();
    held.answered();
    await waiting;
    expect(clock.monotonicMs()).toBe(1001);
  });

  it('gives a place back at once when the request was never sent', async () => {
    const { clock, limiter } = aLimiter();
    const slot = await limiter.acquire([slow]);
    const next = grantedAt({ clock, limiter }, [slow]);
    slot.abandon();
    expect(await next).toBe(0);
  });

  it('lets nothing through a penalised bucket, and everything through the others', async () => {
    const scene = aLimiter();
    scene.limiter.penalise(fast, 7000);
    scene.limiter.penalise(fast, 3000);
    const asked = [fast, slow, slow].map((bucket) => grantedAt(scene, [token, bucket]));
    expect(await Promise.all(asked)).toEqual([7000, 0, 1001]);
  });

  it('penalises those that already wait', async () => {
    const scene = aLimiter();
    await grantedAt(scene, [slow]);
    const waiting = grantedAt(scene, [slow]);
    scene.limiter.penalise(slow, 4000);
    expect(await waiting).toBe(4000);
  });
});

describe('a rate that others use as well', () => {
  /** How many of many requests leave within so many seconds. */
  const countIn = async (scene: ReturnType<typeof aLimiter>, seconds: number) => {
    let [granted, isOver] = [0, false];
    const asked = Array.from({ length: 50 }, async () => {
      while (!isOver) {
        const slot = await scene.limiter.acquire([token]);
        if (isOver) return slot.abandon();
        granted += 1;
        slot.answered();
      }
    });
    await scene.clock.sleep(seconds * 1000);
    isOver = true;
    await Promise.all(asked);
    return granted;
  };

  it('is halved by a 429, once for those that were refused together, and by a later one again', async () => {
    const scene = aLimiter();
    for (let copy = 0; copy < 5; copy += 1) scene.limiter.penalise(token, 1_000);
    await scene.clock.sleep(1_000);
    expect(await countIn(scene, 4)).toBeGreaterThanOrEqual(48);
    expect(await countIn(scene, 4)).toBeLessThanOrEqual(85);
    scene.limiter.penalise(token, 0);
    expect(await countIn(scene, 4)).toBeLessThanOrEqual(65);
  });

  it('comes back a little with each quiet second, and never goes above the share', async () => {
    const scene = aLimiter(0.8);
    const whole = await countIn(scene, 10);
    scene.limiter.penalise(token, 0);
    const halved = await countIn(scene, 5);
    await scene.clock.sleep(30_000);
    expect(await countIn(scene, 5)).toBeGreaterThan(halved);
    await scene.clock.sleep(1_000_000);
    expect(await countIn(scene, 10)).toBe(whole);
  });

  it('keeps some requests, however often the service refuses', async () => {
    const scene = aLimiter();
    for (let time = 0; time < 40; time += 1) {
      scene.limiter.penalise(token, 0);
      await scene.clock.sleep(1_001);
    }
    expect(await countIn(scene, 30)).toBeGreaterThan(5);
  });
});

it('the order of those that wait is: urgent ones, on other endpoints too, then those that left before, each in the order of asking', async () => {
  const { limiter } = aLimiter();
  const narrow: Bucket = { key: 'token', perSecond: 1 };
  const order: string[] = [];
  const ask = async (name: string, bucket: Bucket, turn: Turn) => {
    (await limiter.acquire([narrow, bucket], turn)).answered();
    order.push(name);
  };
  (await limiter.acquire([narrow])).answered();
  const asked = [
    ask('read', fast, 'new'),
    ask('create', slow, 'new'),
    ask('refused read', fast, 'repeated'),
    ask('stop', slow, 'urgent'),
    ask('second refused read', fast, 'repeated'),
    ask('second stop', fast, 'urgent'),
  ];
  await Promise.all(asked);
  expect(order).toEqual(['stop', 'second stop', 'refused read', 'second refused read', 'read', 'create']);
});

it('no timer, which would keep a process alive, is set while every place is in flight', async () => {
  const { clock, limiter } = aLimiter();
  const slot = await limiter.acquire([slow]);
  const waiting = limiter.acquire([slow]);
  expect(clock.sleeping()).toBe(0);
  slot.answered();
  (await waiting).abandon();
  expect(clock.sleeping()).toBe(0);
});
