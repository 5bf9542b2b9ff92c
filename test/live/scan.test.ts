import { describe, expect, it } from 'vitest';
import { IncompleteScanError, ServiceError } from '../../src/api/errors.ts';
import { scanScope } from '../../src/live/scan.ts';
import { aClientScene, json } from '../api/client-scene.ts';

const ALICE = { account: { alias: 'alice', accountId: '101' }, kind: 'campaign' } as const;

/** A client of a list that is written by hand. */
const aList = (items: unknown[]) => aClientScene(() => json({ items, has_more: false })).client;

const campaign = { id: '9', account_id: '101', name: 'Welcome', status: 'active' };

describe('reading a list', () => {
  // CAMPAIGN-15
  it('has archived ones, too, in the order of the ids', async () => {
    const items = [{ ...campaign, id: '10', status: 'archived' }, campaign];
    const { client, sent } = aClientScene(() => json({ items, has_more: false }));
    const observed = await scanScope(client, ALICE);
    expect(observed.map(({ live }) => live.id)).toEqual(['9', '10']);
    expect(observed[0]).toMatchObject({ kind: 'campaign', account: 'alice', accountId: '101' });
    expect(sent[0]?.url).toMatch(/\?limit=100&offset=0&include_archived=true$/);
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
