import { describe, expect, it } from 'vitest';
import { renderCalendar } from '../../src/page/ics.ts';
import { makeModel } from '../../src/page/model.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

const linesOf = (ics: string): readonly string[] => ics.split('\r\n');
const calendar = (plan = SAMPLE_PLAN): string => renderCalendar(makeModel(plan, 'plan', new Map()));

/** What a calendar has after these files: of each UID, the event with the highest SEQUENCE (RFC 5546). */
function imported(files: readonly string[]): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  const sequenceOf = (event: string) => Number(/^SEQUENCE:(\d+)/m.exec(event)?.[1]);
  for (const event of files.flatMap((file) => file.split('BEGIN:VEVENT').slice(1))) {
    const uid = /^UID:(\S+)/m.exec(event)?.[1] ?? '';
    const before = kept.get(uid);
    if (before === undefined || sequenceOf(event) > sequenceOf(before)) kept.set(uid, event);
  }
  return new Map([...kept].toSorted());
}

describe('an iCalendar file', () => {
  it('has what will go out, and neither what is recalled nor what is over', () => {
    const names = linesOf(calendar()).flatMap((line) => (line.startsWith('SUMMARY:') ? [line.slice(8)] : []));
    expect(names.filter((name) => name.startsWith('Setlist vote'))).toHaveLength(5);
    expect(names.filter((name) => name.startsWith('Sunday stretch'))).toHaveLength(4);
    expect(names.filter((name) => name.startsWith('Presale note'))).toEqual([]);
  });

  it('has each UID once, and none that shows the name of an account', () => {
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

  it.each(['\v', '\f', '\r', '\u0085', '\u2028', '\u2029'])('keeps a name with %j on one line', (end) => {
    const name = `Sale${end}END:VEVENT`;
    const change = aChange({ kind: 'broadcast', action: 'keep', name, scheduled_at: '2026-06-03T16:00:00Z' });
    const ics = calendar({ ...aPlan([change]), planned_at: '2026-06-01T12:00:00Z' });
    expect(ics).toContain('SUMMARY:Sale\\nEND:VEVENT (alice)\r\n');
    expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\v\f\r\n\u0085\u2028\u2029]/);
  });

  it('imported again moves its events, and adds none', () => {
    const later = {
      ...SAMPLE_PLAN,
      planned_at: '2026-03-27T15:00:00Z',
      contents: SAMPLE_PLAN.contents?.map((content) =>
        content.name === 'Setlist vote' ? { ...content, scheduled_at: '2026-04-01T08:00:00Z' } : content,
      ),
    };
    const [first, second] = [calendar(), calendar(later)];
    const both = imported([first, second]);
    expect(both.size).toBe(imported([first]).size);
    const votes = [...both.values()].filter((event) => event.includes('SUMMARY:Setlist vote'));
    expect(votes).toHaveLength(5);
    for (const event of votes) expect(event).toContain('DTSTART:20260401T080000Z');
    // An old file that is opened later changes nothing.
    expect(imported([second, first])).toEqual(both);
  });

  it('is the same for the same plan', () => {
    expect(calendar()).toBe(calendar());
  });
});
