import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/api/catalogue.ts';
import { broadcastBody, campaignBody } from '../../src/api/create-bodies.ts';
import { DAYS_TO_WRITE } from '../../src/domain/content.ts';
import { aBroadcast, aCampaign } from '../helpers/resource-builders.ts';

describe('the body of a campaign', () => {
  // CONTENT-20
  it('says what is declared and nothing else', () => {
    expect(campaignBody(aCampaign())).toEqual({
      trigger: 'welcome_message',
      action: 'send_message',
      name: 'Welcome',
      audience_filters: [],
      messages: [{ text: 'Hey' }],
    });
  });

  it('leaves out messages of an automated chat and rules that are empty, and keeps false and zero', () => {
    expect(campaignBody(aCampaign({ action: 'start_mimic', messages: [] }))).not.toHaveProperty('messages');
    expect(campaignBody(aCampaign({ rules: {} }))).not.toHaveProperty('rules');
    const rules = { unsend_delay_sec: 0, mimic_on_reply_enabled: false };
    expect(campaignBody(aCampaign({ rules })).rules).toEqual(rules);
  });

  it('says of each attachment whether it is paid for', () => {
    const attachments = [
      { id: '1', type: 'image' },
      { id: '2', type: 'image', is_paid: true },
    ];
    const [message] = campaignBody(aCampaign({ messages: [{ attachments, price_gross: 5 }] })).messages ?? [];
    expect(message?.attachments?.map(({ is_paid }) => is_paid)).toEqual([false, true]);
  });

  // CONTENT-17
  it('names fan lists and leaves their pinned ids at home', () => {
    const options = { lists: [{ name: 'Regulars', id: '7' }] };
    const body = campaignBody(
      aCampaign({ audience_filters: [{ kind: 'subscribed_date', mode: 'include', options }] }),
    );
    expect(body.audience_filters?.[0]?.options).toEqual({ lists: [{ name: 'Regulars' }] });
  });

  it('says days and dates as they are declared', () => {
    const filters = [
      { kind: 'a', mode: 'include', options: { from_days: 30, to_days: 0 } },
      { kind: 'b', mode: 'exclude', options: { from_at: '2026-06-01T00:00:00Z' } },
      { kind: 'c', mode: 'include', options: {} },
      { kind: 'd', mode: 'include' },
    ] as const;
    expect(campaignBody(aCampaign({ audience_filters: filters })).audience_filters).toEqual(filters);
  });

  it('is none while a range in days is still to be written', () => {
    const audience_filters = [{ kind: 'a', mode: 'include', options: { from_days: DAYS_TO_WRITE } }] as const;
    expect(() => campaignBody(aCampaign({ audience_filters }))).toThrow('the range in days is missing');
    expect(() => broadcastBody(aBroadcast({ audience_filters }))).toThrow('the range in days is missing');
  });

  it('keeps an end as it is: the mode belongs to broadcasts', () => {
    const rules = { end_at: '2026-06-02T15:00:00Z' };
    expect(campaignBody(aCampaign({ rules })).rules).toEqual(rules);
    expect(CATALOGUE['campaigns.create'].body.safeParse(campaignBody(aCampaign({ rules }))).success).toBe(
      true,
    );
  });
});

describe('the body of a broadcast', () => {
  // BROADCAST-4
  it('states its hour on the UTC clock, with the mode', () => {
    const body = broadcastBody(aBroadcast());
    expect(body).toMatchObject({ scheduled_at: '2026-06-01T18:00:00Z', scheduled_at_timezone_mode: 'utc' });
    expect(body).not.toHaveProperty('rules');
    expect(CATALOGUE['broadcasts.create'].body.safeParse(body).success).toBe(true);
  });

  it('states the clock of an end only where there is one', () => {
    const end_at = '2026-06-02T15:00:00Z';
    expect(broadcastBody(aBroadcast({ rules: { end_at } })).rules).toEqual({
      end_at,
      end_at_timezone_mode: 'utc',
    });
    expect(broadcastBody(aBroadcast({ rules: { end_at: null } })).rules).toEqual({ end_at: null });
    expect(broadcastBody(aBroadcast({ rules: { unsend_delay_sec: 60 } })).rules).toEqual({
      unsend_delay_sec: 60,
    });
  });
});
