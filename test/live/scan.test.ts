import { describe, expect, it } from 'vitest';
import { IncompleteScanError, ServiceError } from '../../src/api/errors.ts';
import { ApiKey } from '../../src/api/key.ts';
import { scanScope } from '../../src/live/scan.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { aScene, json } from '../api/client-scene.ts';
import { jumpingClock } from '../api/jumping-clock.ts';

const ALICE = { account: { alias: 'alice', accountId: '101' }, kind: 'campaign' } as const;

/** A client of the simulator in process, on the same clock. */
function aService() {
  const clock = jumpingClock();
  const simulator = createSimulator(createWorld(), { clock });
  const scene = aScene(() => new Response(), { fetch: simulator.fetch, key: new ApiKey('sim-key'), clock });
  const requests = () => simulator.control.oracle().requests.map(({ path, status }) => `${status} ${path}`);
  return { ...scene, control: simulator.control, requests };
}

/** A client of a list that is written by hand. */
const aList = (items: unknown[]) => aScene(() => json({ items, has_more: false })).client;

const campaign = { id: '9', account_id: '101', name: 'Welcome', status: 'active' };

describe('reading a list', () => {
  // CAMPAIGN-15
  it('is complete, archived ones included, in the order of the ids', async () => {
    const { client, control, requests } = aService();
    const seeded = Array.from(
      { length: 120 },
      (_, index) =>
        control.seedCampaign('101', { name: `c${index}`, ...(index % 3 === 0 ? { status: 'archived' } : {}) })
          .id,
    );
    const observed = await scanScope(client, ALICE);
    expect(new Set(observed.map(({ live }) => live.id))).toEqual(new Set(seeded));
    expect(observed.map(({ live }) => BigInt(live.id))).toEqual(
      observed.map(({ live }) => BigInt(live.id)).toSorted((a, b) => (a < b ? -1 : 1)),
    );
    expect(observed[0]).toMatchObject({ kind: 'campaign', account: 'alice', accountId: '101' });
    expect(requests()).toEqual(
      [0, 100].map(
        (offset) =>
          `200 /api/v0/accounts/101/auto-message-campaigns?limit=100&offset=${offset}&include_archived=true`,
      ),
    );
  });

  it('nulls and odd types in what decides nothing do not hide the list', async () => {
    const odd = {
      ...campaign,
      trigger: 5,
      action: {},
      created_by: 'me',
      rules: [],
      messages: 'none',
      audience_filters: null,
      targeted_sends_count: 'many',
      extra: 1,
    };
    const [only] = await scanScope(aList([odd]), ALICE);
    expect(only?.live).toMatchObject({
      id: '9',
      trigger: null,
      action: null,
      messages: null,
      audience_filters: null,
      extra: 1,
    });
    const nulls = { id: 9, account_id: null, name: null, status: null };
    expect((await scanScope(aList([nulls]), ALICE))[0]?.live).toMatchObject({
      id: '9',
      name: null,
      status: null,
    });
  });

  it.each([
    ['an item without an id', [campaign, { name: 'x' }], 'items.1.id'],
    ['an id of null', [{ ...campaign, id: null }], 'items.0.id'],
    ['a name that is not text', [{ ...campaign, name: 5 }], 'items.0.name'],
    ['a status that is not text', [{ ...campaign, status: 5 }], 'items.0.status'],
    ['an item that is not an object', ['x'], 'items.0'],
  ])('%s fails closed and says where', async (_, items, place) => {
    const read = scanScope(aList(items), ALICE);
    await expect(read).rejects.toThrow(ServiceError);
    await expect(read).rejects.toThrow(
      `the campaigns of account alice cannot be read: answered 200, but the body is not what the document says at ${place}`,
    );
  });

  it("another account's object fails closed", async () => {
    const read = scanScope(aList([campaign, { ...campaign, id: '10', account_id: 102 }]), ALICE);
    await expect(read).rejects.toThrow(IncompleteScanError);
    await expect(read).rejects.toThrow(
      'the campaigns of account alice: the list holds 10, which belongs to account 102 and not to 101',
    );
  });
});
