import { describe, expect, it } from 'vitest';
import { aVisit, BROADCASTS, CAMPAIGNS, itemsOf, type Visit } from './visit.ts';

/** Every name of a list, page by page. */
async function scan(visit: Visit, path: string, limit: number): Promise<unknown[]> {
  const names: unknown[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = await visit.call('GET', `${path}?limit=${limit}&offset=${offset}&include_archived=true`);
    names.push(...itemsOf(page).map(({ name }) => name));
    if (page.body['has_more'] !== true) return names;
  }
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

describe('the list of campaigns', () => {
  it('hides archived ones alone', async () => {
    const visit = aVisit();
    const statuses = ['active', 'paused', 'archived', 'unsending', 'unsent', 'recalling', 'recalled'];
    for (const status of statuses) visit.campaign({ name: status, status });
    const shown = itemsOf(await visit.call('GET', CAMPAIGNS)).map(({ name }) => name);
    expect([...shown].sort()).toEqual(statuses.filter((status) => status !== 'archived').sort());
  });

  it('has an order of its own that holds still', async () => {
    const visit = aVisit();
    for (const name of NAMES) visit.campaign({ name });
    const order = await scan(visit, CAMPAIGNS, 2);
    expect(order).not.toEqual(NAMES);
    expect([...order].sort()).toEqual(NAMES);
    expect(await scan(visit, CAMPAIGNS, 3)).toEqual(order);
  });

  it('has another order at each scan where it is reshuffled, and the same within one', async () => {
    const visit = aVisit({ modes: { campaignOrder: 'reshuffled' } });
    for (const name of NAMES) visit.campaign({ name });
    const scans = [await scan(visit, CAMPAIGNS, 4), await scan(visit, CAMPAIGNS, 4)];
    expect(scans[0]).not.toEqual(scans[1]);
    for (const seen of scans) expect(seen.toSorted()).toEqual(NAMES);
  });

  it('shows 50 by default, and says that there is more', async () => {
    const visit = aVisit();
    for (let count = 0; count < 51; count += 1) visit.campaign();
    const first = await visit.call('GET', CAMPAIGNS);
    expect([itemsOf(first).length, first.body['has_more']]).toEqual([50, true]);
    const second = await visit.call('GET', `${CAMPAIGNS}?offset=50`);
    expect([itemsOf(second).length, second.body['has_more']]).toEqual([1, false]);
    const beyond = await visit.call('GET', `${CAMPAIGNS}?offset=500`);
    expect([itemsOf(beyond).length, beyond.body['has_more']]).toEqual([0, false]);
  });
});

it.each([
  [{}, [null, 'archived']],
  [{ namedStates: ['sent'] }, ['sent', null]],
])('the list of broadcasts names the states of its mode: %j', async (modes, states) => {
  const visit = aVisit({ modes });
  for (const status of ['archived', null]) visit.broadcast({ status });
  const shown = itemsOf(await visit.call('GET', `${BROADCASTS}?include_archived=true`));
  expect(shown.map(({ status }) => status)).toEqual(states);
});

describe('the list of accounts', () => {
  const idsOf = (body: Record<string, unknown>) => (body['accounts'] as { id: number }[]).map(({ id }) => id);

  it('pages by an opaque cursor that is absent at the end', async () => {
    const { call } = aVisit();
    const first = await call('GET', '/api/v0/accounts?limit=3');
    expect(idsOf(first.body)).toEqual([101, 102, 103]);
    const cursor = encodeURIComponent(String(first.body['nextCursor']));
    const last = await call('GET', `/api/v0/accounts?limit=3&cursor=${cursor}`);
    expect(idsOf(last.body)).toEqual([201]);
    expect('nextCursor' in last.body).toBe(false);
  });

  it('hides lapsed subscriptions unless they are asked for', async () => {
    const accounts = [{ id: '1' }, { id: '2', subscription_expiration_date: '2026-05-01T00:00:00Z' }];
    const { call } = aVisit({ accounts });
    expect(idsOf((await call('GET', '/api/v0/accounts')).body)).toEqual([1]);
    const all = await call('GET', '/api/v0/accounts?withExpiredSubscriptions=true');
    expect(idsOf(all.body)).toEqual([1, 2]);
  });
});
