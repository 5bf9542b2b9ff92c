import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../src/domain/allowance.ts';
import type { Change } from '../../src/domain/change.ts';
import type { Knowledge } from '../../src/domain/knowledge.ts';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import { protectionNotes, protectionRecords } from '../../src/plan/guards/protection-records.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  knowing,
} from '../helpers/resource-builders.ts';
import { lineOf, planOf } from './plan-of.ts';

const EVERY: ReadonlySet<Allowance> = new Set(['adopt', 'resume', 'recall', 'prune', 'large']);
const other = [{ text: 'Another text' }];

const known = (isProtected: boolean, ...ids: readonly string[]): Knowledge => {
  const objects = (ids.length === 0 ? ['1'] : ids).map((id) => ({ id, isProtected }));
  return knowing({ campaigns: objects, broadcasts: objects });
};

function changesOf(declared: readonly Declared[], observed: readonly Observed[], knowledge: Knowledge) {
  return planOf(declared, observed, { knowledge, allow: EVERY }).changes;
}

const TAKEN = [
  { action: 'replace', declared: aCampaign({ messages: other }), live: aLiveCampaign() },
  { action: 'pause', declared: aCampaign({ target: 'paused' }), live: aLiveCampaign() },
  { action: 'archive', declared: aCampaign({ target: 'archived' }), live: aLiveCampaign() },
  { action: 'recall', declared: aCampaign({ target: 'recalled' }), live: aLiveCampaign() },
  { action: 'replace', declared: aBroadcast({ messages: other }), live: aLiveBroadcast() },
  { action: 'pause', declared: aBroadcast({ target: 'paused' }), live: aLiveBroadcast() },
  { action: 'recall', declared: aBroadcast({ target: 'recalled' }), live: aLiveBroadcast() },
] as const;

describe.each(TAKEN)('$action of a $declared.kind', ({ action, declared, live }) => {
  const actionOf = ([change]: readonly Change[]) => change?.action;

  it('is planned where nothing protects it', () => {
    expect(actionOf(changesOf([declared], [live], known(false)))).toBe(action);
  });

  it('is held back where its file protects it, whatever is allowed', () => {
    const [change] = changesOf([{ ...declared, protect: true }], [live], known(false));
    expect(change).toMatchObject({ action: 'blocked', steps: [], needs: [] });
    expect(change?.reasons.join(' ')).toContain('Protected by protect: true at campaigns/all.yaml:3');
    expect(change?.reasons.join(' ')).toContain(`Herald would ${action} it`);
  });

  it('is held back in the step that takes `protect` away', () => {
    const [change] = changesOf([declared], [live], known(true));
    expect(change).toMatchObject({ action: 'blocked', steps: [], needs: [] });
    expect(change?.reasons.join(' ')).toContain('Still protected');
  });
});

