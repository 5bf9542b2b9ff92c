import { describe, expect, it } from 'vitest';
import { KIND_ROWS } from '../../src/domain/kind.ts';
import { KINDS } from '../../src/domain/resource.ts';
import {
  BROADCAST_STATUSES,
  broadcastStatusOf,
  CAMPAIGN_STATUSES,
  campaignStatusOf,
  isDeclaredToSend,
  showsTarget,
  startsSending,
  statusesThat,
  statusOf,
  stopsSending,
  targetStatusOf,
} from '../../src/domain/status.ts';
import { UPLOAD_TRAITS, uploadStatusOf } from '../../src/domain/upload-status.ts';

describe('the status of a reply (CAMPAIGN-11, BROADCAST-12)', () => {
  it('is read as it is, where the service names it', () => {
    for (const status of CAMPAIGN_STATUSES) {
      expect(campaignStatusOf({ status })).toBe(status);
      expect(statusOf({ status })).toBe(status);
    }
    for (const status of BROADCAST_STATUSES) {
      expect(broadcastStatusOf({ status })).toBe(status);
      expect(statusOf({ status })).toBe(status);
    }
  });

  it.each(['held', 'Active', '', 'none', 'unnamed', 'toString'])('is unnamed where it is "%s"', (status) => {
    expect(statusOf({ status })).toBe('unnamed');
    expect(campaignStatusOf({ status })).toBe('unnamed');
    expect(broadcastStatusOf({ status })).toBe('unnamed');
    expect(uploadStatusOf({ status })).toBe('unnamed');
  });

  it.each([{}, { status: null }, { status: undefined }])('is none where %j has none', (live) => {
    expect(statusOf(live)).toBe('none');
    expect(uploadStatusOf(live)).toBe('none');
  });

  it('is unnamed where only the other kind has it', () => {
    expect(campaignStatusOf({ status: 'scheduled' })).toBe('unnamed');
    expect(broadcastStatusOf({ status: 'active' })).toBe('unnamed');
    expect(broadcastStatusOf({ status: 'recalled' })).toBe('unnamed');
  });
});

describe('what a status means', () => {
  it.each([
    ['runs', ['active', 'scheduled', 'queued', 'sending']],
    ['goingOut', ['queued', 'sending']],
    ['stopped', ['paused', 'archived', 'recalling', 'recalled', 'unsending', 'unsent']],
    ['recalled', ['recalling', 'recalled', 'unsending', 'unsent']],
    ['listed', ['active', 'paused', 'scheduled', 'queued', 'sending']],
  ] as const)('%s: %j', (trait, statuses) => {
    expect([...statusesThat(trait)].toSorted()).toEqual([...statuses].toSorted());
  });

  it('nothing that has no name runs, or is stopped', () => {
    const all = (['runs', 'goingOut', 'stopped', 'recalled', 'listed'] as const).flatMap(statusesThat);
    expect(all).not.toContain('none');
    expect(all).not.toContain('unnamed');
  });
});

describe('what a status change asks for', () => {
  it.each(['active', 'queued'])('%s starts something', (target) => {
    expect([startsSending(target), stopsSending(target)]).toEqual([true, false]);
  });

  it.each(['paused', 'archived'])('%s stops something', (target) => {
    expect([startsSending(target), stopsSending(target)]).toEqual([false, true]);
  });

  it.each([null, 'unsend', 'scheduled', 'toString'])('%j is not a status change', (target) => {
    expect(targetStatusOf(target)).toBeNull();
    expect([startsSending(target), stopsSending(target)]).toEqual([false, false]);
  });

  it('a resume shows as any status of a broadcast that runs (BROADCAST-18)', () => {
    const shows = [...BROADCAST_STATUSES, null, 'active'].filter((status) =>
      showsTarget({ status }, 'queued'),
    );
    expect(shows).toEqual(['scheduled', 'queued', 'sending']);
  });

  it('any other change shows as what it asked for', () => {
    expect(showsTarget({ status: 'paused' }, 'paused')).toBe(true);
    expect(showsTarget({ status: 'archived' }, 'paused')).toBe(false);
  });
});

describe('what a file declares', () => {
  it.each(KINDS)('a %s sends in one of its declared statuses only', (kind) => {
    const sending = KIND_ROWS[kind].targets.filter((target) => isDeclaredToSend({ target }));
    expect(sending).toHaveLength(1);
    expect(KIND_ROWS[kind].statuses).toContain(sending[0]);
  });
});

describe('the status of an upload (VAULT-12)', () => {
  it('ends where the service says so, and nowhere else', () => {
    const ends = Object.entries(UPLOAD_TRAITS).filter(([, { end }]) => end !== null);
    expect(ends.map(([status, { end }]) => [status, end])).toEqual([
      ['exported', 'exported'],
      ['failed', 'failed'],
      ['unprocessable', 'unprocessable'],
    ]);
  });

  it('a record without a known status is not proof of an export', () => {
    expect(UPLOAD_TRAITS.none.isExport || UPLOAD_TRAITS.unnamed.isExport).toBe(false);
  });
});
