import { describe, expect, it } from 'vitest';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  anOpenEntry,
  anOpenStatus,
  knowing,
} from '../helpers/resource-builders.ts';
import { HOUR, lineOf, linesOf, NOON, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const THIRD = [{ text: 'A third text' }];
const settleMs = 75_000;

/** Herald paused it for a create under the name "New". */
const PAUSED = { id: '1', name: 'New', pausedFor: 'replace' } as const;
const reverted = aCampaign({ name: 'Old' });
const corrected = aCampaign({ name: 'Newer', renamedFrom: 'Old', messages: THIRD });
const old = aLiveCampaign({ name: 'Old', status: 'paused' });

describe('an unconfirmed create under a name that no file has any more', () => {
  const aCreate = (parts: Parameters<typeof anOpenEntry>[1] = {}) =>
    anOpenEntry(aCampaign({ name: 'New', messages: OTHER }), {
      supersedes: ['1'],
      sentAtMs: NOON - settleMs + 1,
      ...parts,
    });
  const open = (parts = {}) => ({ knowledge: knowing({ campaigns: [PAUSED], open: [aCreate(parts)] }) });

  it('holds back the version that it replaces, and says so', () => {
    const [change] = planOf([reverted], [old], open()).changes;
    expect(change === undefined ? null : lineOf(change)).toBe('blocked 1');
    expect(change?.reasons).toEqual([
      'An earlier create of "New" got no answer and may still succeed until 2026-06-01T12:00:00.001Z. Run herald apply after that.',
    ]);
  });

  it('holds back another new name for it, and does not say that nothing was created', () => {
    const [change] = planOf([corrected], [old], open()).changes;
    expect(change === undefined ? null : lineOf(change)).toBe('blocked 1');
    expect(change?.reasons.join()).toContain('An earlier create of "New" got no answer');
    expect(change?.reasons.join()).not.toContain('never created');
  });

  it('holds back a version that was replaced before, too', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', name: 'Between', pausedFor: 'replace', supersededBy: '2' },
        { id: '2', name: 'New', pausedFor: 'replace' },
      ],
      open: [aCreate({ supersedes: ['2'] })],
    });
    const between = aLiveCampaign({ id: '2', name: 'Between', status: 'paused', messages: OTHER });
    expect(linesOf([reverted], [old, between], { knowledge })).toContain('blocked 1');
  });

  it.each([
    ['its window is over', { sentAtMs: NOON - settleMs }],
    ['it replaces another object', { supersedes: ['7'] }],
    ['it replaces nothing', { supersedes: [] }],
    ['it is of another account', { accountId: '102' }],
  ])('holds back nothing where %s', (_, parts) => {
    expect(linesOf([reverted], [old], open(parts))).toEqual(['activate 1: activate 1, read_back 1']);
  });

  it('holds back no stop', () => {
    expect(linesOf([aCampaign({ name: 'Old', target: 'archived' })], [old], open())).toEqual([
      'archive 1: archive 1',
    ]);
  });
});

