import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/api/errors.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { engineScene } from './engine-scene.ts';

const ON_BOTH = declaring({ campaigns: [campaign()], broadcasts: [broadcast()] }, ['alice', 'bob']);

describe('reading all lists', () => {
  it('answers them scope by scope, and reports how far it is', async () => {
    const scene = engineScene(ON_BOTH);
    scene.control.seedCampaign('102', { name: 'second' });
    scene.control.seedBroadcast('101', { name: 'first' });
    const { facts } = await scene.look();
    expect(facts.observed.map(({ account, kind, live }) => `${account}/${kind}/${live.name}`)).toEqual([
      'alice/broadcast/first',
      'bob/campaign/second',
    ]);
    const progress = scene.events.map((event) =>
      event.kind === 'reading' ? `${event.done}/${event.total}` : event.kind,
    );
    expect(progress).toEqual(['1/4', '2/4', '3/4', '4/4', 'idle']);
  });

  // ACCOUNT-9
  it('one that fails fails all, and says which account and kind it was', async () => {
    const scene = engineScene(ON_BOTH);
    const where = { operation: 'broadcasts.list', account_id: '102' } as const;
    scene.control.addFault({ kind: 'broken_answer', when: 'before_commit', how: '500', ...where });
    const error = await scene.look().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(String(error)).toContain(
      'the broadcasts of account bob cannot be read: answered 500: Internal server error (GET ',
    );
  });

  it('asks for no further page once one has failed', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => String(index + 1));
    const aliases = ids.map((id) => `a${id}`);
    const accounts = ids.map((id) => `  a${id}: { id: "${id}" }\n`);
    const scene = engineScene(
      {
        ...declaring({ campaigns: [campaign()] }, aliases),
        'herald.yaml': WORKSPACE.replace(/accounts:\n[^]*(?=files)/, `accounts:\n${accounts.join('')}`),
      },
      { accounts: ids.map((id) => ({ id, username: `user_${id}` })) },
    );
    scene.control.addFault({ kind: 'refusal', operation: 'campaigns.list', account_id: '1', status: 401 });
    await expect(scene.look()).rejects.toThrow('the campaigns of account a1 cannot be read: answered 401');
    await scene.clock.sleep(60_000);
    // The first list is read alone, and once more next to the others. So many leave at once within the rates.
    expect(scene.control.oracle().requests).toHaveLength(5);
  });
});
