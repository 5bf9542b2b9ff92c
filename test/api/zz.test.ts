import { expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { Limiter } from '../../src/api/limiter.ts';
import { ApiKey } from '../../src/api/key.ts';
import { createTransport } from '../../src/api/transport.ts';
import { systemClock } from '../../src/host/clock.ts';
import { serveSimulator } from '../../src/simulator/serve.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';

it.each(['one', 'many'])('x %s', async (kind) => {
  const world = createWorld({ accounts: [{ id: '1' }] });
  const served = await serveSimulator(createSimulator(world, { clock: systemClock }), { port: 0 });
  const start = performance.now();
  const sec = 40;
  const done: number[] = []; const lost: unknown[] = [];
  const throttled: number[] = [];
  const work = async (index: number) => {
    const client = createClient({ baseUrl: served.url, key: new ApiKey('sim-key'), authHeader: 'x-svc-auth-token', timeoutMs: 75_000,
      rates: new Limiter(systemClock, 0.9), clock: systemClock, random: Math.random, log: (l) => { if (l.includes('429')) throttled.push(performance.now() - start); }, warn: () => undefined, fetch: createTransport() });
    const ops = kind === 'one' ? ['campaigns.list'] : ['campaigns.list', 'broadcasts.list', 'vault.folders', 'vault.media', 'vault.uploads', 'accounts.list'];
    await Promise.all(ops.flatMap((op) => Array.from({ length: 8 }, async () => {
      while (performance.now() - start < sec * 1000) {
        try { const end = await (client as any).call(op, { params: op === 'accounts.list' ? {} : { account_id: '1' }, query: {} }); 
        if (end.kind === 'done') done.push(performance.now() - start); else lost.push(end); } catch (e) { lost.push(e); await new Promise((r) => setTimeout(r, 1000)); }
      }
    })));
  };
  await Promise.all([0,1,2,3].map(work));
  const per = (xs: number[]) => Array.from({ length: 8 }, (_, i) => xs.filter((x) => x >= i * 5000 && x < i * 5000 + 5000).length);
  console.log(kind, 'done', per(done), 'throttled', per(throttled), 'lost', lost.length, String(lost[0]).slice(0, 300), JSON.stringify(lost[0])?.slice(0,300));
  await served.close();
}, 100_000);
