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
} from './visit.ts';

const media = { attachments: [{ id: '55012', type: 'image' }] };

describe('the name of what is created', () => {
  it.each<[string, string, Json, number]>([
    ['a campaign of one text', CAMPAIGNS, aCampaignBody({ name: null }), 201],
    [
      'a campaign that opens a chat',
      CAMPAIGNS,
      aCampaignBody({ name: null, action: 'start_mimic', messages: [] }),
      201,
    ],
    [
      'a sequence of a campaign',
      CAMPAIGNS,
      aCampaignBody({ name: null, messages: [{ text: 'a' }, { text: 'b' }] }),
      400,
    ],
    ['a campaign of media without text', CAMPAIGNS, aCampaignBody({ name: null, messages: [media] }), 400],
    ['a broadcast of one text', BROADCASTS, aBroadcastBody({ name: null }), 201],
    [
      'a sequence of a broadcast',
      BROADCASTS,
      aBroadcastBody({ name: null, messages: [{ text: 'a' }, { text: 'b' }] }),
      400,
    ],
    ['a broadcast of media without text', BROADCASTS, aBroadcastBody({ name: null, messages: [media] }), 400],
  ])('may be missing or not: %s', async (_case, path, body, expected) => {
    expect((await aVisit().call('POST', path, body)).status).toBe(expected);
  });

  it('reads null for a campaign without one, and as the text for a broadcast', async () => {
    const { call } = aVisit();
    const campaign = await call('POST', CAMPAIGNS, aCampaignBody({ name: null }));
    expect(campaign.body['name']).toBeNull();
    const broadcast = await call('POST', BROADCASTS, aBroadcastBody({ name: undefined }));
    expect(broadcast.body['name']).toBe('Tomorrow');
  });

  it('need not be unique', async () => {
    const { call } = aVisit();
    await call('POST', CAMPAIGNS, aCampaignBody());
    await call('POST', CAMPAIGNS, aCampaignBody());
    expect(itemsOf(await call('GET', CAMPAIGNS))).toMatchObject([{ name: 'Welcome' }, { name: 'Welcome' }]);
  });

  it('is kept as sent, or trimmed where the service does that', async () => {
    const name = ' Welcome ';
    const kept = await aVisit().call('POST', CAMPAIGNS, aCampaignBody({ name }));
    expect(kept.body['name']).toBe(name);
    const trimming = aVisit({ modes: { trimNames: true } });
    const trimmed = await trimming.call('POST', CAMPAIGNS, aCampaignBody({ name }));
    expect(trimmed.body['name']).toBe('Welcome');
  });
});

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

  it('shows fan lists by id only, the same id for the same name of an account', async () => {
    const { call } = aVisit();
    const filters = (name: string) => ({
      audience_filters: [{ kind: 'x', mode: 'include', options: { lists: [{ name }] } }],
    });
    const one = await call('POST', CAMPAIGNS, aCampaignBody(filters('VIP')));
    const two = await call('POST', BROADCASTS, aBroadcastBody(filters('VIP')));
    const other = await call('POST', CAMPAIGNS, aCampaignBody(filters('New')));
    expect(one.text).not.toContain('VIP');
    expect(two.body['audience_filters']).toEqual(one.body['audience_filters']);
    expect(other.body['audience_filters']).not.toEqual(one.body['audience_filters']);
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

  it('leaves out the days of a filter, or shows the instants that they mean', async () => {
    const filter = { kind: 'subscribed_date', mode: 'include', options: { from_days: 30, to_days: 0 } };
    const body = aCampaignBody({ audience_filters: [filter] });
    const omitting = await aVisit().call('POST', CAMPAIGNS, body);
    expect(omitting.body['audience_filters']).toEqual([{ ...filter, options: {} }]);
    const dating = await aVisit({ modes: { daysReadBack: 'dates' } }).call('POST', CAMPAIGNS, body);
    expect(dating.body['audience_filters']).toMatchObject([
      { options: { from_at: '2026-05-02T12:00:00.000Z', to_at: '2026-06-01T12:00:00.000Z' } },
    ]);
  });

  it('has ids that grow, are not JavaScript numbers and soon differ in length', async () => {
    const visit = aVisit();
    const ids = Array.from({ length: 20 }, () => visit.campaign());
    const numbers = ids.map(BigInt);
    expect(numbers).toEqual([...numbers].sort((left, right) => (left < right ? -1 : 1)));
    expect(ids).not.toEqual([...ids].sort());
    expect(ids.every((id) => BigInt(id) > Number.MAX_SAFE_INTEGER && id.length <= 19)).toBe(true);
  });

  it('hides the messages of an action that the API does not name', async () => {
    const visit = aVisit();
    const id = visit.campaign({ action: null });
    expect((await visit.call('GET', `${CAMPAIGNS}/${id}`)).body).toMatchObject({
      action: null,
      messages: [],
    });
  });
});

describe('a broadcast that cannot be read', () => {
  it('is listed without messages and with every figure at zero, and read singly as a plain 502', async () => {
    const visit = aVisit();
    const id = visit.broadcast({ unreadable: true, targeted_recipients_count: 7 });
    expect(itemsOf(await visit.call('GET', BROADCASTS))).toMatchObject([
      {
        name: 'Seeded broadcast',
        messages: [],
        targeted_recipients_count: 0,
        stats: { sent_messages_count: 0 },
      },
    ]);
    const { status, body } = await visit.call('GET', `${BROADCASTS}/${id}`);
    expect([status, body['code']]).toEqual([502, undefined]);
  });

  it('has no name when it was created without one', async () => {
    const visit = aVisit();
    visit.broadcast({ name: null, unreadable: true });
    expect(itemsOf(await visit.call('GET', BROADCASTS))).toMatchObject([{ name: null }]);
  });
});

describe('the schedule of a broadcast', () => {
  const create = (schedule: Json, visit = aVisit()) =>
    visit.call('POST', BROADCASTS, aBroadcastBody(schedule));

  it('waits for its hour', async () => {
    const { body } = await create(SCHEDULED);
    expect(body).toMatchObject({
      status: 'scheduled',
      scheduled_at: '2026-06-01T14:00:00.000Z',
      scheduled_at_timezone: 'UTC',
    });
  });

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

  it('loses its minutes where the service truncates them', async () => {
    const visit = aVisit({ modes: { scheduleMinutes: 'truncate' } });
    const { body } = await create({ ...SCHEDULED, scheduled_at: '2026-06-01T14:30:00Z' }, visit);
    expect(body['scheduled_at']).toBe('2026-06-01T14:00:00.000Z');
  });

  it('sends nothing when its end comes first', async () => {
    const visit = aVisit();
    const rules = { end_at: '2026-06-01T13:00:00Z', end_at_timezone_mode: 'utc' };
    const { body } = await create({ ...SCHEDULED, rules }, visit);
    expect(body['rules']).toMatchObject({ end_at: '2026-06-01T13:00:00.000Z', end_at_timezone: 'UTC' });
    visit.control.advance(5 * HOUR);
    expect(visit.control.oracle().dispatches).toEqual([]);
  });

  it('comes due by the clock alone, without being advanced', async () => {
    const visit = aVisit();
    const { body } = await create(SCHEDULED, visit);
    visit.clock.move(2 * HOUR + 5 * SECOND);
    const { body: later } = await visit.call('GET', `${BROADCASTS}/${String(body['id'])}`);
    expect(later).toMatchObject({ status: 'sending', scheduled_at: null });
  });
});
