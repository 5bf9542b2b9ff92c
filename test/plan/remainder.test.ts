import { describe, expect, it } from 'vitest';
import { buildPlan } from '../../src/plan/plan.ts';
import { isRemainder, reviewPlan, withFingerprints } from '../../src/plan/review.ts';
import { planConflicts, savePlan } from '../../src/plan/saved.ts';
import { EVERYTHING } from '../../src/plan/facts.ts';
import { aChange } from '../helpers/plan-builders.ts';
import { aCampaign, aLiveCampaign } from '../helpers/resource-builders.ts';
import { aRow, createdFrom, factsOf, HOUR, linesOf } from './facts-of.ts';
import { NOON } from '../helpers/flow-clock.ts';

const NONE: ReadonlySet<string> = new Set();

describe('the remainder of an agreed change', () => {
  const replace = aChange({
    action: 'replace',
    live_id: '1',
    steps: [
      { kind: 'pause', live_id: '1' },
      { kind: 'create', live_id: null },
      { kind: 'read_back', live_id: null },
    ],
  });
  const create = aChange({ action: 'create', live_id: '1', steps: [{ kind: 'create', live_id: null }] });
  const stopOf = (id: string) =>
    aChange({ action: 'retire', live_id: id, steps: [{ kind: 'archive', live_id: id }] });

  it('is the create that is still missing, and the stop of a copy that the run made', () => {
    expect(isRemainder(replace, create, NONE)).toBe(true);
    expect(isRemainder(replace, stopOf('8'), new Set(['8']))).toBe(true);
  });

  it('has no other object, no other address, and no start that was not agreed to', () => {
    expect(isRemainder(replace, stopOf('9'), new Set(['8']))).toBe(false);
    const pause = aChange({ action: 'pause', live_id: '9', steps: [{ kind: 'pause', live_id: '9' }] });
    expect(isRemainder(replace, pause, NONE)).toBe(false);
    expect(isRemainder(replace, { ...create, address: { ...create.address, name: 'Other' } }, NONE)).toBe(
      false,
    );
    const activate = aChange({
      action: 'activate',
      live_id: '1',
      steps: [{ kind: 'activate', live_id: '1' }],
    });
    expect(isRemainder(replace, activate, NONE)).toBe(false);
    expect(isRemainder(aChange({ action: 'blocked' }), create, NONE)).toBe(false);
  });

  it('does with what a create made nothing but stop it, and with no other object what it did not make', () => {
    const made = new Set(['8']);
    const to = (kind: 'pause' | 'recall' | 'activate', id = '8') =>
      aChange({ action: kind, live_id: id, steps: [{ kind, live_id: id }] });
    expect(isRemainder(create, to('pause'), made)).toBe(true);
    expect(isRemainder(create, to('recall'), made)).toBe(false);
    expect(isRemainder(create, to('activate'), made)).toBe(false);
    expect(isRemainder(to('pause', '1'), to('pause'), made)).toBe(false);
  });
});

describe('a reviewed create that was carried out', () => {
  const made = (id: string, text = 'Hey') =>
    aLiveCampaign({
      id,
      messages: [{ step: 0, text }],
      created_by: { type: 'key', id: '1' },
      created_at: `2026-06-0${id}T10:00:00Z`,
    });
  const before = factsOf([aCampaign()], []);
  const review = reviewPlan(withFingerprints(buildPlan(before), before));
  const known = { objects: [aRow(made('1'), createdFrom(aCampaign()))] };

  it('covers the stop of a copy that a lost create made', () => {
    expect(linesOf([aCampaign()], [made('1'), made('2')], { known, review })).toEqual([
      'keep 1',
      'retire 2: archive 2',
    ]);
  });

  it('does not cover a replace of what it made, once a person has edited that', () => {
    expect(linesOf([aCampaign()], [made('1', 'Edited')], { known, review })).toEqual(['blocked 1']);
    expect(linesOf([aCampaign()], [made('1', 'Edited')], { known })).toEqual([
      'replace 1: pause 1, create, read_back',
    ]);
  });
});

describe('a saved plan', () => {
  const live = aLiveCampaign({ messages: [{ step: 0, text: 'Old' }] });
  const parts = { known: { objects: [aRow(live)] } };
  const now = (observed = [live]) => {
    const facts = factsOf([aCampaign()], observed, parts);
    const { accounts } = facts;
    const plan = withFingerprints(buildPlan(facts), facts);
    return { accounts, plan, workspaceDigest: 'w', nowMs: NOON, maxAgeMs: HOUR };
  };
  const saved = savePlan(now(), { allow: new Set(), targeting: EVERYTHING });

  // ACCOUNT-3: the last one.
  it('has no conflict with the same state, and one with another account', () => {
    expect(planConflicts(saved, now())).toEqual([]);
    expect(planConflicts(saved, { ...now(), accounts: [{ alias: 'alice', accountId: '7' }] })).toEqual([
      'alice was account 101 and is 7 now',
    ]);
  });
});
