import { describe, expect, it } from 'vitest';
import type { World } from '../../src/index.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld, parseWorld, serializeWorld } from '../../src/simulator/world.ts';
import {
  aBroadcastBody,
  aCampaignBody,
  aVisit,
  BROADCASTS,
  CAMPAIGNS,
  DAY,
  SCHEDULED,
  SECOND,
  type Visit,
} from './visit.ts';
import { flowClock } from '../helpers/flow-clock.ts';

/** A day in the life of a service, with everything that draws from the seed. */
async function aDay(visit: Visit): Promise<void> {
  const { control, call } = visit;
  control.setModes({ campaignOrder: 'reshuffled' });
  control.addFault({ kind: 'broken_answer', when: 'after_commit', how: '500', nth: 3 });
  control.addFault({ kind: 'late_commit', after_sec: 30, how: '502', nth: 4, operation: 'campaigns.create' });
  const lists = [{ name: 'VIP' }];
  const audience_filters = [{ kind: 'x', mode: 'include', options: { lists, from_days: 30 } }];
  const rules = { send_delay_interval: { min_sec: 1, range_sec: 100 } };
  for (let count = 0; count < 6; count += 1) {
    await call('POST', CAMPAIGNS, aCampaignBody({ audience_filters, rules }));
    await call('POST', BROADCASTS, aBroadcastBody(count < 5 ? {} : SCHEDULED));
    control.fireTrigger({ account_id: '101', trigger: 'welcome_message', fan_id: `fan-${count}` });
    control.advance(10 * SECOND);
  }
  await call('GET', CAMPAIGNS);
  await aFewOthers(visit);
}

/** A fan, money and a file: the parts of a world that have nothing to do with campaigns. */
async function aFewOthers({ call, control }: Visit): Promise<void> {
  control.addWebhook({ url: 'http://receiver.invalid/events', accounts: ['102'] });
  control.fanActs({ account_id: '102', fan_id: '102001', does: 'tip' });
  control.fanActs({ account_id: '102', fan_id: '102009', does: 'subscribe' });
  control.setData({ transactions: 11, members: 3 });
  control.addFault({
    kind: 'change_before',
    operation: 'payouts.list',
    seed: { kind: 'payout_request', account_id: '101', set: { amount: 12.34 } },
  });
  const fan = '/api/v0/accounts/101/fans/101001';
  await call('POST', '/api/v0/accounts/101/chats/101001/messages', { text: 'Hi' });
  await call('PATCH', fan, { note: 'x' });
  await call('POST', `${fan}/subscribe`);
  await call('POST', '/proxy/v0/platforms/platform_a/accounts/9101/statements/payout-requests', {
    withdrawal_amount: 100.1,
  });
  const file = { name: 'a.jpg', size: 5, content_type: 'image/jpeg' };
  await call('POST', '/api/v0/accounts/101/vault/medias/uploads/start', file);
  control.seed({ kind: 'vault_upload', account_id: '101', set: {} });
}

describe('a world', () => {
  it('survives being written and read, with everything that is still to come', async () => {
    const clock = flowClock();
    const first = aVisit({}, clock);
    await aDay(first);
    const text = serializeWorld(first.simulator.world);
    const world = parseWorld(text);
    expect(serializeWorld(world)).toBe(text);
    const second = createSimulator(world, { clock });
    for (const control of [first.control, second.control]) control.advance(10 * DAY);
    expect(second.control.oracle()).toEqual(first.control.oracle());
    expect(serializeWorld(world)).toBe(serializeWorld(first.simulator.world));
  });

  it('may be a plain copy of one, such as the control gives', () => {
    const { control, clock } = aVisit();
    const copy: World = control.world();
    const again = createSimulator(structuredClone(copy), { clock });
    expect(again.control.seedCampaign('101')).toMatchObject({ account_id: '101' });
  });

  it.each<[string, string, RegExp]>([
    ['cut off', serializeWorld(createWorld()).slice(0, 500), /not valid JSON, perhaps cut off/],
    ['empty', '', /not valid JSON/],
    ['something else', '[]', /damaged at its top/],
    ['of another version', '{"version":7}', /damaged at version/],
    [
      'with an odd member',
      serializeWorld(createWorld()).replace('"fans":[', '"fans":[7,'),
      /accounts\.101\.fans\.0/,
    ],
  ])('that is %s is refused with advice', (_case, text, message) => {
    expect(() => parseWorld(text)).toThrow(message);
    expect(() => parseWorld(text)).toThrow(/remove it to start with a new world/);
  });
});

it('time that passes lets things happen in the order of their instants, no matter who asks first', () => {
  const visit = aVisit();
  visit.campaign({ name: 'first', status: 'paused' });
  visit.control.advance(DAY);
  visit.campaign({ name: 'second', status: 'paused' });
  visit.control.advance(30 * DAY);
  expect(visit.control.oracle().commits).toMatchObject([
    { name: 'first', status: 'archived', at: '2026-06-08T12:00:00.000Z', cause: { by: 'service' } },
    { name: 'second', status: 'archived', at: '2026-06-09T12:00:00.000Z' },
  ]);
});
