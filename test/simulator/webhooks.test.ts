import { describe, expect, it } from 'vitest';
import type { PostEvent } from '../../src/simulator/webhooks.ts';
import { aVisit, itemsOf, SECOND, type Json } from './visit.ts';

const HOOK = 'http://receiver.test/events/SECRET';
const tip = { account_id: '101', fan_id: '101001', does: 'tip' } as const;

/** A world with one address that gets everything, and an inbox that keeps it and answers a status, or nothing for null. */
function listening(entry: object = {}) {
  const [urls, bodies]: [string[], string[]] = [[], []];
  const receiver: { answer: number | null } = { answer: 200 };
  const post: PostEvent = async (url, body) => {
    urls.push(url);
    bodies.push(body);
    if (receiver.answer === null) throw new Error('no answer');
    return receiver.answer;
  };
  const visit = aVisit({}, undefined, post);
  visit.control.addWebhook({ url: HOOK, ...entry });
  // No rows but those that fans cause.
  visit.control.setData({ transactions: 0, subscriptions: 0 });
  const events = () => bodies.map((body): Json => JSON.parse(body));
  return { visit, inbox: Object.assign(receiver, { urls, bodies, events }) };
}

describe('what a fan does', () => {
  it('a tip is a transaction, and its event names it', async () => {
    const { visit, inbox } = listening();
    visit.control.fanActs({ ...tip, fan_id: '555000111', amount: 12.5 });
    await visit.simulator.courier.deliver();
    const list = '/api/v0/platforms/platform_a/accounts/9101/transactions';
    const range = 'start=2026-06-01T11:54:00Z&end=2026-06-01T12:10:00Z';
    const [row, ...others] = itemsOf(await visit.call('GET', `${list}?${range}`));
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
    const { visit } = listening();
    visit.campaign({ name: 'Welcome' });
    visit.campaign({ name: 'Paused', status: 'paused' });
    visit.campaign({ name: 'Expired', trigger: 'expired' });
    visit.control.fanActs({ ...tip, fan_id: '555000111', does: 'subscribe' });
    visit.control.advance(SECOND);
    expect(visit.control.oracle().dispatches).toMatchObject([{ fan_id: '555000111', kind: 'campaign' }]);
  });
});

describe('the events of the simulator', () => {
  it('have both ids of the account, and lose no digit (EVENT-5)', async () => {
    const { visit, inbox } = listening();
    visit.control.addAccount({ id: '9007199254740993', platform_account_id: '9007199254740995' });
    visit.control.fanActs({ ...tip, account_id: '9007199254740993' });
    await visit.simulator.courier.deliver();
    expect(inbox.bodies[0]).toContain('"account_id":9007199254740993,');
    expect(inbox.events()).toMatchObject([
      {
        id: 'evt-1',
        event: 'fans.tip.received',
        created_at: '2026-06-01T12:00:00.000Z',
        platform_account_id: '9007199254740995',
        fan: { id: '101001' },
        amount: 5,
      },
    ]);
  });

  it('report that a message was blocked after it had been accepted', async () => {
    const { visit, inbox } = listening();
    const sent = await visit.call('POST', '/api/v0/accounts/101/chats/101001/messages', {
      text: 'something guarded',
    });
    expect(sent.status).toBe(202);
    expect(await visit.simulator.courier.deliver()).toBe(0);
    visit.clock.move(3 * SECOND);
    await visit.simulator.courier.deliver();
    expect(inbox.events()).toMatchObject([
      {
        event: 'firewall.message_guard.violation.svc_api',
        user_id: null,
        svc_api_token_id: 1,
        send_id: sent.body['send_id'],
        chat_id: '101001',
      },
    ]);
  });

  it('go to the entries of their accounts and kinds alone, and a kind covers its subtypes (EVENT-4)', async () => {
    const { visit, inbox } = listening({ url: `${HOOK}/bob`, accounts: ['102'] });
    visit.control.addWebhook({ url: `${HOOK}/tips`, events: ['fans.tip.received'] });
    visit.control.addWebhook({ url: `${HOOK}/fans`, events: ['fans'] });
    visit.control.fanActs(tip);
    visit.control.fanActs({ ...tip, account_id: '102', does: 'subscribe' });
    await visit.simulator.courier.deliver();
    expect(inbox.urls).toEqual([`${HOOK}/tips`, `${HOOK}/fans`, `${HOOK}/bob`, `${HOOK}/fans`]);
    visit.control.fanActs(tip);
    visit.control.clearWebhooks();
    expect(await visit.simulator.courier.deliver()).toBe(2);
    expect(inbox.urls).toHaveLength(4);
  });
});

it('a slow or failing receiver (EVENT-2) pauses the whole organisation for a minute, and what happens in it is dropped', async () => {
  const { visit, inbox } = listening({ accounts: ['101'] });
  visit.control.addWebhook({ url: `${HOOK}/other`, accounts: ['102'] });
  inbox.answer = null;
  for (let count = 0; count < 5; count += 1) visit.control.fanActs(tip);
  await visit.simulator.courier.deliver();
  inbox.answer = 200;
  visit.clock.move(59 * SECOND);
  visit.control.fanActs({ ...tip, account_id: '102' });
  visit.clock.move(SECOND);
  visit.control.fanActs({ ...tip, account_id: '102' });
  await visit.simulator.courier.deliver();
  expect(inbox.urls).toEqual([HOOK, HOOK, HOOK, `${HOOK}/other`]);
  expect(visit.control.oracle().webhooks.dropped).toBe(3);
});

it.each([
  ['lost', ['evt-2']],
  ['twice', ['evt-1', 'evt-1', 'evt-2']],
  ['late', ['evt-2', 'evt-1']],
] as const)('a fault of a delivery: %s', async (how, expected) => {
  const { visit, inbox } = listening();
  visit.control.addFault({ kind: 'webhook', how, times: 1 });
  visit.control.fanActs(tip);
  visit.control.fanActs(tip);
  await visit.simulator.courier.deliver();
  visit.clock.move(30 * SECOND);
  await visit.simulator.courier.deliver();
  expect(inbox.events().map(({ id }) => id)).toEqual(expected);
});
