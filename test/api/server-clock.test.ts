import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { ApiKey } from '../../src/api/key.ts';
import { Limiter } from '../../src/api/limiter.ts';
import { BASE, callOf, CAMPAIGN, json, SECRET } from './client-scene.ts';
import { jumpingClock } from './jumping-clock.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;
const dateOf = (ms: number) => ({ date: new Date(ms).toUTCString() });

/** A client of a service with a right clock, and a machine with a clock that can be set. */
function aMachine(headersOf: (serverMs: number) => Record<string, string> = dateOf) {
  const flow = jumpingClock(NOON);
  let setMs = 0;
  let onItsWayMs = 0;
  const clock = { ...flow, now: () => flow.now() + setMs };
  const client = createClient({
    baseUrl: BASE,
    key: new ApiKey(SECRET),
    authHeader: 'x-svc-auth-token',
    timeoutMs: 75_000,
    rates: new Limiter(flow, 1),
    clock,
    random: () => 0,
    log: () => undefined,
    warn: () => undefined,
    fetch: async () => {
      const headers = headersOf(flow.now());
      await flow.sleep(onItsWayMs);
      return json(CAMPAIGN, 200, headers);
    },
  });
  return {
    client,
    asks: async (tookMs = 0) => {
      onItsWayMs = tookMs;
      await callOf(client, 'read');
    },
    passes: (ms: number) => flow.sleep(ms),
    sets: (ms: number) => (setMs += ms),
  };
}

const reliable = ({ client }: ReturnType<typeof aMachine>) => client.serverInfo().skewMs;
const isTimeOpen = ({ client }: ReturnType<typeof aMachine>) => client.isClockDoubtful();
const range = ({ client }: ReturnType<typeof aMachine>) => {
  const { earliestMs, latestMs } = client.skewRange() ?? {};
  return [earliestMs, latestMs];
};

describe('the clock of the service, as answers show it', () => {
  it('is not read from an answer that was long on its way', async () => {
    const machine = aMachine();
    await machine.asks(40_000);
    expect([reliable(machine), machine.client.skewMs()]).toEqual([null, -19_500]);
    await machine.asks(2_000);
    expect([reliable(machine), machine.client.skewMs()]).toEqual([-500, -500]);
    await machine.asks(40_000);
    expect([reliable(machine), machine.client.skewMs()], 'the prompt one stands').toEqual([-500, -500]);
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'is unknown after ours was set by %i ms, until two answers agree',
    async (ms) => {
      const machine = aMachine();
      await machine.asks();
      machine.sets(ms);
      expect(reliable(machine)).toBeNull();
      expect(range(machine), 'set, or asleep?').toEqual([500 - ms, 500].toSorted((a, b) => a - b));
      await machine.asks();
      expect([reliable(machine), machine.client.skewMs()]).toEqual([null, 500 - ms]);
      await machine.asks();
      expect(reliable(machine)).toBe(500 - ms);
      expect(range(machine), 'they, and this machine').toEqual([0, 500 - ms].toSorted((a, b) => a - b));
    },
  );

  it('stays known while time passes, and while ours is set right little by little', async () => {
    const machine = aMachine();
    await machine.asks();
    await machine.passes(HOUR_MS);
    machine.sets(1_500);
    expect(reliable(machine)).toBe(500);
  });

  it.each([
    ['is of no known time zone', { date: 'Mon, 01 Jun 2026 09:00:00' }],
    ['is a number', { date: '0' }],
    ['is a word and a number', { date: 'never 1' }],
    ['is not an instant', { date: 'Mon, 41 Jun 2026 12:00:00 GMT' }],
    ['is a cache’s', { date: 'Mon, 01 Jun 2026 09:00:00 GMT', age: '10800' }],
  ])('is not told by a Date that %s', async (_title, headers) => {
    const machine = aMachine(() => headers);
    await machine.asks();
    expect([reliable(machine), machine.client.skewMs()]).toEqual([null, 0]);
  });
});

// LIMIT-6
describe('servers with a clock each', () => {
  /** Answers of servers that are so far ahead, in this order; the last one answers from then on. */
  const heard = async (offsMs: readonly number[], machineMs = 0) => {
    let nth = 0;
    const machine = aMachine((ms) => dateOf(ms + (offsMs[Math.min(nth++, offsMs.length - 1)] ?? 0)));
    machine.sets(machineMs);
    for (const _ of offsMs) await machine.asks();
    return machine;
  };

  it.each([90_000, -90_000, HOUR_MS, -24 * HOUR_MS])(
    'one odd answer of %i ms decides nothing',
    async (odd) => {
      for (const offs of [
        [odd, 0],
        [0, odd],
        [0, 0, odd],
        [0, odd, 0, 0],
      ]) {
        const machine = await heard(offs);
        expect([reliable(machine), ...range(machine)], String(offs)).toEqual([500, 500, 500]);
      }
      const machine = await heard([odd]);
      expect(reliable(machine)).toBeNull();
      expect(range(machine)).toEqual([Math.min(0, odd + 500), Math.max(0, odd + 500)]);
      expect(isTimeOpen(machine)).toBe(true);
    },
  );

  it('one answer and this machine agree', async () => {
    const machine = await heard([1_000]);
    expect([reliable(machine), isTimeOpen(machine)]).toEqual([1_500, false]);
  });

  it('two answers outvote a machine that is wrong', async () => {
    const machine = await heard([0, 0], HOUR_MS);
    expect(reliable(machine)).toBe(500 - HOUR_MS);
  });

  it('two clocks of two answers each leave it open, and the range has both', async () => {
    const machine = await heard([0, 0, 90_000, 90_000]);
    expect([reliable(machine), ...range(machine)]).toEqual([null, 500, 90_500]);
    expect(isTimeOpen(machine), 'one more answer would not help').toBe(false);
  });

  it('no two of them agree: every one may be right', async () => {
    const machine = await heard([0, 90_000, -90_000], HOUR_MS);
    expect([reliable(machine), ...range(machine)]).toEqual([null, -90_000 + 500 - HOUR_MS, 0]);
  });

  it('an odd one is forgotten in time', async () => {
    const machine = await heard([90_000, 90_000, ...Array<number>(8).fill(0)]);
    expect(reliable(machine)).toBe(500);
  });

  it('what was said stays as long as nothing contradicts it', async () => {
    const machine = await heard([0, 400, 900, 300, 800]);
    const first = reliable(machine);
    await machine.passes(700);
    await machine.asks();
    expect(reliable(machine)).toBe(first);
  });
});
