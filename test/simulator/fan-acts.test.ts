import { describe, expect, it } from 'vitest';
import { aVisit, itemsOf, type Json, type Visit } from './visit.ts';
import { anInbox, HOOK } from './inbox.ts';

const fan = { account_id: '101', fan_id: '555000111' } as const;

function rowsOf(visit: Visit, list: string, more = ''): Promise<Json[]> {
  const range = 'start=2026-06-01T11:54:00Z&end=2026-06-01T12:10:00Z';
  return visit
    .call('GET', `/api/v0/platforms/platform_a/accounts/9101/${list}?${range}${more}`)
    .then(itemsOf);
}

/** No rows but those that fans cause. */
function quiet(post?: ReturnType<typeof anInbox>['post']): Visit {
  const visit = aVisit({}, undefined, post);
  visit.control.setData({ transactions: 0, subscriptions: 0 });
  return visit;
}

describe('what a fan does', () => {
  it('a tip is a transaction, and its event names it', async () => {
    const inbox = anInbox();
    const visit = quiet(inbox.post);
    visit.control.addWebhook({ url: HOOK });
    visit.control.fanActs({ ...fan, does: 'tip', amount: 12.5 });
    await visit.simulator.courier.deliver();
    const [row, ...others] = await rowsOf(visit, 'transactions');
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      amount: 12.5,
      type: 'tip',
      fan: { id: '555000111' },
      timestamp: '2026-06-01T12:00:00.000Z',
    });
    expect(inbox.events()).toMatchObject([{ transaction_id: row?.['id'], amount: 12.5 }]);
  });

  it('a subscription sets off the welcome campaigns that run', () => {
    const visit = quiet();
    visit.campaign({ name: 'Welcome' });
    visit.campaign({ name: 'Paused', status: 'paused' });
    visit.campaign({ name: 'Expired', trigger: 'expired' });
    visit.control.fanActs({ ...fan, does: 'subscribe' });
    visit.control.advance(1000);
    expect(visit.control.oracle().dispatches).toMatchObject([{ fan_id: fan.fan_id, kind: 'campaign' }]);
  });
});
