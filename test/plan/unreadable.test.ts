import { describe, expect, it } from 'vitest';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  knowing,
} from '../helpers/resource-builders.ts';
import { linesOf, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const parts = {
  unreadable: { name: '.herald/ledger.ndjson', damaged: [3, 7, 8, 9] },
  knowledge: knowing({
    campaigns: [
      { id: '1', name: 'Welcome series', pausedFor: 'declared' },
      { id: '2', name: 'Old' },
    ],
  }),
};

describe('a ledger with a line that cannot be read', () => {
  it.each([
    ['create', aCampaign({ name: 'New' }), aLiveCampaign({ messages: OTHER })],
    ['replace', aCampaign({ messages: OTHER }), aLiveCampaign()],
    ['activate', aCampaign(), aLiveCampaign({ status: 'paused' })],
    ['create', aBroadcast({ name: 'New' }), aLiveBroadcast({ name: 'Old', messages: OTHER })],
  ] as const)('blocks what would %s', (action, declared, live) => {
    const whole = planOf([declared], [live], { ...parts, unreadable: { name: '', damaged: [] } });
    expect(whole.changes[0]?.action).toBe(action);
    const [change] = planOf([declared], [live], parts).changes;
    expect([change?.action, change?.steps, change?.needs]).toEqual(['blocked', [], []]);
    expect(change?.reasons[0]).toContain('.herald/ledger.ndjson:3, .herald/ledger.ndjson:7');
    expect(change?.reasons[0]).toContain('and 1 more');
    expect(change?.reasons[0]).toContain(`herald ledger check. After that, Herald would ${action} it.`);
  });

  it('blocks a prune, because the line may protect the object', () => {
    const given = { ...parts, allow: new Set(['prune', 'large'] as const) };
    const live = [aLiveCampaign(), aLiveCampaign({ id: '2', name: 'Old', messages: OTHER })];
    expect(linesOf([aCampaign()], live, { ...given, unreadable: { name: '', damaged: [] } })).toEqual([
      'archive 2: archive 2',
      'keep 1',
    ]);
    expect(linesOf([aCampaign()], live, given)).toEqual(['blocked 2', 'keep 1']);
  });

  it('still stops what the files stop, and duplicates', () => {
    expect(linesOf([aCampaign({ target: 'paused' })], [aLiveCampaign()], parts)).toEqual([
      'pause 1: pause 1',
    ]);
    expect(linesOf([aCampaign()], [aLiveCampaign(), aLiveCampaign({ id: '2' })], parts)).toEqual([
      'keep 1',
      'retire 2: archive 2',
    ]);
  });

  it('changes nothing about what is unchanged', () => {
    expect(linesOf([aCampaign()], [aLiveCampaign()], parts)).toEqual(['keep 1']);
  });
});
