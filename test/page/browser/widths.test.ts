import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { renderPlanPage } from '../../../src/page/page.tsx';
import { BROWSERS, type OpenPage } from '../../helpers/page-browsers.ts';
import { withTexts } from '../hostile.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';
import { click, inBrowser } from './in-browser.ts';
import { OUTLINE_PARTS, outlineOf, outside } from './outline.ts';

interface LookedFor {
  readonly type: 'tag' | 'rule';
  readonly values: string[];
}
const WCAG: LookedFor = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** Dark colours change nothing that another rule looks at. */
const OF_COLOURS: LookedFor = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const WIDTHS = [360, 768, 1280, 2560] as const;
const IN_BETWEEN = [600, 1100, 1920];
const NARROWEST = { width: WIDTHS[0] };
/** One width without the index, and one with it: for axe, and for pictures. */
const WIDTHS_FOR_AXE: readonly number[] = [360, 1280];

// One page goes through all widths: to open it costs more than to look at it.
describe.each(BROWSERS)('at every width, a page in %s', (name) => {
  const open = inBrowser(name, { colours: 'light', script: true });

  it('has the same parts in their place, and nothing for axe to find', async () => {
    const page = await open(SAMPLE_PLAN, NARROWEST);
    await expectGoodParts(page);
    await expectNothingForAxe(page, WCAG, `${name}-light`);
  });

  it.each([
    ['long words', withTexts(SAMPLE_PLAN, 'x'.repeat(500))],
    ['hundreds of emoji', withTexts(SAMPLE_PLAN, '🎉'.repeat(500))],
  ])('does not scroll sideways with %s', async (_title, plan) => {
    const page = await open(plan, NARROWEST);
    await page.run(click, '#fold');
    for (const width of [...WIDTHS, ...IN_BETWEEN]) {
      await widen(page, width);
      const needed = await page.run(() => document.documentElement.scrollWidth, null);
      expect(needed, `at ${width} px`).toBeLessThanOrEqual(width);
    }
  });
});

describe.each(BROWSERS)('in dark colours, a page in %s', (name) => {
  const open = inBrowser(name, { colours: 'dark', script: true });

  it('has nothing for axe to find', async () => {
    const page = await open(SAMPLE_PLAN, NARROWEST);
    expect(await page.run(() => matchMedia('(prefers-color-scheme: dark)').matches, null)).toBe(true);
    await expectNothingForAxe(page, OF_COLOURS, `${name}-dark`);
  });
});

it('dark colours are other values of variables, so that every part keeps its place', () => {
  const page = renderPlanPage(SAMPLE_PLAN);
  const rules = page.split(/[;{}]/).filter((rule) => /light-dark|prefers-color-scheme/.test(rule));
  expect(rules.length).toBeGreaterThan(5);
  for (const rule of rules)
    expect(rule.trim()).toMatch(/^--[a-z\d-]+: ?light-dark\(#[\da-f]+, ?#[\da-f]+\)$/);
});

async function widen(page: OpenPage, width: number): Promise<void> {
  await page.resize(width);
  expect(await page.run(() => innerWidth, null)).toBe(width);
}

/** One outline for each browser and all widths. Only a wide screen has the heading of the index. */
const WIDE = 1_088;
const INDEX = ['nav On this page', 'h2 Changes'];

async function expectGoodParts(page: OpenPage): Promise<void> {
  for (const width of WIDTHS) {
    await widen(page, width);
    const outline = await page.run(outlineOf, OUTLINE_PARTS);
    const [nav = '', ...parts] = outline;
    const shown = width < WIDE ? [...INDEX, ...parts] : outline;
    expect([nav, shown.slice(0, 2)]).toEqual([INDEX[0], INDEX]);
    await expect(shown.join('\n')).toMatchFileSnapshot('outline.txt');
    expect(await page.run(outside, width), `at ${width} px`).toEqual([]);
  }
}

async function expectNothingForAxe(page: OpenPage, lookedFor: LookedFor, picture: string): Promise<void> {
  await page.load(axe.source);
  for (const width of WIDTHS_FOR_AXE) {
    await widen(page, width);
    await page.picture(`${picture}-${width}`);
    await page.run(click, '#fold');
    const found = await page.run(async (runOnly) => {
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
      const { violations } = await inPage.run(document, { runOnly });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
    }, lookedFor);
    expect(found, `at ${width} px`).toEqual([]);
    await page.run(click, '#fold');
  }
}
