import { describe, expect, it } from 'vitest';
import {
  BROADCAST_STATUSES,
  BROADCAST_TARGETS,
  CAMPAIGN_STATUSES,
  CAMPAIGN_TARGETS,
  isDeclaredToSend,
  isRunning,
  isStopped,
  readKindStatus,
  showsTarget,
  STATUS_TRAITS,
  readStatus,
  readTargetStatus,
} from '../../src/domain/status.ts';

describe('the status of a reply (CAMPAIGN-11, BROADCAST-12)', () => {
  it('is read as it is, where the service names it', () => {
    for (const statuses of [CAMPAIGN_STATUSES, BROADCAST_STATUSES])
      for (const status of statuses) {
        expect(readKindStatus<string>({ status }, statuses)).toBe(status);
        expect(readStatus({ status })).toBe(status);
      }
  });

  it.each(['held', 'Active', '', 'none', 'unnamed', 'toString'])('is unnamed where it is "%s"', (status) => {
    expect(readStatus({ status })).toBe('unnamed');
    expect(readKindStatus({ status }, CAMPAIGN_STATUSES)).toBe('unnamed');
    expect(readKindStatus({ status }, BROADCAST_STATUSES)).toBe('unnamed');
  });

  it.each([{}, { status: null }, { status: undefined }])('is none where %j has none', (live) => {
    expect(readStatus(live)).toBe('none');
  });

  it('is unnamed where only the other kind has it', () => {
    expect(readKindStatus({ status: 'scheduled' }, CAMPAIGN_STATUSES)).toBe('unnamed');
    expect(readKindStatus({ status: 'active' }, BROADCAST_STATUSES)).toBe('unnamed');
    expect(readKindStatus({ status: 'recalled' }, BROADCAST_STATUSES)).toBe('unnamed');
  });
});

describe('what a status means', () => {
  it.each([
    ['runs', ['active', 'scheduled', 'queued', 'sending']],
    ['goingOut', ['queued', 'sending']],
    ['stopped', ['paused', 'archived', 'recalling', 'recalled', 'unsending', 'unsent']],
    ['recalled', ['recalling', 'recalled', 'unsending', 'unsent']],
  ] as const)('%s: %j', (trait, statuses) => {
    const all = Object.entries(STATUS_TRAITS).flatMap(([status, has]) => (has[trait] ? [status] : []));
    expect(all.toSorted()).toEqual([...statuses].toSorted());
  });

  it('nothing that has no name runs, or is stopped', () => {
    const none = { runs: false, goingOut: false, stopped: false, recalled: false };
    expect([STATUS_TRAITS.none, STATUS_TRAITS.unnamed]).toEqual([none, none]);
  });
});

describe('what a status change asks for', () => {
  const asks = (target: string | null) => ({ status: readTargetStatus(target) });

  it('is a start or a stop', () => {
    for (const start of ['active', 'queued'])
      expect([isRunning(asks(start)), isStopped(asks(start))]).toEqual([true, false]);
    for (const stop of ['paused', 'archived'])
      expect([isRunning(asks(stop)), isStopped(asks(stop))]).toEqual([false, true]);
  });

  it.each([null, 'unsend', 'scheduled', 'toString'])('%j is not a status change', (target) => {
    expect(readTargetStatus(target)).toBeNull();
    expect([isRunning(asks(target)), isStopped(asks(target))]).toEqual([false, false]);
  });

  it('a resume shows as any status but paused (BROADCAST-18), and any other change as what it asked for', () => {
    const hidden = [...BROADCAST_STATUSES, null].filter((status) => !showsTarget({ status }, 'queued'));
    expect(hidden).toEqual(['paused']);
    expect(showsTarget({ status: 'paused' }, 'paused')).toBe(true);
    expect(showsTarget({ status: 'archived' }, 'paused')).toBe(false);
  });
});

it.each([
  ['campaign', CAMPAIGN_TARGETS, 'active'],
  ['broadcast', BROADCAST_TARGETS, 'scheduled'],
] as const)('a %s sends in one of its declared statuses only', (_, targets, sending) => {
  expect(targets.filter((target) => isDeclaredToSend({ target }))).toEqual([sending]);
});
