import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../src/domain/allowance.ts';
import { NOT_SENT } from '../../src/domain/knowledge.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  knowing,
} from '../helpers/resource-builders.ts';
import { codesOf, lineOf, planOf } from './plan-of.ts';

const OTHER_TEXT = 'Another text';
const END = '2027-03-01T00:00:00.000Z';

/** As a service fills in what no one has set. */
const DEFAULTS = {
  send_delay_interval: { min_sec: 0, range_sec: 0 },
  unsend_delay_sec: 0,
  unsend_if_not_read_enabled: false,
  online_check_mode: 'off',
  end_at: null,
  end_at_timezone: null,
};
const SET = {
  ...DEFAULTS,
  unsend_delay_sec: 3600,
  unsend_if_not_read_enabled: true,
  end_at: END,
  end_at_timezone: 'Europe/Berlin',
};
const DROPPED = [
  { path: 'rules.end_at', live: END },
  { path: 'rules.unsend_delay_sec', live: 3600 },
  { path: 'rules.unsend_if_not_read_enabled', live: true },
];

const ours = knowing({ campaigns: [{ id: '1' }], broadcasts: [{ id: '1' }] });
const message = (more = {}) => ({ step: 0, text: OTHER_TEXT, price_gross: 0, attachments: [], ...more });

function changeOf(...args: Parameters<typeof planOf>) {
  const [change] = planOf(...args).changes;
  if (change === undefined) throw new Error('no change');
  return change;
}

describe('a replace shows what it drops', () => {
  it.each([
    ['campaign', aCampaign(), aLiveCampaign({ rules: SET, messages: [message()] })],
    ['broadcast', aBroadcast(), aLiveBroadcast({ rules: SET, messages: [message()] })],
  ])('the rules of a %s that are set and in no file', (_, declared, live) => {
    const plan = planOf([declared], [live], { knowledge: ours });
    expect(plan.changes[0]?.action).toBe('replace');
    expect(plan.changes[0]?.dropped).toEqual(DROPPED);
    expect(codesOf(plan)).toEqual(['dropped']);
    expect(plan.diagnostics[0]?.severity).toBe('warning');
    expect(plan.diagnostics[0]?.message).toContain('rules.unsend_delay_sec 3600, ');
    expect(plan.diagnostics[0]?.message).toContain('add it to the file, or run: herald import --update');
  });

  it('the delay, the paid text and the tagged accounts of a message', () => {
    const more = { delay_sec: 60, text_is_paid: true, tagged_platform_account_ids: ['7'] };
    const live = aLiveCampaign({ messages: [message(more)] });
    expect(changeOf([aCampaign()], [live], { knowledge: ours }).dropped).toEqual([
      { path: 'messages[0].delay_sec', live: 60 },
      { path: 'messages[0].tagged_platform_account_ids', live: ['7'] },
      { path: 'messages[0].text_is_paid', live: true },
    ]);
  });

  it('a member of a rule of which the file states another', () => {
    const rules = { send_delay_interval: { min_sec: 30, range_sec: 60 } };
    const declared = aCampaign({ rules: { send_delay_interval: { min_sec: 30 } } });
    const live = aLiveCampaign({ rules, messages: [message()] });
    expect(changeOf([declared], [live], { knowledge: ours }).dropped).toEqual([
      { path: 'rules.send_delay_interval.range_sec', live: 60 },
    ]);
  });

  // CONTENT-20
  it('what no file can state, with other words', () => {
    const rules = { unsend_if_not_replied_enabled: true, rule_of_tomorrow: 5 };
    const live = aLiveBroadcast({ rules, messages: [message({ mood: 'good' })] });
    const plan = planOf([aBroadcast()], [live], { knowledge: ours });
    expect(plan.changes[0]?.dropped.map(({ path }) => path)).toEqual([
      'messages[0].mood',
      'rules.rule_of_tomorrow',
      'rules.unsend_if_not_replied_enabled',
    ]);
    expect(plan.diagnostics.map(({ message: words }) => words).join()).toContain('A file cannot have it');
    expect(plan.diagnostics.map(({ message: words }) => words).join()).not.toContain('import --update');
  });

  it('of several versions, each path once', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2' }] });
    const live = (id: string, rules: Record<string, unknown>) =>
      aLiveCampaign({ id, rules, messages: [message()] });
    const both = [live('1', { unsend_delay_sec: 1 }), live('2', { unsend_delay_sec: 2, end_at: END })];
    expect(changeOf([aCampaign()], both, { knowledge }).dropped).toEqual([
      { path: 'rules.unsend_delay_sec', live: 1 },
      { path: 'rules.end_at', live: END },
    ]);
  });

  it.each([
    ['that waits for an allowance', {}, 'active', 'blocked 1 needs adopt'],
    ['that finishes an earlier one', { pausedFor: 'replace' }, 'paused', 'replace 1: create, read_back'],
  ] as const)('also one %s', (_, known, status, line) => {
    const knowledge = status === 'active' ? knowing() : knowing({ campaigns: [{ id: '1', ...known }] });
    const live = aLiveCampaign({ status, rules: { unsend_delay_sec: 3600 }, messages: [message()] });
    const change = changeOf([aCampaign()], [live], { knowledge });
    expect(lineOf(change)).toBe(line);
    expect(change.dropped).toEqual([{ path: 'rules.unsend_delay_sec', live: 3600 }]);
  });

  it('and switching on an archived one, which is created again where the service refuses', () => {
    const live = aLiveCampaign({ status: 'archived', rules: { unsend_delay_sec: 3600 } });
    const allow = new Set<Allowance>(['resume']);
    const plan = planOf([aCampaign()], [live], { knowledge: ours, allow });
    expect(plan.changes.map(({ action }) => action)).toEqual(['activate']);
    expect(codesOf(plan)).toEqual(['dropped']);
  });
});

