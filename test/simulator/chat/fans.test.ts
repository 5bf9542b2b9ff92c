import { expect, it } from 'vitest';
import { aVisit, DAY, type Visit } from '../visit.ts';

const FAN = '/api/v0/accounts/101/fans/101001';

function truth(visit: Visit) {
  const found = visit.control.oracle().chats['101'];
  if (found === undefined) throw new Error('no account 101');
  return found;
}

it('lists the fans with chats that show something, up to the limit', async () => {
  const visit = aVisit();
  visit.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101002', messages: 0 } });
  const { body } = await visit.call('GET', '/api/v0/accounts/101/fans');
  expect(body['fan_ids']).toEqual(['101001', '101003', '101004', '101005']);
  const { body: short } = await visit.call('GET', '/api/v0/accounts/101/fans?limit=2');
  expect(short['fan_ids']).toEqual(['101001', '101003']);
  expect((await visit.call('GET', '/api/v0/accounts/101/fans?limit=10001')).status).toBe(400);
});

it('keeps the label that is left out', async () => {
  const visit = aVisit();
  expect((await visit.call('PATCH', FAN, { custom_name: 'Tom', note: 'likes dogs' })).body).toEqual({
    success: true,
  });
  await visit.call('PATCH', FAN, { note: '' });
  expect(truth(visit).labels['101001']).toEqual({ custom_name: 'Tom', note: '' });
});

it('refuses a label without anything and one that is too long', async () => {
  const visit = aVisit();
  expect((await visit.call('PATCH', FAN, {})).status).toBe(400);
  expect((await visit.call('PATCH', FAN, { note: 'x'.repeat(1001) })).status).toBe(400);
  expect((await visit.call('PATCH', FAN, { note: '😀'.repeat(1000) })).status).toBe(200);
  expect((await visit.call('PATCH', '/api/v0/accounts/101/fans/7', { note: 'x' })).status).toBe(404);
});

it('charges for a follow once, and answers the existing one unchanged', async () => {
  const visit = aVisit();
  const first = await visit.call('POST', `${FAN}/subscribe`);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ fan: { id: '101001' }, subscribed: true, price_gross: 4.99 });
  visit.clock.move(DAY);
  expect((await visit.call('POST', `${FAN}/subscribe`)).body).toEqual(first.body);
  expect(truth(visit).follows).toHaveLength(1);
});

it('begins a new subscription when the paid one has run out, and none ever ends that was free', async () => {
  const visit = aVisit();
  await visit.call('POST', `${FAN}/subscribe`);
  visit.clock.move(31 * DAY);
  await visit.call('POST', `${FAN}/subscribe`);
  expect(truth(visit).follows.map(({ price }) => price)).toEqual([4.99, 4.99]);

  const free = aVisit({ modes: { followPriceUsd: 0 } });
  const { body } = await free.call('POST', `${FAN}/subscribe`);
  expect(body).toMatchObject({ expires_at: null, price_gross: 0 });
  free.clock.move(400 * DAY);
  await free.call('POST', `${FAN}/subscribe`);
  expect(truth(free).follows).toHaveLength(1);
});

it('takes no body for a follow', async () => {
  const visit = aVisit();
  expect((await visit.call('POST', `${FAN}/subscribe`, {})).status).toBe(400);
  expect(truth(visit).follows).toEqual([]);
});
