import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { ApiKey } from '../../src/api/key.ts';
import { BASE, callOf, CAMPAIGN, json, SECRET } from './client-scene.ts';
import { jumpingClock } from './jumping-clock.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;
const dateOf = (ms: number) => ({ date: new Date(ms).toUTCString() });

/** A client of a service whose clock is right, and a machine whose clock can be set. */
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
    rateShare: 1,
    clock,
    random: () => 0,
    log: () => undefined,
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

const reliable = ({ client }: ReturnType<typeof aMachine>) => client.told().skewMs;

describe('the clock of the service, as answers tell it', () => {
  it('is not told by an answer that was long on its way', async () => {
    const machine = aMachine();
    await machine.asks(40_000);
    expect([reliable(machine), machine.client.skewMs()]).toEqual([null, -39_500]);
    await machine.asks(2_000);
    expect([reliable(machine), machine.client.skewMs()]).toEqual([-1_500, -1_500]);
    await machine.asks(40_000);
    expect([reliable(machine), machine.client.skewMs()], 'the prompt one stands').toEqual([-1_500, -1_500]);
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'is unknown after ours was set by %i ms, until the next answer',
    async (ms) => {
      const machine = aMachine();
      await machine.asks();
      machine.sets(ms);
      expect(reliable(machine)).toBeNull();
      await machine.asks();
      expect(reliable(machine)).toBe(500 - ms);
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
    ['is no instant', { date: 'Mon, 41 Jun 2026 12:00:00 GMT' }],
    ['is a cache’s', { date: 'Mon, 01 Jun 2026 09:00:00 GMT', age: '10800' }],
  ])('is not told by a Date that %s', async (_title, headers) => {
    const machine = aMachine(() => headers);
    await machine.asks();
    expect([reliable(machine), machine.client.skewMs()]).toEqual([null, 0]);
  });
});
