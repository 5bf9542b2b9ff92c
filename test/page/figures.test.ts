import { describe, expect, it } from 'vitest';
import type { Figure } from '../../src/page/figures.tsx';
import { renderPlanPage } from '../../src/page/page.tsx';
import { HOSTILE_TEXTS } from './hostile.ts';
import { SAMPLE_FIGURES } from './sample-figures.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

function sectionOf(figures: readonly Figure[]): string {
  const html = renderPlanPage(SAMPLE_PLAN, { figures });
  const at = html.indexOf('<section id="figures"');
  return at === -1 ? '' : html.slice(at, html.indexOf('</section>', at));
}

const [funnel, daily] = SAMPLE_FIGURES;

describe('the figures of a page', () => {
  it('are neither a section nor a link when there are none', () => {
    expect(sectionOf([])).toBe('');
    expect(renderPlanPage(SAMPLE_PLAN)).not.toContain('#figures');
    expect(renderPlanPage(SAMPLE_PLAN, { figures: SAMPLE_FIGURES })).toContain(
      '<a href="#figures">Figures</a>',
    );
  });

  it('draw a funnel from zero, as shares of its first stage, with all numbers in a table', () => {
    const html = sectionOf(funnel === undefined ? [] : [funnel]);
    expect(
      [...html.matchAll(/<rect class="b2" x="21%" y="\d+" width="([\d.]+)%"/g)].map(([, width]) => width),
    ).toEqual(['60.0', '58.2', '19.2', '6.3']);
    expect(html).toContain('>8,412</text>');
    expect(html).toContain('>29.0 %</text>');
    expect(html).toContain('<td>2,436</td>');
  });

  it('draw two versions at most, and have the others in the table', () => {
    const html = sectionOf([
      {
        kind: 'funnel',
        title: 'T',
        note: 'N',
        stages: ['Sent'],
        versions: ['one', 'two', 'three'].map((name) => ({ name, counts: [1] })),
      },
    ]);
    expect(html.match(/<rect class="b\d" x/g)).toHaveLength(2);
    expect(html.match(/<th scope="row">/g)).toHaveLength(3);
  });

  it('draw days on one scale, and say its top', () => {
    const html = sectionOf([
      {
        kind: 'daily',
        title: 'T',
        note: 'By account',
        rows: [
          { name: 'a', dollars: [0, 100] },
          { name: 'b', dollars: [50, 25] },
        ],
      },
    ]);
    expect(html).toContain('By account, one scale, highest day $100');
    expect([...html.matchAll(/points="([^"]*)"/g)].map(([, points]) => points)).toEqual([
      '0.0,35.0 108.0,1.0',
      '0.0,18.0 108.0,26.5',
    ]);
    expect(html).toContain('<title>a: $100 in 2 days, best day $100</title>');
  });

  it('of nothing but zeros are flat, and not broken', () => {
    const html = sectionOf([
      {
        kind: 'funnel',
        title: 'T',
        note: 'N',
        stages: ['Sent', 'Bought'],
        versions: [{ name: 'v', counts: [0] }],
      },
      { kind: 'daily', title: 'T', note: 'N', rows: [{ name: 'a', dollars: [] }] },
    ]);
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
    expect(daily).toBeDefined();
  });

  it.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 20), text]))('make no markup of %j', (_, text) => {
    const html = sectionOf([
      { kind: 'funnel', title: text, note: text, stages: [text], versions: [{ name: text, counts: [1] }] },
      { kind: 'daily', title: text, note: text, rows: [{ name: text, dollars: [1] }] },
    ]);
    for (const tag of html.match(/<[^>]*>/g) ?? [])
      expect(tag).toMatch(
        /^<\/?(?:section|div|h[23]|p|figure|figcaption|svg|title|text|rect|ul|li|span|details|summary|table|thead|tbody|tr|t[dh]|line|polyline)\b[^<]*>$/,
      );
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000]/);
  });
});
