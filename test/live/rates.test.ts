import { afterEach, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';
import { Limiter } from '../../src/api/limiter.ts';
import { ApiKey } from '../../src/api/key.ts';
import { createTransport } from '../../src/api/transport.ts';
import { systemClock } from '../../src/host/clock.ts';
import { KINDS } from '../../src/domain/resource.ts';
import { readObserved } from '../../src/live/read.ts';
import { serveSimulator } from '../../src/simulator/serve.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';

const ACCOUNTS = 40;
/** Both lists allow five requests a second (LIMIT-2). */
const LIST_PER_SECOND = 5;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function aServedService(): Promise<{
  client: Client;
  throttled: () => number;
  requests: () => number;
}> {
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({ id: String(index + 1) }));
  const world = createWorld({ accounts });
  const served = await serveSimulator(createSimulator(world, { clock: systemClock }), { port: 0 });
  closers.push(served.close);
  const client = createClient({
    baseUrl: served.url,
    key: new ApiKey('sim-key'),
    authHeader: 'x-svc-auth-token',
    timeoutMs: 75_000,
    rates: new Limiter(systemClock, 0.9),
    clock: systemClock,
    random: () => 0.5,
    log: () => undefined,
    warn: () => undefined,
    fetch: createTransport(),
  });
  return { client, throttled: () => world.throttled, requests: () => world.requests.length };
}

describe('in real time, over a socket, against strict windows', () => {
  it('40 accounts with two lists each: no 429, and close to the published rate', async () => {
    const { client, throttled, requests } = await aServedService();
    const scopes = KINDS.flatMap((kind) =>
      Array.from({ length: ACCOUNTS }, (_, index) => ({
        account: { alias: `a${index + 1}`, accountId: String(index + 1) },
        kind,
      })),
    );
    const startedMs = performance.now();
    expect(await readObserved(client, scopes, 'platform_a')).toEqual([]);
    const tookSec = (performance.now() - startedMs) / 1000;
    expect([throttled(), requests()]).toEqual([0, 2 * ACCOUNTS]);
    // The benchmark holds it to 1.1 times; a machine that runs other tests next to this one is slower.
    expect(tookSec).toBeLessThanOrEqual((2 * ACCOUNTS) / LIST_PER_SECOND);
  }, 20_000);
});
