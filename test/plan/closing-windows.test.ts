import { describe, expect, it } from 'vitest';
import { RESUME_WINDOW_MS } from '../../src/domain/broadcast.ts';
import { ARCHIVED_AFTER_MS } from '../../src/domain/campaign.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  knowing,
} from '../helpers/resource-builders.ts';
import { HOUR, NOON, planOf } from './plan-of.ts';

const CAMPAIGN = aCampaign({ target: 'paused' });
const BROADCAST = aBroadcast({ target: 'paused' });

function campaignWarnings(leftMs: number, more: object = {}, parts: object = {}) {
  const known = {
    id: '1',
    pausedFor: 'declared',
    pausedAtMs: NOON - ARCHIVED_AFTER_MS + leftMs,
    ...more,
  } as const;
  const live = aLiveCampaign({ status: 'paused' });
  return closing(planOf([CAMPAIGN], [live], { knowledge: knowing({ campaigns: [known] }), ...parts }));
}

function broadcastWarnings(leftMs: number, live: object = {}) {
  const known = { id: '1', pausedFor: 'declared', pausedAtMs: NOON - RESUME_WINDOW_MS + leftMs } as const;
  const knowledge = knowing({ broadcasts: [known] });
  return closing(planOf([BROADCAST], [aLiveBroadcast({ status: 'paused', ...live })], { knowledge }));
}

function closing({ diagnostics }: ReturnType<typeof planOf>) {
  return diagnostics.filter(({ code }) => code === 'window-closes');
}

// CAMPAIGN-9
describe('a campaign that the service will archive', () => {
  it('is warned about a day before, with the time, and with what to do', () => {
    expect(campaignWarnings(5 * HOUR)).toMatchObject([
      {
        severity: 'warning',
        address: 'alice/campaign/Welcome',
        at: '2026-06-01T17:00:00Z',
        message:
          '1 is paused since 2026-05-25T17:00:00Z. The service archives it about 2026-06-01T17:00:00Z. To keep it: herald campaigns activate 1 --account alice. Otherwise declare status: archived.',
      },
    ]);
  });

  it.each([
    ['more than a day before', 24 * HOUR + 1, 0],
    ['a day before', 24 * HOUR, 1],
    ['in the last moment', 1, 1],
    ['when it is over', 0, 0],
  ])('%s: %s ms left', (_, leftMs, warnings) => {
    expect(campaignWarnings(leftMs)).toHaveLength(warnings);
  });

  it('is warned about earlier, where the workspace says so', () => {
    expect(campaignWarnings(70 * HOUR, {}, { warnBeforeMs: 72 * HOUR })).toHaveLength(1);
  });

  it('is not warned about where the ledger does not know its pause, or has an impossible time', () => {
    expect(campaignWarnings(HOUR, { pausedAtMs: null })).toEqual([]);
    expect(campaignWarnings(HOUR, { pausedAtMs: 1e300 })).toEqual([]);
  });

  it('is not warned about when the run activates or archives it', () => {
    const known = { id: '1', pausedFor: 'declared', pausedAtMs: NOON - ARCHIVED_AFTER_MS + HOUR } as const;
    const knowledge = knowing({ campaigns: [known] });
    for (const target of ['active', 'archived'] as const) {
      const plan = planOf([aCampaign({ target })], [aLiveCampaign({ status: 'paused' })], { knowledge });
      expect(closing(plan), target).toEqual([]);
    }
  });

  it('is warned about as an old version only while sends are queued', () => {
    const old = { supersededBy: '2', pausedFor: 'replace' };
    expect(campaignWarnings(HOUR, old)).toEqual([]);
    const knowledge = knowing({
      campaigns: [
        { id: '1', pausedFor: 'replace', supersededBy: '2', pausedAtMs: NOON - ARCHIVED_AFTER_MS + HOUR },
      ],
    });
    const live = aLiveCampaign({
      status: 'paused',
      messages: [{ text: 'Old' }],
      targeted_sends_count: 9,
      first_message_stats: { sent_messages_count: 8 },
    });
    expect(closing(planOf([CAMPAIGN], [live], { knowledge }))[0]?.message).toContain(
      'Then its queue is cleared: about 1 send is still queued (9 targeted, 8 sent). Another version replaced it, and only this one can send the queue, with its own text, while the new version is paused: herald campaigns activate 1 --account alice',
    );
  });
});

// BROADCAST-17
describe('a paused broadcast that can soon no longer be resumed', () => {
  it('is warned about, with the time', () => {
    expect(broadcastWarnings(2 * HOUR)).toMatchObject([
      {
        at: '2026-06-01T14:00:00Z',
        message:
          '1 is paused since 2026-05-27T14:00:00Z. It can be resumed until about 2026-06-01T14:00:00Z, and never after that. To send it: herald broadcasts resume 1 --account alice',
      },
    ]);
  });

  it('is warned about when it was stopped half-way, and not when its hour has passed', () => {
    expect(broadcastWarnings(HOUR, { scheduled_at: null })).toHaveLength(1);
    expect(broadcastWarnings(HOUR, { scheduled_at: '2026-06-01T11:00:00Z' })).toEqual([]);
  });
});
