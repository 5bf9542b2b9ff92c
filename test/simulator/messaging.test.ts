import { describe, expect, it } from 'vitest';
import {
  aBroadcastBody,
  aCampaignBody,
  aVisit,
  BROADCASTS,
  CAMPAIGNS,
  HOUR,
  itemsOf,
  SCHEDULED,
  SECOND,
  type Json,
  type Visit,
} from './visit.ts';

const media = { attachments: [{ id: '55012', type: 'image' }] };

describe('what is read back', () => {
  it('has every default, the step of each message and the key that created it', async () => {
    const { call } = aVisit();
    const messages = [{ text: 'Hey' }, { price_gross: 9.99, ...media }];
    const { body } = await call(
      'POST',
      CAMPAIGNS,
      aCampaignBody({ messages, rules: { unsend_delay_sec: 60 } }),
    );
    expect(body).toMatchObject({
      created_by: { type: 'api_token', id: '1' },
      created_at: '2026-06-01T12:00:00.000Z',
      rules: { unsend_delay_sec: 60, send_delay_interval: { min_sec: 0, range_sec: 0 }, end_at: null },
      messages: [
        { step: 0, text: 'Hey', price_gross: 0, delay_sec: 0, attachments: [], text_is_paid: false },
        { step: 1, text: null, price_gross: 9.99, attachments: [{ id: '55012', is_paid: false }] },
      ],
      targeted_sends_count: 0,
      first_message_stats: { sent_messages_count: 0 },
      follow_up_message_stats: [{ step: 1 }],
    });
  });

  it('shows dates in UTC, whatever offset they were sent with (READ-7)', async () => {
    const options = { from_at: '2026-01-01T00:00:00+02:00' };
    const { body } = await aVisit().call(
      'POST',
      CAMPAIGNS,
      aCampaignBody({
        rules: { end_at: '2031-01-01T10:00:00+02:00' },
        audience_filters: [{ kind: 'subscribed_date', mode: 'include', options }],
      }),
    );
    expect(body).toMatchObject({
      rules: { end_at: '2031-01-01T08:00:00.000Z' },
      audience_filters: [{ options: { from_at: '2025-12-31T22:00:00.000Z' } }],
    });
  });
});

describe('the schedule of a broadcast', () => {
  const create = (schedule: Json, visit = aVisit()) =>
    visit.call('POST', BROADCASTS, aBroadcastBody(schedule));

  it.each(['2026-06-01T14:00:00+02:00', '2026-06-01T14:00:00-09:00', '2026-06-01T14:00:00'])(
    'ignores the offset of %s',
    async (scheduled_at) => {
      const { body } = await create({ ...SCHEDULED, scheduled_at });
      expect(body['scheduled_at']).toBe('2026-06-01T14:00:00.000Z');
    },
  );

  it('goes out at once when it lies in the past, or is missing', async () => {
    const visit = aVisit();
    const past = await create({ ...SCHEDULED, scheduled_at: '2026-06-01T12:00:00Z' }, visit);
    const none = await create({}, visit);
    expect(past.body).toMatchObject({ status: 'queued', scheduled_at: null, scheduled_at_timezone: null });
    expect(none.body).toMatchObject({ status: 'queued', scheduled_at: null });
    visit.control.advance(HOUR);
    expect(visit.control.oracle().dispatch_counts.map(({ count }) => count)).toEqual([2, 2, 2, 2, 2]);
  });
});

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
      visit.control.addFault({ kind: 'lag', lag_sec: 10 });
      await visit.call('PATCH', `${list}/${id}/status`, { status: 'paused' });
      expect(await statusIn(visit, list, id)).toBe(before);
      expect(await statusOf(visit, list, id)).toBe('paused');
      visit.control.advance(10 * SECOND);
      expect(await statusIn(visit, list, id)).toBe('paused');
    },
  );

  it.each([
    { list: CAMPAIGNS, body: aCampaignBody() },
    { list: BROADCASTS, body: aBroadcastBody(SCHEDULED) },
  ])('do not find what was created a moment ago', async ({ list, body }) => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'lag', lag_sec: 10, reads: true });
    const { body: made } = await visit.call('POST', list, body);
    const path = `${list}/${String(made['id'])}`;
    expect((await visit.call('GET', path)).status).toBe(404);
    visit.control.advance(10 * SECOND);
    expect((await visit.call('GET', path)).status).toBe(200);
  });
});