describe('a version that was replaced under a name that no file has any more', () => {
  const by = (parts = {}) => aLiveCampaign({ id: '2', name: 'New', messages: OTHER, ...parts });
  const REPLACED = { ...PAUSED, supersededBy: '2' };
  const NEW = { id: '2', name: 'New' };
  const replaced = knowing({ campaigns: [REPLACED, NEW] });
  /** What becomes of the declared ones, without what is listed as unmanaged. */
  const decided = (...args: Parameters<typeof planOf>) =>
    planOf(...args).changes.filter(({ action }) => action !== 'unmanaged');
  const decisions = (...args: Parameters<typeof planOf>) => decided(...args).map(lineOf);

  it('is not started next to what replaced it, and both ways on are named', () => {
    const [change] = decided([reverted], [old, by()], { knowledge: replaced });
    expect(change === undefined ? null : lineOf(change)).toBe('blocked 1');
    expect(change?.reasons).toEqual([
      '1 was replaced by 2 ("New"), which still runs and is unmanaged, so fans would get both. To go on with that one, add renamed_from: "New". To stop it: herald campaigns pause 2 --account alice',
    ]);
  });

  it('is not replaced by another one next to it', () => {
    const [change] = decided([corrected], [old, by()], { knowledge: replaced });
    expect(change === undefined ? null : lineOf(change)).toBe('blocked');
    expect(change?.reasons.join()).toContain('To go on with that one, change renamed_from to "New".');
  });

  it.each([
    ['is archived, with the declared content', { status: 'archived' }, 'blocked 1'],
    ['is archived, with other content', { status: 'archived', messages: THIRD }, 'blocked'],
  ])('is not created again where it %s', (_, parts, line) => {
    const gone = aLiveCampaign({ name: 'Old', ...parts });
    expect(decisions([reverted], [gone, by()], { knowledge: replaced })[0]).toBe(line);
  });

  it('is found through what was replaced in between', () => {
    const knowledge = knowing({
      campaigns: [
        { ...PAUSED, name: 'Between', supersededBy: '2' },
        { id: '2', name: 'New', pausedFor: 'replace', supersededBy: '3' },
        { id: '3', name: 'New' },
      ],
    });
    const between = by({ name: 'Between', status: 'paused' });
    const [change] = decided([reverted], [old, between, by({ id: '3' })], { knowledge });
    expect(change?.reasons.join()).toMatch(/^1 was replaced by 3 /);
  });

  it('is not called unchanged, and gets no other version, where its pause never came', () => {
    const running = aLiveCampaign({ name: 'Old' });
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'New', supersededBy: '2' }, NEW] });
    const [change] = decided([reverted], [running, by()], { knowledge });
    expect(change?.action).toBe('blocked');
    expect(change?.reasons.join()).toContain('so fans get both');
    expect(decisions([corrected], [running, by()], { knowledge })[0]).toBe('blocked 1');
    const stopped = aCampaign({ name: 'Old', target: 'paused' });
    expect(decisions([stopped], [running, by()], { knowledge })[0]).toBe('pause 1: pause 1');
  });

  it('is not resumed either where it is a broadcast', () => {
    const knowledge = knowing({ broadcasts: [REPLACED, NEW] });
    const observed = [
      aLiveBroadcast({ name: 'Old', status: 'paused' }),
      aLiveBroadcast({ id: '2', name: 'New', messages: OTHER }),
    ];
    const [change] = decided([aBroadcast({ name: 'Old' })], observed, { knowledge });
    expect(change?.action).toBe('blocked');
    expect(change?.reasons.join()).toContain('herald broadcasts pause 2 --account alice');
  });

  it('waits for a start of that one, too', () => {
    const start = anOpenStatus(aCampaign({ name: 'New' }), { liveId: '2', target: 'active', sentAtMs: NOON });
    const knowledge = knowing({ campaigns: [REPLACED, NEW], open: [start] });
    const paused = by({ status: 'paused' });
    const [change] = decided([reverted], [old, paused], { knowledge });
    expect(change?.reasons.join()).toContain('An earlier activation of 2 ("New") got no answer');
  });

  const ON = 'activate 1: activate 1, read_back 1';

  it.each([
    ['is paused', { status: 'paused' }],
    ['is archived', { status: 'archived' }],
    ['was recalled', { status: 'recalled' }],
    ['has ended', { rules: { end_at: new Date(NOON).toISOString() } }],
  ])('starts where what replaced it %s', (_, parts) => {
    expect(decisions([reverted], [old, by(parts)], { knowledge: replaced })[0]).toBe(ON);
  });

  it('is held back until the end of what replaced it', () => {
    const ending = by({ rules: { end_at: new Date(NOON + HOUR).toISOString() } });
    expect(decisions([reverted], [old, ending], { knowledge: replaced })[0]).toBe('blocked 1');
  });

  it.each(['active', 'paused'] as const)('starts where a file declares that one %s', (target) => {
    const knowledge = knowing({
      campaigns: [{ ...PAUSED, name: 'Between', supersededBy: '2' }, NEW],
    });
    const both = [reverted, aCampaign({ name: 'New', messages: OTHER, target })];
    expect(decisions(both, [old, by()], { knowledge })).toContain(ON);
  });

  it('starts where it was started or kept under its own name since', () => {
    const knowledge = knowing({ campaigns: [{ ...REPLACED, name: 'Old' }, NEW] });
    expect(decisions([reverted], [old, by()], { knowledge })[0]).toBe(ON);
  });

  it('leaves another one alone that was made under its name since', () => {
    const next = aLiveCampaign({ id: '3', name: 'Old', messages: THIRD });
    const known = { id: '3', name: 'Old' };
    const knowledge = knowing({ campaigns: [REPLACED, NEW, known] });
    expect(decisions([reverted], [old, by(), next], { knowledge })[0]).toMatch(/^replace 3/);
    const stranger = knowing({ campaigns: [REPLACED, NEW] });
    const [change] = decided([reverted], [old, by(), next], {
      knowledge: stranger,
      allow: new Set(['adopt']),
    });
    expect(change?.reasons.join(), 'a stranger says nothing about ours').toContain('was replaced by 2');
  });

  it('goes on with that one where renamed_from names it', () => {
    const declared = aCampaign({ name: 'Old', renamedFrom: 'New' });
    expect(decisions([declared], [old, by()], { knowledge: replaced })[0]).toMatch(/^replace 2: pause 2/);
  });

  it('is found in finite time where joined ledgers lead in a circle', () => {
    const knowledge = knowing({ campaigns: [REPLACED, { ...NEW, supersededBy: '1' }] });
    expect(decisions([reverted], [old, by()], { knowledge })[0]).toBe('blocked 1');
  });
});

