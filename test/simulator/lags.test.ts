import { describe, expect, it } from 'vitest';
import {
  aBroadcastBody,
  aCampaignBody,
  aVisit,
  BROADCASTS,
  CAMPAIGNS,
  itemsOf,
  SCHEDULED,
  SECOND,
  type Visit,
} from './visit.ts';

const statusIn = async (visit: Visit, list: string, id: string) =>
  itemsOf(await visit.call('GET', `${list}?include_archived=true`)).find((item) => item['id'] === id)?.[
    'status'
  ];
const statusOf = async (visit: Visit, list: string, id: string) =>
  (await visit.call('GET', `${list}/${id}`)).body['status'];

describe('reads that lag behind', () => {
  const kinds = [
    { list: CAMPAIGNS, make: (visit: Visit) => visit.campaign(), before: 'active' },
    { list: BROADCASTS, make: (visit: Visit) => visit.broadcast(), before: 'scheduled' },
  ];
  it.each(kinds)(
    'show the status of before a change for a while ($before)',
    async ({ list, make, before }) => {
      const visit = aVisit();
      const id = make(visit);
      visit.control.addFault({ kind: 'status_lag', lag_sec: 10, method: 'PATCH' });
      await visit.call('PATCH', `${list}/${id}/status`, { status: 'paused' });
      expect(await statusIn(visit, list, id)).toBe(before);
      expect(await statusOf(visit, list, id)).toBe('paused');
      visit.control.advance(10 * SECOND);
      expect(await statusIn(visit, list, id)).toBe('paused');
    },
  );

  it('lag in the single read as well where the fault says so', async () => {
    const visit = aVisit();
    const id = visit.campaign();
    visit.control.addFault({ kind: 'status_lag', lag_sec: 10, reads: true, method: 'PATCH' });
    await visit.call('PATCH', `${CAMPAIGNS}/${id}/status`, { status: 'archived' });
    expect(await statusOf(visit, CAMPAIGNS, id)).toBe('active');
    visit.control.advance(10 * SECOND);
    expect(await statusOf(visit, CAMPAIGNS, id)).toBe('archived');
  });

  it.each([
    { list: CAMPAIGNS, body: aCampaignBody() },
    { list: BROADCASTS, body: aBroadcastBody(SCHEDULED) },
  ])('do not find what was created a moment ago', async ({ list, body }) => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'list_lag', lag_sec: 10, reads: true, method: 'POST' });
    const { body: made } = await visit.call('POST', list, body);
    const path = `${list}/${String(made['id'])}`;
    expect((await visit.call('GET', path)).status).toBe(404);
    visit.control.advance(10 * SECOND);
    expect((await visit.call('GET', path)).status).toBe(200);
  });
});

describe('a list of campaigns', () => {
  it('that is sorted by the last change moves when something changes', async () => {
    const visit = aVisit({ modes: { campaignOrder: 'last_change' } });
    const first = visit.campaign({ name: 'First' });
    visit.control.advance(SECOND);
    visit.campaign({ name: 'Second' });
    const names = async () => itemsOf(await visit.call('GET', CAMPAIGNS)).map((item) => item['name']);
    expect(await names()).toEqual(['Second', 'First']);
    await visit.call('PATCH', `${CAMPAIGNS}/${first}/status`, { status: 'paused' });
    expect(await names()).toEqual(['First', 'Second']);
  });

  it('may say has_more in a word that is not a boolean', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'odd_has_more', value: 'false' });
    expect((await visit.call('GET', CAMPAIGNS)).body['has_more']).toBe('false');
  });
});

describe('texts', () => {
  it.each([
    { list: CAMPAIGNS, body: aCampaignBody({ messages: [{ text: 'Wait...' }] }) },
    { list: BROADCASTS, body: aBroadcastBody({ ...SCHEDULED, messages: [{ text: 'Wait...' }] }) },
  ])('that are rewritten late read as they were sent until then', async ({ list, body }) => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'late_rewrite', after_sec: 30, from: '...', to: '…', method: 'POST' });
    const { body: made } = await visit.call('POST', list, body);
    const text = async () => {
      const read = await visit.call('GET', `${list}/${String(made['id'])}`);
      return (read.body['messages'] as { text: string }[])[0]?.text;
    };
    expect(await text()).toBe('Wait...');
    visit.control.advance(30 * SECOND);
    expect(await text()).toBe('Wait…');
  });
});

describe('dates of answers', () => {
  const dateOf = async (visit: Visit) =>
    Date.parse((await visit.call('GET', CAMPAIGNS)).headers.get('date') ?? '');

  it('come from servers with clocks that differ', async () => {
    const visit = aVisit({ modes: { serverClocksSec: [0, 3600] } });
    const offs = new Set<number>();
    for (let read = 0; read < 20; read += 1)
      offs.add(Math.round(((await dateOf(visit)) - visit.control.now()) / 3_600_000));
    expect([...offs].sort()).toEqual([0, 1]);
  });

  it('may be off once', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'wrong_date', skew_sec: -90, nth: 2 });
    const off = async () => Math.round(((await dateOf(visit)) - visit.control.now()) / 1000);
    expect([await off(), await off(), await off()].map((sec) => sec === -90)).toEqual([false, true, false]);
  });
});

describe('an account', () => {
  it('can lose its username to another one', async () => {
    const visit = aVisit();
    visit.control.editAccount('101', { username: 'alice_old' });
    visit.control.editAccount('102', { username: 'alice_x', custom_label: 'Alice' });
    const { body } = await visit.call('GET', '/api/v0/accounts?limit=10');
    const accounts = body['accounts'] as { id: number; username: string }[];
    expect(accounts.slice(0, 2).map(({ id, username }) => `${id} ${username}`)).toEqual([
      '101 alice_old',
      '102 alice_x',
    ]);
  });
});
