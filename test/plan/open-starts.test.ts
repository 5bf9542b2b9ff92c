import { describe, expect, it } from 'vitest';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  anOpenStatus,
  createdFrom,
  knowing,
} from '../helpers/resource-builders.ts';
import { lineOf, linesOf, NOON, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const settleMs = 75_000;

/** The old name, archived, and a start of it of which no answer was heard. */
const old = aLiveCampaign({ name: 'Old', status: 'archived' });
const aStart = (parts: Partial<Parameters<typeof anOpenStatus>[1]> = {}) =>
  anOpenStatus(aCampaign({ name: 'Old' }), {
    liveId: '1',
    target: 'active',
    sentAtMs: NOON - settleMs + 1,
    ...parts,
  });
const started = (known = {}, start = aStart()) =>
  knowing({ campaigns: [{ id: '1', name: 'Old', pausedFor: 'declared', ...known }], open: [start] });
const renamed = aCampaign({ name: 'New' });

describe('a start of an archived campaign without an answer', () => {
  it('holds back a create of its content under another name, and says what to do', () => {
    const [change] = planOf([renamed], [old], { knowledge: started() }).changes;
    expect(change === undefined ? null : lineOf(change)).toBe('blocked');
    expect(change?.reasons).toEqual([
      'An earlier activation of 1 ("Old") got no answer and may still succeed until 2026-06-01T12:00:00.001Z. Run herald apply after that.',
    ]);
  });

  it.each([
    ['its window is over', aStart({ sentAtMs: NOON - settleMs })],
    ['it was a stop', aStart({ target: 'paused' })],
    ['it was for another object', aStart({ liveId: '7' })],
  ])('holds back nothing where %s', (_, start) => {
    expect(linesOf([renamed], [old], { knowledge: started({}, start) })).toEqual(['create: create']);
  });

  it('holds back nothing else: other content, another account, a stop', () => {
    const knowledge = started();
    const other = aCampaign({ name: 'New', messages: OTHER });
    expect(linesOf([other], [old], { knowledge })).toEqual(['create: create']);
    expect(linesOf([aCampaign({ account: 'bob', name: 'New' })], [old], { knowledge })).toEqual([
      'create: create',
    ]);
    expect(linesOf([aCampaign({ name: 'New', target: 'paused' })], [old], { knowledge })).toEqual(['keep']);
  });

  it('counts as well where someone edited it since Herald made it', () => {
    const edited = aLiveCampaign({ name: 'Old', status: 'archived', messages: OTHER });
    expect(linesOf([renamed], [edited], { knowledge: started(createdFrom(renamed)) })).toEqual(['blocked']);
    expect(linesOf([renamed], [edited], { knowledge: started() })).toEqual(['create: create']);
  });

  it('counts as well where Herald did not make it, and the ledger does not know it', () => {
    expect(linesOf([renamed], [old], { knowledge: knowing({ open: [aStart()] }) })).toEqual(['blocked']);
  });

  it('holds back a replace with its content, and switching such a version on', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', name: 'Old' },
        { id: '2', name: 'New', pausedFor: 'declared' },
      ],
      open: [aStart()],
    });
    const running = aLiveCampaign({ id: '2', name: 'New', messages: OTHER });
    expect(linesOf([renamed], [old, running], { knowledge })).toEqual(['blocked 2']);
    const paused = aLiveCampaign({ id: '2', name: 'New', status: 'paused' });
    expect(linesOf([renamed], [old, paused], { knowledge })).toEqual(['blocked 2']);
  });

  it('holds back a new version of its own name, also where its request was noted under another one', () => {
    const knowledge = started({ name: 'New' });
    const next = aCampaign({ name: 'New', messages: OTHER });
    expect(linesOf([next], [old], { knowledge })).toEqual(['blocked']);
  });

  it('is sent again where renamed_from names it', () => {
    const declared = aCampaign({ name: 'New', renamedFrom: 'Old' });
    expect(linesOf([declared], [old], { knowledge: started() })).toEqual([
      'activate 1: reactivate 1, read_back 1',
    ]);
  });

  it('does not hold back a second file that declares the same on purpose', () => {
    const both = [aCampaign({ name: 'Old' }), renamed];
    expect(linesOf(both, [old], { knowledge: started() })).toEqual([
      'create: create',
      'activate 1: reactivate 1, read_back 1',
    ]);
  });

  it.each(['archived', 'paused'] as const)(
    'holds back the new name where the files declare the old one %s',
    (target) => {
      const both = [aCampaign({ name: 'Old', target }), renamed];
      expect(linesOf(both, [old], { knowledge: started() })).toEqual(['blocked', 'keep 1']);
    },
  );

  it('holds back the new name where the old one is declared with another text', () => {
    const both = [aCampaign({ name: 'Old', messages: OTHER }), renamed];
    expect(linesOf(both, [old], { knowledge: started() })).toEqual(['blocked', 'blocked']);
  });

  it('is a rename where the list shows it paused', () => {
    const paused = aLiveCampaign({ name: 'Old', status: 'paused' });
    const [change] = planOf([renamed], [paused], { knowledge: started() }).changes;
    expect(change?.reasons.join()).toContain('add renamed_from: "Old"');
  });

  it('is not forgotten for a prune', () => {
    const parts = { knowledge: started(), allow: new Set(['prune', 'large'] as const) };
    expect(linesOf([renamed], [old], parts)).toEqual(['blocked']);
  });
});

describe('a resume of a broadcast without an answer', () => {
  const declared = aBroadcast({ name: 'New' });
  const knowledge = knowing({
    broadcasts: [{ id: '1', name: 'Old' }],
    open: [anOpenStatus(aBroadcast({ name: 'Old' }), { liveId: '1', target: 'queued', sentAtMs: NOON - 1 })],
  });

  it.each([
    ['paused before its time', { status: 'paused' }],
    ['paused while it was sent', { status: 'paused', scheduled_at: null }],
    ['archived', { status: 'archived' }],
  ])('holds back the same under another name: %s', (_, live) => {
    const observed = [aLiveBroadcast({ name: 'Old', ...live })];
    expect(linesOf([declared], observed, { knowledge })[0]).toBe('blocked');
    expect(linesOf([aBroadcast({ name: 'New', messages: OTHER })], observed, { knowledge })[0]).toBe(
      'create: create',
    );
  });
});
