import { expect, it } from 'vitest';
import type { ModeChanges } from '../../src/simulator/modes.ts';
import { aVaultVisit, UPLOADS, type VaultVisit } from './vault-visit.ts';
import { aCampaignBody, BROADCASTS, CAMPAIGNS, DAY, HOUR, itemsOf, SECOND, type Json } from './visit.ts';

type Visit = VaultVisit;

const ACCOUNT = '/api/v0/accounts/101';
const CHAT = `${ACCOUNT}/chats/101001/messages`;
const STATEMENTS = '/proxy/v0/platforms/platform_a/accounts/9101/statements';

const create = async (visit: Visit, more: Json) =>
  (await visit.call('POST', CAMPAIGNS, aCampaignBody(more))).body;
const setStatus = async (visit: Visit, list: string, id: string, status: string) =>
  (await visit.call('PATCH', `${list}/${id}/status`, { status })).status;
const readStatus = async (visit: Visit, list: string, id: string) =>
  (await visit.call('GET', `${list}/${id}`)).body['status'];

/** Whether the order of the list stays when the second in it is paused. */
async function keepsOrder(visit: Visit) {
  for (let made = 0; made < 2; made += 1) visit.campaign();
  visit.control.advance(SECOND);
  const ids = async () => itemsOf(await visit.call('GET', CAMPAIGNS)).map(({ id }) => String(id));
  const before = await ids();
  await setStatus(visit, CAMPAIGNS, before[1] ?? '', 'paused');
  return before.join() === (await ids()).join();
}

async function pauseAgain(visit: Visit) {
  const id = visit.campaign({ status: 'paused' });
  visit.control.advance(6 * DAY);
  await setStatus(visit, CAMPAIGNS, id, 'paused');
  visit.control.advance(6 * DAY);
  return readStatus(visit, CAMPAIGNS, id);
}

async function sendsInPause(visit: Visit) {
  const id = visit.campaign({ rules: { send_delay_interval: { min_sec: 60, range_sec: 0 } } });
  visit.control.fireTrigger('101', 'welcome_message', 'fan-1');
  await setStatus(visit, CAMPAIGNS, id, 'paused');
  visit.control.advance(60 * SECOND);
  return visit.control.oracle().dispatches.length;
}

async function bringBack(visit: Visit) {
  const id = visit.campaign({ status: 'archived' });
  return [await setStatus(visit, CAMPAIGNS, id, 'active'), await readStatus(visit, CAMPAIGNS, id)];
}

async function namelessPages(visit: Visit) {
  visit.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101002', messages: 6 } });
  const path = CHAT.replace('101001', '101002');
  const first = itemsOf(await visit.call('GET', `${path}?limit=3&order=asc`));
  const last = first.at(-1)?.['id'];
  const next = itemsOf(await visit.call('GET', `${path}?order=asc&message_id=${String(last)}`));
  return next.length;
}

async function follow(visit: Visit) {
  const { body } = await visit.call('POST', `${ACCOUNT}/fans/101001/subscribe`);
  return [body['price_gross'], body['expires_at']];
}

async function exportTwice(visit: Visit) {
  const started = await visit.start();
  const { etag } = await visit.put(started.put_url, 'bytes');
  return [await visit.export(started, etag ?? ''), await visit.export(started, etag ?? '')].map(
    ({ status }) => status,
  );
}

/** How many unfinished uploads are listed at once, and after their addresses lapsed. */
async function countUnfinished(visit: Visit) {
  await visit.start();
  const early = await visit.uploads('?expired=true');
  visit.clock.move(901_000);
  return [early.length, (await visit.uploads('?expired=true')).length];
}

async function retryUnfinished(visit: Visit) {
  await visit.start();
  visit.clock.move(901_000);
  const [shown] = await visit.uploads('?expired=true');
  const { status } = await visit.call('POST', `${UPLOADS}/${String(shown?.['id'])}/retry`);
  return [shown?.['status'], status];
}

async function tagOf(visit: Visit) {
  const started = await visit.start();
  const { etag } = await visit.put(started.put_url, 'bytes');
  return [etag, (await visit.export(started, etag ?? '')).status];
}

async function requestPayout(visit: Visit) {
  const { status, body } = await visit.call('POST', `${STATEMENTS}/payout-requests`, {
    withdrawal_amount: 100,
  });
  const balances = await visit.call('GET', `${STATEMENTS}/balances`);
  return [status, body, balances.body['payoutAvailable']];
}

const odd = { trigger: 'Some Day!', later: 1, rules: { colour: 'red' } };
const DATES = { from_at: '2026-05-02T12:00:00.000Z', to_at: '2026-06-01T12:00:00.000Z' };
const daysAgo = { kind: 'subscribed_date', mode: 'include', options: { from_days: 30, to_days: 0 } };
const listDays = async (visit: Visit) =>
  (await create(visit, { audience_filters: [daysAgo] }))['audience_filters'];
const extra = async (visit: Visit) => 'revision' in (await create(visit, {}));
const dateOf = async (visit: Visit) =>
  Date.parse((await visit.call('GET', CAMPAIGNS)).headers.get('date') ?? '') - visit.control.now();

