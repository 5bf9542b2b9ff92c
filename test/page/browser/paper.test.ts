import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPlanPage } from '../../../src/page/page.tsx';
import { launchChromium } from '../../helpers/browsers.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';

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
    for (const part of ['.side', '.bar', '#zone'])
      expect(await page.locator(part).isVisible(), part).toBe(false);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0).toBeGreaterThan(2);
  });
});
