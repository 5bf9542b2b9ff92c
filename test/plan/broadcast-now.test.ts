import { describe, expect, it } from 'vitest';
import { contentDigest } from '../../src/domain/media.ts';
import { aBroadcast, aLiveBroadcast, knowing } from '../helpers/resource-builders.ts';
import { codesOf, linesOf, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const SENT = { status: null, scheduled_at: null };
const SENDING = { status: 'sending', scheduled_at: null };
const HALTED = { status: 'paused', scheduled_at: null };
const STATES = {
  scheduled: {},
  'scheduled, other words': { messages: OTHER },
  unreadable: { messages: [] },
  paused: { status: 'paused' },
  'paused half-way': HALTED,
  sending: SENDING,
  sent: SENT,
  archived: { status: 'archived' },
};

const NOW = { ...aBroadcast(), atOnce: true as const };
const allow = new Set(['now'] as const);
const digest = contentDigest(NOW.content);

const live = (id: string, parts: Parameters<typeof aLiveBroadcast>[0] = {}) =>
  aLiveBroadcast({ id, ...parts });
/** Made by Herald from the words of the draft. */
const sent = (id: string, parts: object = {}) => ({ id, contentDigest: digest, ...parts });

// BROADCAST-3
describe('a broadcast of a draft', () => {
  it('is created if its name is new, with the allowance', () => {
    expect(linesOf([NOW], [], { allow })).toEqual(['create: create']);
    expect(linesOf([NOW], [])).toEqual(['blocked needs now']);
  });

  it.each(Object.entries(STATES))('is blocked by one of another one with its name that is %s', (_, parts) => {
    const plan = planOf([NOW], [live('1', parts)], { allow });
    expect(plan.changes).toMatchObject([{ action: 'blocked', live_id: '1' }]);
    expect(plan.changes[0]?.reasons.join()).toContain('Give it a new name.');
  });

  it.each([
    ['scheduled', {}, 'blocked 1', 'Give it a new name.'],
    ['paused before its time', { status: 'paused' }, 'blocked 1', 'Give it a new name.'],
    ['paused half-way', HALTED, 'blocked 1', 'herald broadcasts resume 1 --account alice'],
    ['sending', SENDING, 'done 1', 'Herald has sent it as 1.'],
    ['sent', SENT, 'done 1', 'Herald has sent it as 1.'],
  ])('that Herald has made and that is %s', (_, parts, line, words) => {
    const knowledge = knowing({ broadcasts: [sent('1')] });
    const plan = planOf([NOW], [live('1', parts)], { allow, knowledge });
    expect(linesOf([NOW], [live('1', parts)], { allow, knowledge })).toEqual([line]);
    expect(plan.changes[0]?.reasons.join()).toContain(words);
  });

  it('that was recalled is not to be resumed', () => {
    const knowledge = knowing({ broadcasts: [sent('1', { recalled: true })] });
    expect(linesOf([NOW], [live('1', HALTED)], { allow, knowledge })).toEqual(['done 1']);
  });

  it.each([
    ['goes out as well', SENDING, ['going-out-twice']],
    ['still waits', {}, ['going-out-twice']],
    ['is paused', { status: 'paused' }, []],
    ['was sent', SENT, []],
  ])('that was sent names another one that %s', (_, other, codes) => {
    const knowledge = knowing({ broadcasts: [sent('2')] });
    const objects = [live('1', other), live('2', SENDING)];
    expect(linesOf([NOW], objects, { allow, knowledge })).toEqual(['done 2']);
    expect(codesOf(planOf([NOW], objects, { allow, knowledge }))).toEqual(codes);
  });

  it('that is paused half-way next to another one is still known', () => {
    const knowledge = knowing({ broadcasts: [sent('2')] });
    expect(linesOf([NOW], [live('1', SENT), live('2', HALTED)], { allow, knowledge })).toEqual(['blocked 2']);
  });
});
