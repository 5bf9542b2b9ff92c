import { describe, expect, it } from 'vitest';
import { aCampaign, aLiveCampaign, knowing } from '../helpers/resource-builders.ts';
import { planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const BUSY = { targeted_sends_count: 500, first_message_stats: { sent_messages_count: 380 } };
const QUEUED = [{ live_id: '1', about: 120, targeted: 500, sent: 380 }];
const WORDS = '1: about 120 sends are still queued (500 targeted, 380 sent).';
const knowledge = knowing({ campaigns: [{ id: '1' }] });

// CONTENT-26
describe('a plan that stops a campaign with sends in its queue', () => {
  it.each([
    ['a replace', aCampaign({ messages: OTHER }), 'Do not count on them'],
    [
      'a replace with create_first',
      aCampaign({ messages: OTHER, replace: 'create_first' }),
      'Do not count on',
    ],
    [
      'a replace that clears the queue',
      aCampaign({ messages: OTHER, oldQueue: 'clear' }),
      'The queue is cleared.',
    ],
    ['a pause', aCampaign({ target: 'paused' }), 'Do not count on them'],
    ['an archive', aCampaign({ target: 'archived' }), 'The queue is cleared.'],
  ])('%s tells about how many, and what becomes of them', (_, declared, fate) => {
    const [change] = planOf([declared], [aLiveCampaign({ ...BUSY })], { knowledge }).changes;
    expect(change?.queued).toEqual(QUEUED);
    expect(change?.reasons.at(-1)).toContain(WORDS);
    expect(change?.reasons.at(-1)).toContain(fate);
  });

  it('a prune shows it, too', () => {
    const [change] = planOf([], [aLiveCampaign({ ...BUSY })], {
      knowledge,
      allow: new Set(['prune']),
    }).changes;
    expect([change?.action, change?.queued]).toEqual(['archive', QUEUED]);
  });

  it('one that waits for an allowance shows it before it is allowed', () => {
    const [change] = planOf([aCampaign({ messages: OTHER })], [aLiveCampaign({ ...BUSY })]).changes;
    expect([change?.action, change?.needs, change?.queued]).toEqual(['blocked', ['adopt'], QUEUED]);
  });

  it('the create that an interrupted replace still needs shows what the paused version has queued', () => {
    const [change] = planOf(
      [aCampaign({ messages: OTHER })],
      [aLiveCampaign({ ...BUSY, status: 'paused' })],
      { knowledge: knowing({ campaigns: [{ id: '1', pausedFor: 'replace' }] }) },
    ).changes;
    expect([change?.action, change?.queued]).toEqual(['replace', QUEUED]);
  });

  it.each([
    ['all is sent', { targeted_sends_count: 380, first_message_stats: { sent_messages_count: 380 } }],
    [
      'more is sent than targeted',
      { targeted_sends_count: 1, first_message_stats: { sent_messages_count: 2 } },
    ],
    ['the service shows no figures', {}],
  ])('says nothing where %s', (_, figures) => {
    const [change] = planOf([aCampaign({ target: 'paused' })], [aLiveCampaign(figures)], {
      knowledge,
    }).changes;
    expect(change?.action).toBe('pause');
    expect(change?.queued).toBeUndefined();
    expect(change?.reasons.join(' ')).not.toContain('queued');
  });

  it('says nothing of one that goes on', () => {
    const [change] = planOf([aCampaign()], [aLiveCampaign({ ...BUSY })], { knowledge }).changes;
    expect([change?.action, change?.queued]).toEqual(['keep', undefined]);
  });
});
