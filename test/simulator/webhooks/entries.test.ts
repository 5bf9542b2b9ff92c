import { describe, expect, it } from 'vitest';
import { aVisit, type Visit } from '../visit.ts';
import { anInbox, HOOK } from './inbox.ts';

const bare = { key: null };
const tip = { account_id: '101', fan_id: '101001', does: 'tip' } as const;

function add(visit: Visit, entry: object) {
  return visit.call('POST', '/__sim/webhooks', { url: HOOK, ...entry }, bare);
}

describe('the entries for events (EVENT-4)', () => {
  it('are added, shown, changed and removed', async () => {
    const visit = aVisit();
    expect((await add(visit, { accounts: ['101'] })).body).toMatchObject({ id: '1', envelope: 'flat' });
    const { body } = await visit.call('PATCH', '/__sim/webhooks/1', { envelope: 'nested' }, bare);
    expect(body).toMatchObject({ id: '1', url: HOOK, accounts: ['101'], envelope: 'nested' });
    expect((await visit.call('DELETE', '/__sim/webhooks/1', undefined, bare)).status).toBe(200);
    expect((await visit.call('GET', '/__sim/webhooks', undefined, bare)).body).toEqual({ items: [] });
    expect((await visit.call('DELETE', '/__sim/webhooks/1', undefined, bare)).status).toBe(400);
  });

  it('are at most two for an account, and one without accounts counts for none', async () => {
    const visit = aVisit();
    await add(visit, { url: `${HOOK}1`, accounts: ['101'] });
    await add(visit, { url: `${HOOK}2`, accounts: ['101', '102'] });
    await add(visit, { url: `${HOOK}3` });
    const refused = await add(visit, { url: `${HOOK}4`, accounts: ['101'] });
    expect([refused.status, refused.body]).toEqual([400, { message: 'at most 2 URLs for account 101' }]);
    expect((await add(visit, { url: `${HOOK}4`, accounts: ['102'] })).status).toBe(200);
  });

  it('are at most two with the same URL, also by a change', async () => {
    const visit = aVisit();
    await add(visit, {});
    await add(visit, {});
    await add(visit, { url: `${HOOK}3` });
    const edited = await visit.call('PATCH', '/__sim/webhooks/3', { url: HOOK }, bare);
    expect(edited.body).toEqual({ message: 'at most 2 identical URLs for an organisation' });
  });

  it('are at most 100 for an organisation', async () => {
    const { control } = aVisit();
    for (let number = 0; number < 100; number += 1) control.addWebhook({ url: `${HOOK}${number}` });
    expect(() => control.addWebhook({ url: `${HOOK}x` })).toThrow('at most 100 URLs');
    expect(control.addWebhook({ url: `${HOOK}x`, organisation_id: '2' })).toMatchObject({ id: '101' });
  });

  it('get the events of their accounts and kinds alone, and a kind covers its subtypes', async () => {
    const inbox = anInbox();
    const visit = aVisit({}, undefined, inbox.post);
    visit.control.addWebhook({ url: `${HOOK}/bob`, accounts: ['102'] });
    visit.control.addWebhook({ url: `${HOOK}/tips`, events: ['fans.tip.received'] });
    visit.control.addWebhook({ url: `${HOOK}/fans`, events: ['fans'] });
    visit.control.fanActs(tip);
    visit.control.fanActs({ ...tip, account_id: '102', does: 'subscribe' });
    await visit.simulator.courier.deliver();
    expect(inbox.urls).toEqual([`${HOOK}/tips`, `${HOOK}/fans`, `${HOOK}/bob`, `${HOOK}/fans`]);
  });
});
