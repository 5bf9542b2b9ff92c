import { describe, expect, it } from 'vitest';
import { renderCalendar } from '../../src/page/ics.ts';
import { modelOf } from '../../src/page/model.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

const linesOf = (ics: string): readonly string[] => ics.split('\r\n');
const calendar = (plan = SAMPLE_PLAN): string => renderCalendar(modelOf(plan, 'plan', new Map()));

describe('an iCalendar file', () => {
  it('has what will go out, and neither what is recalled nor what is over', () => {
    const names = linesOf(calendar()).flatMap((line) => (line.startsWith('SUMMARY:') ? [line.slice(8)] : []));
    expect(names.filter((name) => name.startsWith('Setlist vote'))).toHaveLength(5);
    expect(names.filter((name) => name.startsWith('Sunday stretch'))).toHaveLength(4);
    expect(names.filter((name) => name.startsWith('Presale note'))).toEqual([]);
  });

  it('has each UID once, and none that tells the name of an account', () => {
    const uids = linesOf(calendar()).flatMap((line) => (line.startsWith('UID:') ? [line.slice(4)] : []));
    expect(new Set(uids).size).toBe(uids.length);
    for (const uid of uids) expect(uid).toMatch(/^[0-9a-f]{32}@herald$/);
  });

  it('keeps a name with line breaks and separators inside of its event', () => {
    const name = 'Sale; a, b\r\nEND:VEVENT\nBEGIN:VALARM';
    const plan = {
      ...aPlan([aChange({ kind: 'broadcast', action: 'keep', name, scheduled_at: '2026-06-03T16:00:00Z' })]),
      planned_at: '2026-06-01T12:00:00Z',
    };
    const lines = linesOf(calendar(plan));
    expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('BEGIN:VALARM'))).toEqual([]);
    expect(lines.filter((line) => line.length > 75)).toEqual([]);
  });

  it('is the same for the same plan', () => {
    expect(calendar()).toBe(calendar());
  });
});