describe('a replace drops nothing', () => {
  it.each([
    ['of what the service fills in by itself', aCampaign(), { rules: DEFAULTS }],
    ['of what the file states, whatever it states', aCampaign({ rules: { unsend_delay_sec: 0 } }), {}],
    ['of rules that the service does not show', aCampaign(), { rules: null }],
  ])('%s', (_, declared, parts) => {
    const live = aLiveCampaign({ rules: { unsend_delay_sec: 3600 }, messages: [message()], ...parts });
    const plan = planOf([declared], [live], { knowledge: ours });
    expect(plan.changes[0]?.action).toBe('replace');
    expect(plan.changes[0]?.dropped).toEqual([]);
    expect(codesOf(plan)).toEqual([]);
  });

  it('of what the service filled in when Herald created it without, as long as it is the same', () => {
    const rewrites = [{ path: 'rules.unsend_delay_sec', sent: NOT_SENT, got: '3600' }];
    const knowledge = knowing({ campaigns: [{ id: '1', rewrites }] });
    const live = (seconds: number) =>
      aLiveCampaign({ rules: { unsend_delay_sec: seconds }, messages: [message()] });
    expect(changeOf([aCampaign()], [live(3600)], { knowledge }).dropped).toEqual([]);
    expect(changeOf([aCampaign()], [live(7200)], { knowledge }).dropped).toEqual([
      { path: 'rules.unsend_delay_sec', live: 7200 },
    ]);
  });

  it('of a message that the file no longer has: that is a difference', () => {
    const live = aLiveCampaign({
      messages: [message({ text: 'Hey' }), message({ step: 1, delay_sec: 60 })],
    });
    const change = changeOf([aCampaign()], [live], { knowledge: ours });
    expect(change.dropped).toEqual([]);
    expect(change.fields.map(({ path }) => path)).toContain('messages.length');
  });
});

describe('what stays', () => {
  it.each([
    ['campaign', aCampaign(), aLiveCampaign({ rules: SET })],
    ['broadcast', aBroadcast(), aLiveBroadcast({ rules: SET })],
  ])('says which values of a %s are in no file, and is unchanged all the same', (_, declared, live) => {
    const plan = planOf([declared], [live], { knowledge: ours });
    expect(plan.changes.map(lineOf)).toEqual(['keep 1']);
    expect(plan.changes[0]?.dropped).toEqual(DROPPED);
    expect(codesOf(plan)).toEqual(['not-in-file']);
    expect(plan.diagnostics[0]?.message).toContain('A replace would drop it.');
  });

  it('does not speak of what `ignore` names, but a replace does', () => {
    const declared = aCampaign({ ignore: ['rules.unsend_delay_sec'] });
    const rules = { unsend_delay_sec: 3600 };
    expect(codesOf(planOf([declared], [aLiveCampaign({ rules })], { knowledge: ours }))).toEqual([]);
    const live = aLiveCampaign({ rules, messages: [message()] });
    expect(codesOf(planOf([declared], [live], { knowledge: ours }))).toEqual(['dropped']);
  });

  it('says nothing of one that cannot be read, or that does not run', () => {
    const unread = aLiveBroadcast({ rules: SET, messages: [] });
    expect(codesOf(planOf([aBroadcast()], [unread], { knowledge: ours }))).toEqual(['unreadable']);
    const paused = aLiveCampaign({ status: 'paused', rules: SET });
    expect(codesOf(planOf([aCampaign({ target: 'paused' })], [paused], { knowledge: ours }))).toEqual([]);
  });
});
