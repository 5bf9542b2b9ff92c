import { describe, expect, it } from 'vitest';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  createdFrom,
  knowing,
} from '../helpers/resource-builders.ts';
import { codesOf, lineOf, linesOf, planOf } from './plan-of.ts';

const PRICE = ['messages.*.price_gross'];
const TEXTS = { mine: [{ text: 'Hey', price_gross: 10 }], theirs: 'Another' };
const ours = knowing({ campaigns: [{ id: '1' }], broadcasts: [{ id: '1' }] });
const dear = { step: 0, text: 'Hey', price_gross: 12, delay_sec: 0, attachments: [] };

describe('a difference that is ignored', () => {
  const declared = aCampaign({ messages: TEXTS.mine, ignore: PRICE });

  it('is not a reason to replace, and is in a note', () => {
    const plan = planOf([declared], [aLiveCampaign({ messages: [dear] })]);
    expect(plan.changes.map(lineOf)).toEqual(['keep 1']);
    expect(plan.diagnostics).toMatchObject([
      { severity: 'info', code: 'ignored', address: 'alice/campaign/Welcome', file: 'campaigns/all.yaml' },
    ]);
    expect(plan.diagnostics[0]?.message).toContain('messages[0].price_gross');
  });

  it('is a reason without `ignore`', () => {
    expect(
      linesOf([{ ...declared, ignore: [] }], [aLiveCampaign({ messages: [dear] })], { knowledge: ours }),
    ).toEqual(['replace 1: pause 1, create, read_back']);
  });

  it('is overwritten by a replace for another reason, with a note', () => {
    const live = aLiveCampaign({ messages: [{ ...dear, text: TEXTS.theirs }] });
    const [change] = planOf([declared], [live], { knowledge: ours }).changes;
    expect(change?.action).toBe('replace');
    expect(change?.fields).toMatchObject([
      { path: 'messages[0].text' },
      { path: 'messages[0].price_gross', old: 12, new: 10 },
    ]);
    expect(change?.reasons.join(' ')).toContain('ignored: messages[0].price_gross');
  });

  it('is sent by a create', () => {
    const [change] = planOf([declared], []).changes;
    expect(change?.fields).toContainEqual({ path: 'messages[0].price_gross', old: null, new: 10 });
  });

  it('shows whom a replace reaches, although the audience is ignored', () => {
    const filters = [{ kind: 'subscribed_date', mode: 'include' as const }];
    const all = aCampaign({ ignore: ['audience_filters'] });
    const live = aLiveCampaign({ messages: [{ text: TEXTS.theirs }], audience_filters: filters });
    const [change] = planOf([all], [live], { knowledge: ours }).changes;
    expect(change?.fields).toContainEqual({
      path: 'audience_filters',
      old: ['include subscribed_date'],
      new: [],
    });
  });

  it('does not keep a duplicate alive, and pauses another version without clearing what it has queued', () => {
    const cheap = { ...dear, price_gross: 10 };
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2' }] });
    const bothLive = (first: typeof dear, second: typeof dear) => {
      const observed = [aLiveCampaign({ messages: [first] }), aLiveCampaign({ id: '2', messages: [second] })];
      return planOf([declared], observed, { knowledge });
    };
    expect(bothLive(dear, dear).changes.map(lineOf)).toEqual(['keep 1', 'retire 2: archive 2']);
    expect(bothLive(dear, cheap).changes.map(lineOf)).toEqual(['keep 1', 'pause 2: pause 2']);
    expect(bothLive(cheap, dear).changes.map(lineOf)).toEqual(['keep 1', 'pause 2: pause 2']);
    expect(bothLive(cheap, dear).changes[1]?.reasons[0]).toContain('messages[0].price_gross');
  });

  it('does not hide a rename: the same words under another name are still the same', () => {
    const live = aLiveCampaign({ name: 'Old', messages: [dear] });
    expect(linesOf([declared], [live])).toEqual(['unmanaged 1', 'blocked']);
  });

  it('has a note where a paused one is switched on as it is', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'declared', pausedAtMs: 1 }] });
    const live = aLiveCampaign({ status: 'paused', messages: [dear] });
    const [change] = planOf([declared], [live], { knowledge }).changes;
    expect(change?.action).toBe('activate');
    expect(change?.reasons.join(' ')).toContain('ignored differences: messages[0].price_gross');
  });

  it('may be the schedule of a broadcast', () => {
    const moved = aLiveBroadcast({ scheduled_at: '2026-06-01T20:00:00Z' });
    const plan = planOf([aBroadcast({ ignore: ['scheduled_at'] })], [moved]);
    expect(plan.changes.map(lineOf)).toEqual(['keep 1']);
    expect(codesOf(plan)).toEqual(['ignored']);
  });

  it('may be how many messages there are', () => {
    const more = aLiveCampaign({
      messages: [
        { ...dear, price_gross: 0 },
        { ...dear, step: 1 },
      ],
    });
    expect(linesOf([aCampaign({ ignore: ['messages'] })], [more])).toEqual(['keep 1']);
    expect(linesOf([aCampaign({ ignore: ['messages.1'] })], [more], { knowledge: ours })).toEqual([
      'replace 1: pause 1, create, read_back',
    ]);
  });
});

describe('fields that no reply shows', () => {
  const filters = (name: string, days: number) => [
    {
      kind: 'subscribed_date',
      mode: 'include' as const,
      options: { lists: [{ name }], from_days: days, to_days: 0 },
    },
  ];
  const before = aCampaign({ audience_filters: filters('A', 30) });
  const live = aLiveCampaign({
    audience_filters: [{ kind: 'subscribed_date', mode: 'include', options: { lists: [{ id: '9' }] } }],
  });
  const knowledge = knowing({ campaigns: [{ id: '1', listIds: ['9'], ...createdFrom(before) }] });
  const names = ['audience_filters.*.options.lists.*.name'];

  it('that changed and are ignored make no difference', () => {
    const renamed = aCampaign({ audience_filters: filters('B', 30), ignore: ['audience_filters'] });
    expect(linesOf([renamed], [live], { knowledge })).toEqual(['keep 1']);
  });

  it('next to an ignored one are neither drift nor claimed equal once anything changed', () => {
    const renamed = aCampaign({ audience_filters: filters('B', 30), ignore: names });
    const plan = planOf([renamed], [live], { knowledge });
    expect(plan.changes.map(lineOf)).toEqual(['keep 1']);
    expect(codesOf(plan)).toEqual(['unverifiable']);
    expect(plan.diagnostics[0]?.message).toContain('from_days');
    expect(plan.diagnostics[0]?.message).not.toContain('name');
  });

  it('are equal while nothing changed', () => {
    expect(codesOf(planOf([{ ...before, ignore: names }], [live], { knowledge }))).toEqual([]);
  });
});
