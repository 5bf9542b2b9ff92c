import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANGE_KINDS } from '../../../src/domain/change-kinds.ts';
import type { Plan } from '../../../src/domain/change.ts';
import { renderPlanPage } from '../../../src/page/page.tsx';
import { launchChromium } from '../../helpers/browsers.ts';
import { aChange, aPlan } from '../../helpers/plan-builders.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';

/** The space of an A4 page between its margins, in pixels. */
const PAPER = { width: 703, height: 1_016 };
/** In points. */
const A4 = [595, 842];

/** The sizes of the pages of a PDF. */
function sheetsOf(pdf: Buffer): readonly { readonly width: number; readonly height: number }[] {
  return [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(
    ([, width, height]) => ({ width: Math.round(Number(width)), height: Math.round(Number(height)) }),
  );
}

/** So many accounts, one of them with a change of each kind. */
function planOfAllKinds(count: number): Plan {
  const accounts = Array.from({ length: count }, (_, index) => `account${index}`);
  const changes = CHANGE_KINDS.map((action) =>
    aChange({ account: 'account0', name: `Of ${action}`, action }),
  );
  return { ...aPlan(changes), accounts };
}

// Only Chromium shows on the screen what is printed. Everything else is tested in each browser.
describe('a page on paper', () => {
  let folder = '';
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'herald-page-'));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has several pages, without the index', async () => {
    const file = join(folder, 'page.html');
    writeFileSync(file, renderPlanPage(SAMPLE_PLAN));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.emulateMedia({ media: 'print' });
    for (const part of ['.side', '.bar']) expect(await page.locator(part).isVisible(), part).toBe(false);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(sheetsOf(pdf).length).toBeGreaterThan(2);
  });

  it('has all 100 accounts with all columns of their table', async () => {
    const file = join(folder, 'wide.html');
    writeFileSync(file, renderPlanPage(planOfAllKinds(100)));
    const page = await browser.newPage({ viewport: PAPER });
    await page.goto(pathToFileURL(file).href);
    await page.emulateMedia({ media: 'print' });
    const cells = await page.locator('#accounts :is(th, td)').evaluateAll((all) =>
      all.map((cell) => {
        const { bottom, right } = cell.getBoundingClientRect();
        const box = cell.closest('.scroll')?.getBoundingClientRect().bottom ?? 0;
        return { isCut: bottom > box + 1, right };
      }),
    );
    expect(cells).toHaveLength(101 * (CHANGE_KINDS.length + 2));
    for (const { isCut, right } of cells) {
      expect(isCut).toBe(false);
      expect(right).toBeLessThanOrEqual(PAPER.width);
    }
    for (const { width, height } of sheetsOf(await page.pdf({ preferCSSPageSize: true })))
      expect([width, height]).toEqual(A4);
  });
});
