import { afterEach, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';
import { Limiter } from '../../src/api/limiter.ts';
import { ApiKey } from '../../src/api/key.ts';
import { createTransport } from '../../src/api/transport.ts';
import { systemClock } from '../../src/host/clock.ts';
import { serveSimulator } from '../../src/simulator/serve.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';

/** Both lists allow five requests a second (LIMIT-2). */
const LIST_PER_SECOND = 5;

/** By then, each process has found its part of the rate. */
const SETTLED_SEC = 5;
const UNTIL_SEC = 14;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function aServedService(): Promise<{ connect: () => Client; throttled: () => number }> {
  const world = createWorld({ accounts: [{ id: '1' }] });
  const served = await serveSimulator(createSimulator(world, { clock: systemClock }), { port: 0 });
  closers.push(served.close);
  /** As a process of its own would have it. */
  const connect = () =>
    createClient({
      baseUrl: served.url,
      key: new ApiKey('sim-key'),
      authHeader: 'x-svc-auth-token',
      timeoutMs: 75_000,
      rates: new Limiter(systemClock, 0.9),
      clock: systemClock,
      random: Math.random,
      log: () => undefined,
      fetch: createTransport(),
    });
  return { connect, throttled: () => world.throttled };
}

describe('in real time, over a socket, against strict windows', () => {
  it('four processes on one token: every request is answered, near the published rate, and soon with few 429s', async () => {
    const { connect, throttled } = await aServedService();
    const startedMs = performance.now();
    const elapsedSec = () => (performance.now() - startedMs) / 1000;
    const ended: (readonly [kind: string, atSec: number])[] = [];
    const readOn = async (client: Client) => {
      while (elapsedSec() < UNTIL_SEC) {
        const { kind } = await client.call('campaigns.list', { params: { account_id: '1' }, query: {} });
        ended.push([kind, elapsedSec()]);
      }
    };
    const reading = Array.from({ length: 4 }, connect).flatMap((client) =>
      Array.from({ length: 4 }, () => readOn(client)),
    );
    await systemClock.sleep(SETTLED_SEC * 1000);
    const early = throttled();
    await Promise.all(reading);
    expect(ended.filter(([kind]) => kind !== 'done')).toEqual([]);
    const settled = ended.filter(([, atSec]) => atSec >= SETTLED_SEC && atSec < UNTIL_SEC);
    const possible = LIST_PER_SECOND * (UNTIL_SEC - SETTLED_SEC);
    expect(settled.length).toBeGreaterThanOrEqual(0.65 * possible);
    expect(throttled() - early).toBeLessThanOrEqual(0.3 * settled.length);
  }, 60_000);
});
