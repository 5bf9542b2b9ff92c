import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../src/domain/allowance.ts';
import { coverage, patternOf, fits, selectionOf } from '../../src/plan/targets.ts';
import { aBroadcast, aCampaign, aLiveCampaign, knowing } from '../helpers/resource-builders.ts';
import { aPolicy } from '../helpers/policy-builders.ts';
import { codesOf, lineOf, planOf } from './plan-of.ts';

const at = (account: string, kind: 'campaign' | 'broadcast', name: string) => ({ account, kind, name });

describe('a pattern over addresses', () => {
  it.each([
    ['alice/campaign/Welcome', at('alice', 'campaign', 'Welcome')],
    ['alice/campaign/Welcome*', at('alice', 'campaign', 'Welcome series')],
    ['alice/*', at('alice', 'broadcast', 'Teaser')],
    ['alice', at('alice', 'campaign', 'Welcome')],
    ['*/campaign', at('bob', 'campaign', 'a/b')],
    ['*/*/gc/*', at('bob', 'campaign', 'gc/Welcome/2')],
    ['a*/c*/W*e', at('alice', 'campaign', 'Welcome')],
  ])('%s takes %o', (pattern, address) => {
    expect(fits(patternOf(pattern), address)).toBe(true);
  });

  it.each([
    ['alice/campaign/Welcome', at('alice', 'campaign', 'Welcome series')],
    ['alice/campaign/Welcome', at('alice', 'broadcast', 'Welcome')],
    ['alice/campaign', at('bob', 'campaign', 'Welcome')],
    ['*Welcome', at('alice', 'campaign', 'Welcome')],
  ])('%s does not take %o', (pattern, address) => {
    expect(fits(patternOf(pattern), address)).toBe(false);
  });
});

describe('a selection', () => {
  it('is everything without patterns', () => {
    const { isEverything, selects, reaches } = selectionOf({ target: [], exclude: [] });
    expect(isEverything).toBe(true);
    expect(selects(at('alice', 'campaign', 'Welcome')) && reaches('bob', 'broadcast')).toBe(true);
  });

  it('is what a target takes and no exclusion does', () => {
    const { selects } = selectionOf({ target: ['alice', 'bob/campaign'], exclude: ['*/*/Old*'] });
    expect(selects(at('alice', 'broadcast', 'New'))).toBe(true);
    expect(selects(at('bob', 'campaign', 'New'))).toBe(true);
    expect(selects(at('bob', 'broadcast', 'New'))).toBe(false);
    expect(selects(at('alice', 'broadcast', 'Old one'))).toBe(false);
  });

  it('reaches a list unless no name of it can be meant', () => {
    const { reaches } = selectionOf({
      target: ['alice/*/Welcome'],
      exclude: ['alice/broadcast', 'alice/campaign/x'],
    });
    expect(reaches('alice', 'campaign')).toBe(true);
    expect(reaches('alice', 'broadcast')).toBe(false);
    expect(reaches('bob', 'campaign')).toBe(false);
  });

  it('covers what earlier runs left open under a former name', () => {
    const covers = coverage(selectionOf({ target: ['alice/campaign/New'], exclude: [] }), [
      aCampaign({ name: 'New', renamedFrom: 'Old' }),
      aCampaign({ name: 'Other', renamedFrom: 'Before' }),
    ]);
    expect(covers(at('alice', 'campaign', 'Old'))).toBe(true);
    expect(covers(at('alice', 'campaign', 'Before'))).toBe(false);
  });
});

describe('a plan of targets', () => {
  const declared = [
    aCampaign({ name: 'One' }),
    aCampaign({ name: 'Two', messages: [{ text: 'Two' }] }),
    aBroadcast(),
    aCampaign({ account: 'bob', name: 'One' }),
  ];
  const targeting = { target: ['alice/campaign/One'], exclude: [] };

  it('holds their changes only, and says what it leaves out', () => {
    const plan = planOf(declared, [], { targeting });
    expect(plan.changes.map(lineOf)).toEqual(['create: create']);
    expect(plan.summary.create).toBe(1);
    expect(plan.diagnostics).toMatchObject([{ severity: 'info', code: 'left-out' }]);
    expect(plan.diagnostics[0]?.message).toContain('3 resources are left out by --target');
  });

  it('still knows a rename and a declared neighbour', () => {
    const twin = aLiveCampaign({ name: 'Two', messages: [{ step: 0, text: 'Hey' }] });
    const stranger = aLiveCampaign({ name: 'Unknown' });
    const [first] = declared;
    const both = [...(first === undefined ? [] : [first]), aCampaign({ name: 'Two' })];
    expect(planOf(both, [twin], { targeting }).changes.map(lineOf)).toEqual(['create: create']);
    const [left] = planOf(declared, [twin], { targeting }).changes;
    expect(left?.reasons[0]).toContain('Add --target "alice/campaign/Two"');
    const [blocked] = planOf(declared, [stranger], { targeting }).changes;
    expect(blocked?.reasons[0]).toContain('renamed_from: "Unknown"');
  });

  it('counts, judges and prunes nothing outside of them', () => {
    const policy = aPolicy({
      max_changes: { limit: 1, level: 'deny' },
      banned_words: { words: ['two'], level: 'deny', searches: new Map() },
    });
    const observed = [aLiveCampaign({ id: '9', name: 'Gone', messages: [{ step: 0, text: 'Gone' }] })];
    const plan = planOf(declared, observed, {
      targeting,
      policy,
      allow: new Set<Allowance>(['prune']),
      knowledge: knowing({ campaigns: [{ id: '9', name: 'Gone' }] }),
    });
    expect(plan.changes.map(lineOf)).toEqual(['create: create']);
    expect(codesOf(plan)).toEqual(['left-out']);
  });

  it('prunes within them', () => {
    const observed = ['1', '2', '3', '4', '5'].map((id) =>
      aLiveCampaign({ id, name: `Gone ${id}`, messages: [{ step: 0, text: id }] }),
    );
    const plan = planOf(declared, observed, {
      targeting: { target: ['alice/campaign/Gone 2'], exclude: [] },
      allow: new Set<Allowance>(['prune']),
      knowledge: knowing({ campaigns: observed.map(({ live }) => ({ id: live.id, name: live.name ?? '' })) }),
    });
    expect(plan.changes.map(lineOf)).toEqual(['archive 2: archive 2']);
    expect(codesOf(plan)).toEqual(['left-out']);
  });
});
