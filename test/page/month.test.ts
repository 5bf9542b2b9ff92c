import { describe, expect, it } from 'vitest';
import { renderPlanPage } from '../../src/page/page.tsx';
import { calendarWeeks, weekOf } from '../../src/page/zone.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

const PLANNED_MS = Date.parse('2026-03-27T13:32:00Z');
const at = (time: string) => Date.parse(time);

describe('the weeks of the calendar', () => {
  it('are four from this one, and each later one with a broadcast', () => {
    const times = [at('2026-03-31T10:00Z'), at('2026-06-03T10:00Z')];
    expect(calendarWeeks('Europe/Berlin', PLANNED_MS, times)).toEqual([
      '2026-03-23',
      '2026-03-30',
      '2026-04-06',
      '2026-04-13',
      '2026-06-01',
    ]);
  });

  it('leave out the near ones that are empty', () => {
    expect(calendarWeeks('UTC', PLANNED_MS, [at('2027-01-03T10:00Z')])).toEqual(['2026-12-28']);
  });

  it('begin with the day on the clock of the zone', () => {
    const times = [at('2026-03-29T23:30Z')];
    expect(calendarWeeks('UTC', PLANNED_MS, times)[0]).toBe('2026-03-23');
    expect(calendarWeeks('UTC', at('2026-03-29T23:30Z'), times)[0]).toBe('2026-03-23');
    expect(calendarWeeks('Asia/Tokyo', at('2026-03-29T23:30Z'), times)[0]).toBe('2026-03-30');
  });

  it('say what the clocks do, which day is today, and the month where it begins', () => {
    const week = weekOf('Europe/Berlin', '2026-03-23', PLANNED_MS);
    expect(week.map(({ label }) => label)).toEqual(['23 Mar', '24', '25', '26', '27', '28', '29']);
    expect(week.map(({ when }) => when)).toEqual(['past', 'past', 'past', 'past', 'today', 'later', 'later']);
    expect(week.map(({ change }) => change)).toEqual(['', '', '', '', '', '', '+1 h']);
    const turn = weekOf('Europe/Berlin', '2026-12-28', PLANNED_MS).map(({ label }) => label);
    expect(turn).toEqual(['28 Dec', '29', '30', '31', '1 Jan 2027', '2', '3']);
  });
});

describe('the calendar of a page', () => {
  it('has each broadcast in both views', () => {
    const html = renderPlanPage(SAMPLE_PLAN);
    const views = [/<ol id="days">.*?<\/ol><\/div>/s, /<tbody id="weeks">.*?<\/tbody>/s].map(
      (view) => view.exec(html)?.[0].match(/class="ev[^>]*data-at="[^"]*"/g) ?? [],
    );
    expect(views[0]).toHaveLength(10);
    expect(views[1]).toEqual(views[0]);
  });

  it('says under a date what the list above found', () => {
    const html = renderPlanPage(SAMPLE_PLAN);
    expect(html).toMatch(
      /Wed 1 Apr<\/span><small data-at="2026-04-01T16:00:00\.000Z">4 at once on gia<\/small>/,
    );
    expect(html).toMatch(/Sat 28 Mar<\/span><small data-at="[^"]*">In quiet hours<\/small>/);
  });

  it('has no view by month of a plan without broadcasts', () => {
    expect(renderPlanPage(aPlan([aChange({ action: 'keep' })]))).not.toContain('id="v-month"');
  });
});
