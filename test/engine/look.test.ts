import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/api/errors.ts';
import { ApiKey } from '../../src/api/key.ts';
import { KINDS, type Kind } from '../../src/domain/resource.ts';
import { readScopes } from '../../src/engine/look.ts';
import type { RunEvent } from '../../src/engine/run.ts';
import type { Scope } from '../../src/live/scan.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { aClientScene, json } from '../api/client-scene.ts';
import { jumpingClock } from '../api/jumping-clock.ts';
import { flowClock } from '../helpers/flow-clock.ts';

const scope = (alias: string, accountId: string, kind: Kind): Scope => ({
  account: { alias, accountId },
  kind,
});
const SCOPES = [
  ...KINDS.map((kind) => scope('alice', '101', kind)),
  ...KINDS.map((kind) => scope('bob', '102', kind)),
];
const report = () => undefined;

/** A client of the simulator in process, on the same clock. */
function aService() {
  const clock = jumpingClock();
  const { fetch, control } = createSimulator(createWorld(), { clock });
  const { client } = aClientScene(() => new Response(), { fetch, key: new ApiKey('sim-key'), clock });
  return { client, control };
}

describe('reading all lists', () => {
  it('answers them scope by scope, and reports how far it is', async () => {
    const { client, control } = aService();
    control.seedCampaign('102', { name: 'second' });
    control.seedBroadcast('101', { name: 'first' });
    const progress: string[] = [];
    const report = (event: RunEvent) => {
      if (event.kind === 'reading') progress.push(`${event.done}/${event.total}`);
    };
    const observed = await readScopes({ client, report }, SCOPES);
    expect(observed.map(({ account, kind, live }) => `${account}/${kind}/${live.name}`)).toEqual([
      'alice/broadcast/first',
      'bob/campaign/second',
    ]);
    expect(progress).toEqual(['1/4', '2/4', '3/4', '4/4']);
  });

  // ACCOUNT-9
  it('one that fails fails all, and says which account and kind it was', async () => {
    const { client, control } = aService();
    const where = { operation: 'broadcasts.list', account_id: '102' } as const;
    control.addFault({ kind: 'broken_answer', when: 'before_commit', how: '500', ...where });
    const error = await readScopes({ client, report }, SCOPES).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(String(error)).toContain(
      'the broadcasts of account bob cannot be read: answered 500: Internal server error (GET ',
    );
  });

  it('asks for no further page once one has failed', async () => {
    const clock = flowClock(0);
    const answer = (request: Request) =>
      request.url.includes('/1/') ? json({ message: 'no' }, 401) : json({ items: [], has_more: false });
    const scene = aClientScene(answer, { clock });
    const many = Array.from({ length: 40 }, (_, index) =>
      scope(`a${index + 1}`, String(index + 1), 'campaign'),
    );
    const reading = readScopes({ client: scene.client, report }, many);
    await expect(reading).rejects.toThrow('the campaigns of account a1 cannot be read: answered 401');
    await clock.sleep(60_000);
    expect(scene.sent).toHaveLength(5);
  });
});
