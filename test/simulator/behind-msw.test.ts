import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';
import { ApiKey } from '../../src/api/key.ts';
import { Limiter } from '../../src/api/limiter.ts';
import { createTransport } from '../../src/api/transport.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { virtualClock } from './virtual-clock.ts';

const clock = virtualClock();
const simulator = createSimulator(createWorld(), { clock });
const server = setupServer(
  // A rejected handler would become a 500; a broken line must stay one.
  http.all('*', ({ request }) => simulator.fetch(request).catch(() => Response.error())),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

it('is the same service behind msw, for a client that knows nothing of it', async () => {
  simulator.control.seedCampaign('101', { name: 'Welcome' });
  const page = await aClient('https://service.example').read('campaigns.list', {
    params: { account_id: '101' },
  });
  expect(page.items.map((item) => item.name)).toEqual(['Welcome']);
});

it('takes the path below the host for a part of the address', async () => {
  const answer = await aClient('https://service.example/base').call('campaigns.list', {
    params: { account_id: '101' },
  });
  expect(answer.kind).toBe('refused');
});

function aClient(baseUrl: string): Client {
  return createClient({
    baseUrl,
    key: new ApiKey('sim-key'),
    authHeader: 'x-svc-auth-token',
    timeoutMs: 75_000,
    rates: new Limiter(clock, 1),
    fetch: createTransport(),
    // Time must not jump to the end of the call's own deadline while msw works.
    clock: { ...clock, sleep: () => new Promise(() => undefined) },
    random: () => 0,
    log: () => undefined,
    warn: () => undefined,
  });
}