describe('protection', () => {
  it('does not stand in the way of creating, keeping or switching on', () => {
    const paused = aLiveCampaign({ status: 'paused' });
    const ours = knowing({
      campaigns: [{ id: '1', pausedFor: 'declared', pausedAtMs: 1, isProtected: true }],
    });
    const lines = (observed: readonly Observed[], knowledge: Knowledge) =>
      changesOf([aCampaign({ protect: true })], observed, knowledge).map(lineOf);
    expect(lines([], knowing())).toEqual(['create: create']);
    expect(lines([aLiveCampaign()], known(true))).toEqual(['keep 1']);
    expect(lines([paused], ours)).toEqual(['activate 1: activate 1, read_back 1']);
  });

  it('does not keep a copy of a sent broadcast, and names the command where the file asks for a pause', () => {
    const sent = aLiveBroadcast({ id: '1', status: null, scheduled_at: null });
    const copies = [sent, aLiveBroadcast({ id: '2' })];
    const wanting = (target: 'scheduled' | 'paused') => [aBroadcast({ protect: true, target })];
    expect(changesOf(wanting('scheduled'), copies, known(true, '2')).map(lineOf)).toContain(
      'retire 2: pause 2, read_back 2',
    );
    const [held] = changesOf(wanting('paused'), copies, known(true, '2'));
    expect(held).toMatchObject({ action: 'blocked', live_id: '2', needs: [] });
    expect(held?.reasons.join(' ')).toContain('by hand: herald broadcasts pause 2 --account alice');
  });

  it('lets a duplicate go, because fans would get both', () => {
    const copies = [aLiveCampaign(), aLiveCampaign({ id: '2' })];
    const declared = aCampaign({ protect: true });
    expect(changesOf([declared], copies, known(false, '1', '2')).map(lineOf)).toEqual([
      'keep 1',
      'retire 2: archive 2',
    ]);
  });

  it('does not keep a copy, also where the ledger knows the copy as protected: fans would get both', () => {
    const copies = [aLiveCampaign(), aLiveCampaign({ id: '2' })];
    expect(changesOf([aCampaign({ protect: true })], copies, known(true, '2')).map(lineOf)).toEqual([
      'keep 1',
      'retire 2: archive 2',
    ]);
  });

  it('reaches every old version that a replace would pause', () => {
    const both = [aLiveCampaign(), aLiveCampaign({ id: '2' })];
    const [change] = changesOf([aCampaign({ messages: other })], both, {
      ...known(false, '1'),
      objects: new Map([...known(false, '1').objects, ...known(true, '2').objects]),
    });
    expect(change?.action).toBe('blocked');
  });

  it('outlives the lines in the files: prune leaves it', () => {
    const stays = aCampaign({ name: 'Stays' });
    const observed = [aLiveCampaign(), aLiveCampaign({ id: '2', name: 'Stays' })];
    const [held] = changesOf([stays], observed, known(true)).filter(({ live_id }) => live_id === '1');
    expect(held).toMatchObject({ action: 'blocked', steps: [], needs: [] });
    expect(held?.reasons.join(' ')).toContain(
      'put the block back without protect, apply, then remove the block and apply again',
    );
    const plan = planOf([stays], observed, { knowledge: known(true) });
    expect(plan.changes.map(lineOf)).toEqual(['keep 2', 'unmanaged 1']);
    expect(plan.changes[1]?.reasons.join(' ')).toContain('protect: true');
  });

  it('that blocks a prune does not count as a large one', () => {
    const observed = [aLiveCampaign(), aLiveCampaign({ id: '2', name: 'Stays' })];
    const allow = new Set<Allowance>(['prune']);
    const plan = planOf([aCampaign({ name: 'Stays' })], observed, { knowledge: known(true), allow });
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('what an apply writes down', () => {
  const records = (declared: readonly Declared[], observed: readonly Observed[], knowledge: Knowledge) =>
    protectionRecords({
      declared,
      observed,
      knowledge,
      changes: changesOf(declared, observed, knowledge),
    }).map(({ liveId, protect }) => `${liveId} ${protect ? 'protected' : 'lifted'}`);
  const protectedOne = aCampaign({ protect: true });

  it.each([
    { title: 'kept', declared: protectedOne, live: aLiveCampaign() },
    { title: 'switched on', declared: protectedOne, live: aLiveCampaign({ status: 'paused' }) },
    { title: 'held back', declared: aCampaign({ protect: true, messages: other }), live: aLiveCampaign() },
  ])('is the protection of what is $title, once', ({ declared, live }) => {
    expect(records([declared], [live], known(false))).toEqual(['1 protected']);
    expect(records([declared], [live], known(true))).toEqual([]);
  });

  it('is that it was lifted, where nothing else happens to it', () => {
    expect(records([aCampaign()], [aLiveCampaign()], known(true))).toEqual(['1 lifted']);
    expect(records([aCampaign()], [aLiveCampaign()], known(false))).toEqual([]);
  });

  it.each(TAKEN)(
    'is nothing next to the $action of a $declared.kind in the same step',
    ({ declared, live }) => {
      expect(records([declared], [live], known(true))).toEqual([]);
    },
  );

  it('is nothing about what no file declares any more', () => {
    expect(records([], [aLiveCampaign()], known(true))).toEqual([]);
  });

  it('is in the plan before', () => {
    const declared = [aCampaign()];
    const observed = [aLiveCampaign()];
    const knowledge = known(true);
    const changes = changesOf(declared, observed, knowledge);
    const found = protectionRecords({ declared, observed, knowledge, changes });
    expect(protectionNotes(found)).toMatchObject([
      { severity: 'info', code: 'protection-lifted', address: 'alice/campaign/Welcome' },
    ]);
  });
});
