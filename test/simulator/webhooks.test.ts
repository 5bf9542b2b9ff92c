import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld, parseWorld, serializeWorld } from '../../src/simulator/world.ts';
import { aVaultVisit } from './vault-visit.ts';
import { virtualClock } from './virtual-clock.ts';
import { aVisit, SECOND, type Visit } from './visit.ts';
import { anInbox, HOOK, type Inbox } from './inbox.ts';

const tip = { account_id: '101', fan_id: '101001', does: 'tip' } as const;

/** A world with one address that gets everything. */
function listening(entry: object = {}): { visit: Visit; inbox: Inbox } {
  const inbox = anInbox();
  const visit = aVisit({}, undefined, inbox.post);
  visit.control.addWebhook({ url: HOOK, ...entry });
  return { visit, inbox };
}

const drops = (visit: Visit) => visit.control.oracle().webhooks.drops.map(({ why }) => why);

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

  it.each([
    ['nested', { event: 'fans.tip.received', data: { created_at: '2026-06-01T12:00:00.000Z' } }],
    ['typed', { type: 'fans.tip.received', timestamp: 1_780_315_200, payload: { amount: 5 } }],
    ['cloud', { specversion: '1.0', type: 'fans.tip.received', data: { amount: 5 } }],
  ] as const)('come in the envelope %s', async (envelope, expected) => {
    const { visit, inbox } = listening({ envelope });
    visit.control.fanActs(tip);
    await visit.simulator.courier.deliver();
    expect(inbox.events()).toMatchObject([expected]);
  });

  it.each([
    ['hex', (body: string) => hmac(body, 'hex')],
    ['base64', (body: string) => hmac(body, 'base64')],
    ['prefixed', (body: string) => `sha256=${hmac(body, 'hex')}`],
    ['timestamped', (body: string) => `t=1780315200,v1=${hmac(`1780315200.${body}`, 'hex')}`],
  ] as const)('are signed as %s', async (format, expected) => {
    const { visit, inbox } = listening({ signature: { secret: 's3cret', format } });
    visit.control.fanActs(tip);
    await visit.simulator.courier.deliver();
    expect(inbox.headers[0]?.['x-svc-signature']).toBe(expected(inbox.bodies[0] ?? ''));
  });

  it('report an upload and each of its steps, also if no one reads it', async () => {
    const inbox = anInbox();
    const visit = aVaultVisit({}, inbox.post);
    visit.control.addWebhook({ url: HOOK, events: ['vault.media_upload'] });
    const { id } = await visit.upload();
    visit.clock.move(60 * SECOND);
    await visit.simulator.courier.deliver();
    const told = inbox.events().map((event) => [event['event'], event['status'], event['created_at']]);
    expect(told).toEqual([
      ['vault.media_upload.created', 'uploaded', '2026-06-01T12:00:00.000Z'],
      ['vault.media_upload.updated', 'processing', '2026-06-01T12:00:10.000Z'],
      ['vault.media_upload.updated', 'processed', '2026-06-01T12:00:20.000Z'],
      ['vault.media_upload.updated', 'exporting', '2026-06-01T12:00:30.000Z'],
      ['vault.media_upload.updated', 'exported', '2026-06-01T12:00:40.000Z'],
    ]);
    expect(inbox.events()[4]).toMatchObject({ upload: { id, status: 'exported' } });
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

  it('are kept in the file of the world until they are sent', async () => {
    const { visit } = listening();
    visit.control.fanActs(tip);
    const inbox = anInbox();
    const again = createSimulator(parseWorld(serializeWorld(visit.simulator.world)), {
      clock: virtualClock(),
      post: inbox.post,
    });
    expect(await again.courier.deliver()).toBe(1);
    expect(inbox.events()).toMatchObject([{ event: 'fans.tip.received' }]);
  });
});

describe('a slow or failing receiver (EVENT-2)', () => {
  it('pauses the whole organisation for a minute, and what happens in it is dropped', async () => {
    const { visit, inbox } = listening({ accounts: ['101'] });
    visit.control.addWebhook({ url: `${HOOK}/other`, accounts: ['102'] });
    inbox.answer = null;
    for (let count = 0; count < 3; count += 1) visit.control.fanActs(tip);
    await visit.simulator.courier.deliver();
    inbox.answer = 200;
    visit.clock.move(59 * SECOND);
    visit.control.fanActs({ ...tip, account_id: '102' });
    visit.clock.move(SECOND);
    visit.control.fanActs({ ...tip, account_id: '102' });
    await visit.simulator.courier.deliver();
    expect(inbox.urls).toEqual([HOOK, HOOK, HOOK, `${HOOK}/other`]);
    expect(drops(visit)).toEqual(['pause']);
  });

  it('loses what was on its way when the pause began', async () => {
    const { visit, inbox } = listening();
    inbox.answer = 500;
    for (let count = 0; count < 5; count += 1) visit.control.fanActs(tip);
    await visit.simulator.courier.deliver();
    expect([inbox.bodies.length, drops(visit)]).toEqual([3, ['pause', 'pause']]);
  });
});

describe('faults of deliveries', () => {
  it.each([
    ['lost', []],
    ['twice', ['evt-1', 'evt-1', 'evt-2']],
    ['out_of_order', ['evt-2', 'evt-1']],
  ] as const)('%s', async (how, expected) => {
    const { visit, inbox } = listening();
    visit.control.addFault({ kind: 'webhook', how, ...(how === 'lost' ? {} : { times: 1 }) });
    visit.control.fanActs(tip);
    visit.control.fanActs(tip);
    await visit.simulator.courier.deliver();
    expect(inbox.events().map(({ id }) => id)).toEqual(expected);
  });

  it('late: 30 seconds, and the others come before it', async () => {
    const { visit, inbox } = listening();
    visit.control.addFault({ kind: 'webhook', how: 'late', times: 1 });
    visit.control.fanActs(tip);
    visit.control.fanActs(tip);
    await visit.simulator.courier.deliver();
    visit.clock.move(30 * SECOND);
    await visit.simulator.courier.deliver();
    expect(inbox.events().map(({ id }) => id)).toEqual(['evt-2', 'evt-1']);
  });

  it('truncated: half of the body', async () => {
    const { visit, inbox } = listening();
    visit.control.addFault({ kind: 'webhook', how: 'truncated', event: 'fans.tip.received' });
    visit.control.fanActs(tip);
    await visit.simulator.courier.deliver();
    expect(() => inbox.events()).toThrow(SyntaxError);
  });

  it('flood: many events of an unknown kind at once', async () => {
    const { visit, inbox } = listening();
    visit.control.addFault({ kind: 'webhook', how: 'flood', copies: 20, account_id: '101' });
    visit.control.fanActs(tip);
    await visit.simulator.courier.deliver();
    expect(new Set(inbox.events().map(({ id }) => id)).size).toBe(21);
    expect(inbox.events().filter(({ event }) => event === 'simulator.flood')).toHaveLength(20);
  });
});

describe('a world without an entry', () => {
  it('keeps no events, and draws the same numbers', () => {
    const world = createWorld();
    const { control } = createSimulator(world, { clock: virtualClock() });
    control.addFault({ kind: 'webhook', how: 'lost', probability: 0.5 });
    const before = world.randomState;
    control.fanActs({ ...tip, does: 'read' });
    expect([world.randomState, control.oracle().webhooks.happened]).toEqual([before, []]);
    expect(serializeWorld(world)).toContain('"nextEvent":1');
  });
});

const bare = { key: null };
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

function hmac(text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', 's3cret').update(text).digest(encoding);
}