/** A mode, what is done, what comes of it by default, and what in this mode. */
const ROWS: readonly (readonly [ModeChanges, (visit: Visit) => Promise<unknown>, unknown, unknown])[] = [
  [{ trimNames: true }, async (visit) => (await create(visit, { name: ' a ' }))['name'], ' a ', 'a'],
  [{ daysReadBack: 'dates' }, listDays, [{ ...daysAgo, options: {} }], [{ ...daysAgo, options: DATES }]],
  [{ extraFields: false }, extra, true, false],
  [
    { unknownParameters: 'ignore' },
    async (visit) => (await create(visit, { later: 1 }))['name'],
    undefined,
    'Welcome',
  ],
  [
    { unknownParameters: 'ignore', triggers: 'any' },
    async (visit) => {
      const { trigger, later, rules } = await create(visit, odd);
      return [trigger, later, Object(rules)['colour']];
    },
    [undefined, undefined, undefined],
    ['Some Day!', undefined, undefined],
  ],
  [{ campaignOrder: 'last_change' }, keepsOrder, true, false],
  [
    { listLagSec: 3 },
    async (visit) => {
      await create(visit, {});
      const early = itemsOf(await visit.call('GET', CAMPAIGNS)).length;
      visit.control.advance(3 * SECOND);
      return [early, itemsOf(await visit.call('GET', CAMPAIGNS)).length];
    },
    [1, 1],
    [0, 1],
  ],
  [{ archivedToActive: 'refuse' }, bringBack, [204, 'active'], [409, 'archived']],
  [{ samePauseRestartsClock: true }, pauseAgain, 'archived', 'paused'],
  [{ pausedQueue: 'drain' }, sendsInPause, 0, 1],
  [
    { resumeOfRunning: 'accept' },
    async (visit) => setStatus(visit, BROADCASTS, visit.broadcast(), 'queued'),
    409,
    200,
  ],
  [
    { endedStatus: 'sent' },
    async (visit) => readStatus(visit, BROADCASTS, visit.broadcast({ status: null })),
    null,
    'sent',
  ],
  [
    { archivedStatus: 'null' },
    async (visit) => readStatus(visit, BROADCASTS, visit.broadcast({ status: 'archived' })),
    'archived',
    null,
  ],
  [{ messageIdInclusive: true }, namelessPages, 3, 4],
  [
    { restrictedDetails: 'list' },
    async (visit) => (await visit.call('POST', CHAT, { text: 'By PayPal!' })).body['details'],
    { words: ['paypal'] },
    ['paypal'],
  ],
  [{ followPriceUsd: 0 }, follow, [4.99, '2026-07-01T12:00:00.000Z'], [0, null]],
  [{ exportAgain: 'refuse' }, exportTwice, [200, 200], [200, 409]],
  [{ unfinishedUploads: 'hidden' }, countUnfinished, [0, 1], [0, 0]],
  [{ unfinishedUploads: 'listed' }, countUnfinished, [0, 1], [1, 1]],
  [{ unfinishedStatus: 'null' }, retryUnfinished, ['uploaded', 200], [null, 404]],
  [
    { multipartKeys: 'absent', uploadShape: 'multipart' },
    async (visit) => Object.keys(await visit.start()),
    ['key', 'get_url', 'put_url'],
    ['upload_id', 'parts'],
  ],
  [
    { etagQuotes: false, storageHash: 'none' },
    tagOf,
    [expect.stringMatching(/^"[0-9a-f]{32}"$/), 200],
    ['5-of-put-1', 200],
  ],
  [
    { payoutRejectReason: 'documents are missing' },
    requestPayout,
    [200, { list: [{ state: 'new', rejectReason: '' }] }, 1134.56],
    [200, { list: [{ state: 'rejected', rejectReason: 'documents are missing' }] }, 1234.56],
  ],
  [
    { payoutsEnabled: false },
    requestPayout,
    [200, { list: [{ state: 'new', rejectReason: '' }] }, 1134.56],
    [403, { message: 'Payouts are not available' }, 1234.56],
  ],
  [
    { payoutMarker: 'null' },
    async (visit) => (await visit.call('GET', `${STATEMENTS}/payout-requests`)).body['marker'],
    0,
    null,
  ],
  [{ serverClocksSec: [3600] }, dateOf, 0, HOUR],
];

it.each(ROWS)('%j changes what comes of it', async (modes, probe, byDefault, changed) => {
  expect(await probe(aVaultVisit())).toEqual(byDefault);
  expect(await probe(aVaultVisit(modes))).toEqual(changed);
});

it('an order of campaigns that is reshuffled changes from scan to scan, and never within one', async () => {
  const visit = aVaultVisit({ campaignOrder: 'reshuffled' });
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  for (const name of names) visit.campaign({ name });
  const scan = async () => {
    const pages = [];
    for (const offset of [0, 4])
      pages.push(...itemsOf(await visit.call('GET', `${CAMPAIGNS}?limit=4&offset=${offset}`)));
    return pages.map(({ name }) => String(name));
  };
  const scans = [await scan(), await scan()];
  expect(scans[0]).not.toEqual(scans[1]);
  for (const seen of scans) expect(seen.toSorted()).toEqual(names);
});

it('clocks of servers that differ are mixed', async () => {
  const visit = aVaultVisit({ serverClocksSec: [0, 3600] });
  const seen = new Set<number>();
  for (let read = 0; read < 20; read += 1) seen.add(await dateOf(visit));
  expect([...seen].toSorted()).toEqual([0, HOUR]);
});

it('the shape of an upload is by its size, or random', async () => {
  const MIB = 1_048_576;
  const visit = aVaultVisit();
  const start = async (size: number) => visit.start({ name: 'a.jpg', size, content_type: 'image/jpeg' });
  expect((await start(64 * MIB - 1)).put_url).toContain('Signature=');
  expect((await start(64 * MIB)).parts).toHaveLength(4);
  visit.control.setModes({ uploadShape: 'random' });
  const shapes = new Set<boolean>();
  for (let count = 0; count < 20; count += 1) shapes.add('put_url' in (await start(5)));
  expect(shapes.size).toBe(2);
});
