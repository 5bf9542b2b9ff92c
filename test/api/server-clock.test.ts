import { describe, expect, it } from 'vitest';
import { aClientScene, callOf, CAMPAIGN, json } from './client-scene.ts';
import { jumpingClock } from './jumping-clock.ts';
import { NOON } from '../helpers/flow-clock.ts';

const HOUR_MS = 3_600_000;
const dateOf = (ms: number) => ({ date: new Date(ms).toUTCString() });

/** A client of a service with a right clock, and a machine with a clock that can be set. */
function aMachine(headersOf: (serverMs: number) => Record<string, string> = dateOf) {
  const flow = jumpingClock(NOON);
  let setMs = 0;
  let onItsWayMs = 0;
  const clock = { ...flow, now: () => flow.now() + setMs };
  const answer = async () => {
    const headers = headersOf(flow.now());
    await flow.sleep(onItsWayMs);
    return json(CAMPAIGN, 200, headers);
  };
  const { client } = aClientScene(answer, { clock });
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

const skew = ({ client }: ReturnType<typeof aMachine>) => client.skewMs();
const range = ({ client }: ReturnType<typeof aMachine>) => {
  const { earliestMs, latestMs } = client.skewRange() ?? {};
  return [earliestMs, latestMs];
};

// LIMIT-6
describe('the clock of the service, as answers show it', () => {
  it.each([0, 90_000, -90_000, HOUR_MS, -24 * HOUR_MS])(
    'that is %i ms ahead gives a range with it and with this machine, however often it answers',
    async (ahead) => {
      const machine = aMachine((ms) => dateOf(ms + ahead));
      expect([skew(machine), machine.client.skewRange()]).toEqual([0, null]);
      for (let answers = 0; answers < 5; answers += 1) {
        await machine.asks();
        expect(skew(machine)).toBe(ahead + 500);
        expect(range(machine)).toEqual([Math.min(0, ahead + 500), Math.max(0, ahead + 500)]);
      }
    },
  );

  it('is that of the latest answer, so that one wrong answer does not last', async () => {
    let ahead = HOUR_MS;
    const machine = aMachine((ms) => dateOf(ms + ahead));
    await machine.asks();
    ahead = 0;
    await machine.asks();
    expect([skew(machine), ...range(machine)]).toEqual([500, 0, 500]);
  });

  it('is not read from an answer that was long on its way, unless it is the only one', async () => {
    const machine = aMachine();
    await machine.asks(40_000);
    expect(skew(machine)).toBe(-19_500);
    await machine.asks(2_000);
    expect(skew(machine)).toBe(-500);
    await machine.asks(40_000);
    expect(skew(machine), 'the prompt one stands').toBe(-500);
  });

  it.each([-HOUR_MS, HOUR_MS])('has a wide range after ours was set by %i ms', async (ms) => {
    const machine = aMachine();
    await machine.asks();
    machine.sets(ms);
    expect(range(machine), 'set, or asleep?').toEqual([Math.min(0, 500 - ms), Math.max(500, 500 - ms)]);
    await machine.asks();
    expect([skew(machine), ...range(machine)]).toEqual([
      500 - ms,
      Math.min(0, 500 - ms),
      Math.max(0, 500 - ms),
    ]);
  });

  it('alone counts where a simulator has moved its time on', async () => {
    const moved = { 'x-herald-simulator-clock': 'moved' };
    const machine = aMachine((ms) => ({ ...dateOf(ms + 24 * HOUR_MS), ...moved }));
    await machine.asks();
    expect(range(machine)).toEqual([24 * HOUR_MS + 500, 24 * HOUR_MS + 500]);
  });

  it.each([
    ['is of no known time zone', { date: 'Mon, 01 Jun 2026 09:00:00' }],
    ['is a word and a number', { date: 'never 1' }],
    ['is not an instant', { date: 'Mon, 41 Jun 2026 12:00:00 GMT' }],
    ['is a cache’s', { date: 'Mon, 01 Jun 2026 09:00:00 GMT', age: '10800' }],
  ])('is not told by a Date that %s', async (_title, headers) => {
    const machine = aMachine(() => headers);
    await machine.asks();
    expect([skew(machine), machine.client.skewRange()]).toEqual([0, null]);
  });
});
