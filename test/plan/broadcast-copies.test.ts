import { describe, expect, it } from 'vitest';
import type { KnownObject } from '../../src/domain/knowledge.ts';
import { aBroadcast, aLiveBroadcast, knowing } from '../helpers/resource-builders.ts';
import { lineOf, planOf } from './plan-of.ts';

/** Four minutes before its hour: too late to replace anything. */
const SOON = '2026-06-01T12:04:00Z';
const edited = aBroadcast({ scheduledAtUtc: SOON, messages: [{ text: 'Edited a moment ago' }] });

const live = (id: string, parts: Parameters<typeof aLiveBroadcast>[0] = {}) =>
  aLiveBroadcast({ id, scheduled_at: SOON, ...parts });
const OTHER = { messages: [{ text: 'Another text' }] };
const UNREADABLE = { messages: [] };

type Known = Partial<KnownObject> & { readonly id: string };

function linesOf(observed: readonly ReturnType<typeof live>[], known: readonly Known[]): readonly string[] {
  return planOf([edited], observed, { knowledge: knowing({ broadcasts: known }) }).changes.map(lineOf);
}

describe('several broadcasts of one name that wait when it is too late to replace them', () => {
  it('all say the same: one goes out, the lowest number, whatever the order of the list', () => {
    expect(linesOf([live('10'), live('9'), live('100')], [{ id: '9' }, { id: '10' }, { id: '100' }])).toEqual(
      ['done 9', 'retire 10: pause 10, read_back 10', 'retire 100: pause 100, read_back 100'],
    );
  });

  it('the duplicate of someone else is left to a person', () => {
    expect(linesOf([live('1'), live('2')], [{ id: '1' }])).toEqual(['done 1', 'blocked 2 needs adopt']);
  });

  it('one took the place of the other: the newer one goes out', () => {
    const known = [{ id: '1', supersededBy: '2' }, { id: '2' }];
    expect(linesOf([live('1', OTHER), live('2')], known)).toEqual([
      'retire 1: pause 1, read_back 1',
      'done 2',
    ]);
  });

  it('one took the place of one that took the place of another', () => {
    const known = [{ id: '1', supersededBy: '2' }, { id: '2', supersededBy: '3' }, { id: '3' }];
    const observed = [live('1', OTHER), live('2', { status: 'paused' }), live('3')];
    expect(linesOf(observed, known)).toEqual(['retire 1: pause 1, read_back 1', 'done 3']);
  });

  it('the older one stays where nothing that took its place waits: a person went back to it', () => {
    const known = [{ id: '1', supersededBy: '2' }, { id: '2' }];
    expect(linesOf([live('1', OTHER), live('2', { status: 'paused' })], known)).toEqual(['done 1']);
  });

  it('a duplicate of the older one goes with it', () => {
    const known = [{ id: '1', supersededBy: '3' }, { id: '2' }, { id: '3' }];
    expect(linesOf([live('1', OTHER), live('2', OTHER), live('3')], known)).toEqual([
      'retire 1: pause 1, read_back 1',
      'retire 2: pause 2, read_back 2',
      'done 3',
    ]);
  });

  it('one that Herald had paused as a duplicate, and someone resumed, is paused again', () => {
    const known = [{ id: '1', pausedFor: 'duplicate' }, { id: '2' }] as const;
    expect(linesOf([live('1', OTHER), live('2')], known)).toEqual([
      'retire 1: pause 1, read_back 1',
      'done 2',
    ]);
  });

  it('nothing shows which one is wanted: a person decides, exit 5, with the commands', () => {
    const plan = planOf([edited], [live('1', OTHER), live('2')], {
      knowledge: knowing({ broadcasts: [{ id: '1' }, { id: '2' }] }),
    });
    expect(plan.changes.map(lineOf)).toEqual(['done 1', 'blocked 2']);
    expect(plan.changes[1]?.reasons.join()).toContain(
      'herald broadcasts pause 2 --account alice or herald broadcasts pause 1 --account alice',
    );
  });

  it('two that go out at different hours are two versions', () => {
    const known = [{ id: '1' }, { id: '2' }];
    const later = live('2', { scheduled_at: '2026-06-01T13:00:00Z' });
    expect(linesOf([live('1'), later], known)).toEqual(['done 1', 'blocked 2']);
  });

  it('two that look the same and were made from different content are two versions', () => {
    const known = [
      { id: '1', contentDigest: 'a' },
      { id: '2', contentDigest: 'b' },
    ];
    expect(linesOf([live('1'), live('2')], known)).toEqual(['done 1', 'blocked 2']);
  });

  it.each([
    ['made from the same content', 'a', 'retire 2: pause 2, read_back 2'],
    ['made from different content', 'b', 'blocked 2'],
    ['of which one is not known', null, 'blocked 2'],
  ])('two that cannot be read, %s', (_, contentDigest, line) => {
    const known = [
      { id: '1', contentDigest: 'a' },
      { id: '2', contentDigest },
    ];
    expect(linesOf([live('1', UNREADABLE), live('2', UNREADABLE)], known)).toEqual(['done 1', line]);
  });

  it('also next to one of the name that is archived and never left', () => {
    const known = [{ id: '1' }, { id: '2' }, { id: '3' }];
    const observed = [live('1', { status: 'archived' }), live('2'), live('3')];
    expect(linesOf(observed, known)).toEqual(['done 1', 'retire 3: pause 3, read_back 3']);
  });
});

describe('several unreadable broadcasts of one name, in good time', () => {
  const declared = aBroadcast();
  const unread = (id: string) => aLiveBroadcast({ id, ...UNREADABLE });

  it.each([
    ['made from the same content: one goes out', 'a', 'retire 2: pause 2, read_back 2'],
    ['not known to be the same: a person decides', 'b', 'blocked 2'],
  ])('%s', (_, contentDigest, line) => {
    const knowledge = knowing({
      broadcasts: [
        { id: '1', contentDigest: 'a' },
        { id: '2', contentDigest },
      ],
    });
    const { changes } = planOf([declared], [unread('1'), unread('2')], { knowledge });
    expect(changes.map(lineOf)).toEqual(['keep 1', line]);
  });
});
