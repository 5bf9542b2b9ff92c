import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { CHANGE_KINDS } from '../../../src/domain/change-kinds.ts';
import type { Plan } from '../../../src/domain/change.ts';
import { renderPlanPage } from '../../../src/page/page.tsx';
import { launchChromium } from '../../helpers/browsers.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { aChange, aPlan } from '../../helpers/plan-builders.ts';

/** The space of an A4 page between its margins, in pixels. */
const PAPER = { width: 703, height: 1_016 };
/** In points. */
const A4 = [595, 842];

/** So many accounts, one of them with a change of each kind. */
function planOfAllKinds(count: number): Plan {
  const accounts = Array.from({ length: count }, (_, index) => `account${index}`);
  const changes = CHANGE_KINDS.map((action) =>
    aChange({ account: 'account0', name: `Of ${action}`, action }),
  );
  return { ...aPlan(changes), accounts };
}

// Only Chromium shows on the screen what is printed. Everything else is tested in each browser.
it('a page on paper has all 100 accounts with all columns of their table, and no index', async () => {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const file = join(temporaryFolder({ 'wide.html': renderPlanPage(planOfAllKinds(100)) }), 'wide.html');
  const page = await browser.newPage({ viewport: PAPER });
  await page.goto(pathToFileURL(file).href);
  await page.emulateMedia({ media: 'print' });
  for (const part of ['.side', '.bar']) expect(await page.locator(part).isVisible(), part).toBe(false);
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
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const sheets = [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
  expect(sheets.length).toBeGreaterThan(2);
  for (const [, width, height] of sheets)
    expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual(A4);
});