describe('a rename of a name that was never live', () => {
  const renamed = aCampaign({ name: 'Newest', renamedFrom: 'Newer', messages: THIRD });
  const known = knowing({ campaigns: [{ id: '2', name: 'New' }] });
  const left = (parts = {}) => aLiveCampaign({ id: '2', name: 'New', messages: OTHER, ...parts });

  it('starts nothing next to what Herald left running, and names the ways on', () => {
    const [change] = planOf([renamed], [left()], { knowledge: known }).changes.filter(
      ({ action }) => action !== 'unmanaged',
    );
    expect(change === undefined ? null : lineOf(change)).toBe('blocked');
    expect(change?.reasons).toEqual([
      'renamed_from "Newer" names nothing on the service, and 2 ("New"), which Herald created or adopted, still runs and is unmanaged, so fans could get both. If that is the earlier version, change renamed_from to "New". If not, remove renamed_from. To stop it: herald campaigns pause 2 --account alice',
    ]);
  });

  it.each([
    ['is paused', left({ status: 'paused' }), known, renamed],
    ['is not of Herald', left(), knowing({}), renamed],
    ['is new, and renamed_from is gone', left(), known, aCampaign({ name: 'Newest', messages: THIRD })],
  ])('creates the new one where what runs there %s', (_, observed, knowledge, declared) => {
    expect(linesOf([declared], [observed], { knowledge }).join()).toContain('create');
  });

  it('leaves that one running, also with --allow prune', () => {
    const plan = planOf([renamed], [left()], { knowledge: known, allow: new Set(['prune', 'large']) });
    expect(plan.changes.map(lineOf)).toEqual(['unmanaged 2', 'blocked']);
    expect(plan.changes[0]?.reasons.join(' ')).toContain('It stays, because "Newest" looks like a new name');
  });

  it('creates the new one where a file declares what runs there', () => {
    const both = [renamed, aCampaign({ name: 'New', messages: OTHER })];
    expect(linesOf(both, [left()], { knowledge: known }).join()).toContain('create');
  });

  it('replaces a version that it names', () => {
    const observed = [left(), aLiveCampaign({ id: '3', name: 'Newer', messages: [{ text: 'Before' }] })];
    const knowledge = knowing({
      campaigns: [
        { id: '2', name: 'New' },
        { id: '3', name: 'Newer' },
      ],
    });
    expect(linesOf([renamed], observed, { knowledge }).join()).toContain('replace 3');
  });
});
