import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { BROWSERS, type OpenPage } from '../../helpers/page-browsers.ts';
import { withTexts } from '../hostile.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';
import { click, inBrowser, SLOW_MS } from './in-browser.ts';
import { OUTLINE_PARTS, outlineOf, outside } from './outline.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Dark colours change nothing that another rule looks at. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const LOOKED_FOR = {
  light: { type: 'tag', values: WCAG },
  dark: { type: 'rule', values: OF_COLOURS },
} as const;
const WIDTHS = [360, 768, 1280, 2560] as const;
const IN_BETWEEN = [600, 1100, 1920];
const NARROWEST = { width: WIDTHS[0] };
/** One width without the index, and one with it: for axe, and for pictures. */
const WIDTHS_FOR_AXE: readonly number[] = [360, 1280];

// One page goes through all widths: to open it costs more than to look at it.
describe.each(BROWSERS)('at every width, a page in %s', (name) => {
  describe.each(['light', 'dark'] as const)('in %s colours', (colours) => {
    const open = inBrowser(name, { colours, script: true });

    it(
      'has the same parts in their place, and nothing for axe to find',
      async () => {
        const page = await open(SAMPLE_PLAN, NARROWEST);
        const isDark = await page.run(() => matchMedia('(prefers-color-scheme: dark)').matches, null);
        expect(isDark).toBe(colours === 'dark');
        await expectGoodParts(page, `${name}-${colours}`);
        await expectNothingForAxe(page, colours);
        await page.close();
      },
      SLOW_MS,
    );
  });

  describe('whatever its texts', () => {
    const open = inBrowser(name, { colours: 'light', script: true });

    it.each([
      ['long words', withTexts(SAMPLE_PLAN, 'x'.repeat(500))],
      ['hundreds of emoji', withTexts(SAMPLE_PLAN, '🎉'.repeat(500))],
    ])(
      'does not scroll sideways with %s',
      async (_title, plan) => {
        const page = await open(plan, NARROWEST);
        await page.run(click, '#fold');
        for (const width of [...WIDTHS, ...IN_BETWEEN]) {
          await widen(page, width);
          const needed = await page.run(() => document.documentElement.scrollWidth, null);
          expect(needed, `at ${width} px`).toBeLessThanOrEqual(width);
        }
        await page.close();
      },
      SLOW_MS,
    );
  });
});

async function widen(page: OpenPage, width: number): Promise<void> {
  await page.resize(width);
  expect(await page.run(() => innerWidth, null)).toBe(width);
}

/** One outline for each browser, both colours and all widths. Only a wide screen has the heading of the index. */
const WIDE = 1_088;
const INDEX = ['nav On this page', 'h2 Changes'];

async function expectGoodParts(page: OpenPage, picture: string): Promise<void> {
  for (const width of WIDTHS) {
    await widen(page, width);
    const outline = await page.run(outlineOf, OUTLINE_PARTS);
    const [nav = '', ...parts] = outline;
    const shown = width < WIDE ? [...INDEX, ...parts] : outline;
    expect([nav, shown.slice(0, 2)]).toEqual([INDEX[0], INDEX]);
    await expect(shown.join('\n')).toMatchFileSnapshot('outline.txt');
    expect(await page.run(outside, width), `at ${width} px`).toEqual([]);
    if (WIDTHS_FOR_AXE.includes(width)) await page.picture(`${picture}-${width}`);
  }
}

async function expectNothingForAxe(page: OpenPage, colours: 'light' | 'dark'): Promise<void> {
  await page.run(click, '#fold');
  await page.load(axe.source);
  for (const width of WIDTHS_FOR_AXE) {
    await widen(page, width);
    const found = await page.run(async (rules) => {
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
      const { violations } = await inPage.run(document, {
        runOnly: { type: rules.type, values: [...rules.values] },
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
    }, LOOKED_FOR[colours]);
    expect(found, `at ${width} px`).toEqual([]);
  }
}
