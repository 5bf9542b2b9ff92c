import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/domain/change.ts';
import { renderPlanPage } from '../../../src/page/page.tsx';
import { launchChromium } from '../../helpers/browsers.ts';
import { aChange, aPlan } from '../../helpers/plan-builders.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';

/** The space of a landscape A4 page between its margins, in pixels. */
const LANDSCAPE = { width: 1_031, height: 700 };
/** In points. */
const A4 = [595, 842];

/** The sizes of the pages of a PDF. */
function sheetsOf(pdf: Buffer): readonly { readonly width: number; readonly height: number }[] {
  return [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(
    ([, width, height]) => ({ width: Math.round(Number(width)), height: Math.round(Number(height)) }),
  );
}

/** Each of the resources on each of the accounts. */
function widePlan(accounts: number, resources: number): Plan {
  const aliases = Array.from({ length: accounts }, (_, index) => `account${index}`);
  const names = Array.from({ length: resources }, (_, index) => `Resource ${index}`);
  return {
    ...aPlan(names.flatMap((name) => aliases.map((account) => aChange({ account, name, action: 'keep' })))),
    accounts: aliases,
  };
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

  it('has a matrix of 100 accounts on landscape pages, and cuts none of its columns off', async () => {
    const file = join(folder, 'wide.html');
    writeFileSync(file, renderPlanPage(widePlan(100, 60)));
    const page = await browser.newPage({ viewport: LANDSCAPE });
    await page.goto(pathToFileURL(file).href);
    await page.emulateMedia({ media: 'print' });
    const columns = await page
      .locator('#matrix thead th')
      .evaluateAll((cells) =>
        cells.map((cell) => cell.getBoundingClientRect()).filter(({ width }) => width > 0),
      );
    expect(columns.length).toBeGreaterThan(100);
    for (const { width, right } of columns) {
      expect(width).toBeGreaterThan(8);
      expect(right).toBeLessThanOrEqual(LANDSCAPE.width);
    }
    const sheets = sheetsOf(await page.pdf({ preferCSSPageSize: true }));
    const landscape = sheets.filter(({ width, height }) => width > height);
    expect(landscape.length).toBeGreaterThan(1);
    expect(landscape.length).toBeLessThan(10);
    expect(sheets.length).toBeGreaterThan(landscape.length);
    for (const { width, height } of sheets) expect([width, height].toSorted()).toEqual(A4);
  });
});
