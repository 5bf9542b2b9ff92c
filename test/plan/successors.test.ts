import { describe, expect, it } from 'vitest';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  anOpenEntry,
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
