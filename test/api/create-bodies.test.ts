import { describe, expect, it } from 'vitest';
import { prepareCreate } from '../../src/api/create-bodies.ts';
import { DAYS_TO_WRITE } from '../../src/domain/content.ts';
import type { Declared } from '../../src/domain/resource.ts';
import { aBroadcast, aCampaign } from '../helpers/resource-builders.ts';
import { aClientScene, CAMPAIGN, json } from './client-scene.ts';

/** The body that is sent. The client has checked it against the shape of the call. */
async function create(declared: Declared): Promise<Readonly<Record<string, unknown>>> {
  const { client, sent } = aClientScene(() => json(CAMPAIGN, 201));
  await prepareCreate(client, '101', declared)();
  return (await sent[0]?.json()) as Record<string, unknown>;
}

describe('the body of a campaign', () => {
  // CONTENT-20
  it('says what is declared and nothing else', async () => {
    expect(await create(aCampaign())).toEqual({
      trigger: 'welcome_message',
      action: 'send_message',
      name: 'Welcome',
      audience_filters: [],
      messages: [{ text: 'Hey' }],
    });
  });

  it('leaves out messages of an automated chat and rules that are empty, and keeps false and zero', async () => {
    const chat = aCampaign({ action: 'start_mimic', messages: [] });
    expect(await create(chat)).not.toHaveProperty('messages');
    expect(await create(aCampaign({ rules: {} }))).not.toHaveProperty('rules');
    const rules = { unsend_delay_sec: 0, mimic_on_reply_enabled: false };
    expect(await create(aCampaign({ rules }))).toMatchObject({ rules });
  });

  it('says of each attachment whether it is paid for', async () => {
    const attachments = [
      { id: '1', type: 'image' },
      { id: '2', type: 'image', is_paid: true },
    ];
    expect(await create(aCampaign({ messages: [{ attachments, price_gross: 5 }] }))).toMatchObject({
      messages: [{ attachments: [{ is_paid: false }, { is_paid: true }] }],
    });
  });

  // CONTENT-17
  it('says days and dates as they are declared, and names fan lists without their pinned ids', async () => {
    const lists = {
      kind: 'subscribed_date',
      mode: 'include',
      options: { lists: [{ name: 'Regulars' }] },
    } as const;
    const filters = [
      { kind: 'a', mode: 'include', options: { from_days: 30, to_days: 0 } },
      { kind: 'b', mode: 'exclude', options: { from_at: '2026-06-01T00:00:00Z' } },
      { kind: 'c', mode: 'include', options: {} },
      { kind: 'd', mode: 'include' },
    ] as const;
    const pinned = { ...lists, options: { lists: [{ name: 'Regulars', id: '7' }] } };
    const body = await create(aCampaign({ audience_filters: [pinned, ...filters] }));
    expect(body).toHaveProperty('audience_filters', [lists, ...filters]);
  });

  it('is none while a range in days is still to be written', async () => {
    const audience_filters = [{ kind: 'a', mode: 'include', options: { from_days: DAYS_TO_WRITE } }] as const;
    for (const declared of [aCampaign({ audience_filters }), aBroadcast({ audience_filters })])
      await expect(create(declared)).rejects.toThrow('the range in days is missing');
  });

  it('keeps an end as it is: the mode belongs to broadcasts', async () => {
    const rules = { end_at: '2026-06-02T15:00:00Z' };
    expect(await create(aCampaign({ rules }))).toHaveProperty('rules', rules);
  });
});

describe('the body of a broadcast', () => {
  // BROADCAST-4
  it('states its hour on the UTC clock, with the mode', async () => {
    const body = await create(aBroadcast());
    expect(body).toMatchObject({ scheduled_at: '2026-06-01T18:00:00Z', scheduled_at_timezone_mode: 'utc' });
    expect(body).not.toHaveProperty('rules');
  });

  it.each([
    [{ end_at: '2026-06-02T15:00:00Z' }, { end_at: '2026-06-02T15:00:00Z', end_at_timezone_mode: 'utc' }],
    [{ end_at: null }, { end_at: null }],
    [{ unsend_delay_sec: 60 }, { unsend_delay_sec: 60 }],
  ])('states the clock of an end only where there is one: %j', async (rules, sent) => {
    expect(await create(aBroadcast({ rules }))).toHaveProperty('rules', sent);
  });
});
