import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/domain/change.ts';
import { renderPlanPage } from '../../../src/page/page.tsx';
import { launchChromium } from '../../helpers/browsers.ts';
import { HOSTILE_TEXTS, withTexts } from '../hostile.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = [360, 768, 1280, 2560];

describe('a page in a browser', () => {
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

  /** Opens a plan's page from the disk. Everything that it asks for or complains about is collected. */
  async function open(
    plan: Plan = SAMPLE_PLAN,
    { fragment = '', ...options }: BrowserContextOptions & { readonly fragment?: string } = {},
  ): Promise<{ readonly page: Page; readonly trouble: readonly string[] }> {
    const file = join(folder, 'page.html');
    writeFileSync(file, renderPlanPage(plan));
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      offline: true,
      timezoneId: 'Europe/Berlin',
      ...options,
    });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(String(error)));
    page.on('dialog', (dialog) => {
      trouble.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) trouble.push(request.url());
    });
    await page.goto(`${pathToFileURL(file).href}${fragment}`);
    return { page, trouble };
  }

  describe('from the disk', () => {
    it('asks for nothing, and breaks no rule of its own policy', async () => {
      const { page, trouble } = await open();
      await page.locator('#fold').click();
      expect(await page.title()).toBe('40 changes on 12 accounts, 1 blocked · northlight · Herald plan');
      expect(trouble).toEqual([]);
    });

    it.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 20), text]))(
      'runs nothing of %j in every field',
      async (_, text) => {
        const { page, trouble } = await open(withTexts(SAMPLE_PLAN, text));
        expect(trouble).toEqual([]);
        expect(await page.locator('script').count()).toBe(2);
        expect(await page.locator('main img, main iframe, main object').count()).toBe(0);
      },
    );

    it('reads its own plan back', async () => {
      const { page } = await open();
      const text = await page.locator('#plan').textContent();
      expect(JSON.parse(text ?? '')).toEqual(SAMPLE_PLAN);
    });
  });

  describe('without script', () => {
    it('shows the same sections, and no control that does nothing', async () => {
      const { page } = await open(SAMPLE_PLAN, { javaScriptEnabled: false });
      expect(await page.locator('h2').allTextContents()).toEqual([
        'Changes by cause',
        'Before you approve',
        'Changes',
        'Calendar',
        'Matrix',
      ]);
      for (const control of ['#filters', '#zone', '.copy', '.who'])
        expect(await page.locator(control).first().isVisible(), control).toBe(false);
      await page.locator('.card summary').last().click();
      expect(await page.locator('.card details').last().getAttribute('open')).not.toBeNull();
    });
  });

  describe('with script', () => {
    const shownCards = (page: Page) => page.locator('.card:visible h3').allTextContents();

    it('filters by account, and keeps the filter in the address', async () => {
      const { page } = await open();
      await page.locator('[name=account]').selectOption('kira');
      expect(new URL(page.url()).hash).toBe('#account=kira');
      expect(await page.locator('#shown').textContent()).toMatch(/^\d+ of \d+ groups, \d+ changes$/);
      const cards = await shownCards(page);
      expect(cards.join(' ')).toContain('Welcome series');
      expect(cards.join(' ')).not.toContain('Studio diary');
      await page.locator('#clear').click();
      expect(await page.locator('#shown').textContent()).toBe('');
    });

    it('opens a link with a filter', async () => {
      const { page } = await open(SAMPLE_PLAN, { fragment: '#action=blocked' });
      expect((await shownCards(page)).join(' ')).toContain('Studio diary');
      expect(await page.locator('.card:visible').count()).toBe(1);
      expect(await page.locator('[name=action]').inputValue()).toBe('blocked');
    });

    it('searches in texts', async () => {
      const { page } = await open();
      await page.locator('#q').fill('loft session');
      expect((await shownCards(page)).join(' ')).toContain('Presale note');
      await page.locator('#q').fill('no such words');
      expect(await page.locator('#none').isVisible()).toBe(true);
    });

    it('shows a card that a link leads to, whatever is filtered', async () => {
      const { page } = await open(SAMPLE_PLAN, { fragment: '#action=create' });
      const link = page.locator('.must a', { hasText: 'Studio diary' });
      const id = ((await link.getAttribute('href')) ?? '').slice(1);
      await link.click();
      await page.waitForFunction((card) => document.getElementById(card)?.hidden === false, id);
      expect(await page.locator(`#${id} details`).first().getAttribute('open')).not.toBeNull();
    });

    it('fills in the variables of another account', async () => {
      const { page } = await open();
      const card = page.locator('.card', { hasText: 'Welcome series' }).first();
      await card.locator('.who').focus();
      await card.locator('.who').selectOption('hugo');
      expect(await card.locator('.bubble').first().innerText()).toContain('Hey, it is Hugo');
      await card.locator('.who').selectOption('yara');
      expect(await card.locator('.bubble:visible').first().innerText()).toContain('أهلاً');
    });

    it.each([
      ['America/New_York', 'Sun 29 Mar', '13:00', null],
      ['Asia/Tokyo', 'Mon 30 Mar', '02:00', null],
      ['Europe/London', 'Sun 29 Mar', '18:00', 'Sun 29 Mar'],
      ['Australia/Sydney', 'Mon 30 Mar', '04:00', 'Sun 5 Apr'],
    ])('moves the calendar to %s, over a change of its clocks', async (zone, day, clock, change) => {
      const { page } = await open();
      await page.locator('#zone').focus();
      await page.locator('#zone').selectOption(zone);
      const row = page.locator('.day', { has: page.locator('.ev.new', { hasText: 'Spring challenge' }) });
      expect(await row.locator('h3 span').innerText()).toBe(day);
      expect(await row.locator('.ev.new', { hasText: 'Spring challenge' }).locator('time').innerText()).toBe(
        clock,
      );
      const changes = page.locator('.day', { has: page.locator('.dst') }).locator('h3 span');
      expect(await changes.allInnerTexts()).toEqual(change === null ? [] : [change]);
    });

    it('can be used with the keyboard alone', async () => {
      const { page } = await open();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the plan');
      await page.locator('.card summary').nth(3).focus();
      const isOpen = () =>
        page
          .locator('.card details')
          .nth(3)
          .evaluate((one) => (one as HTMLDetailsElement).open);
      const before = await isOpen();
      await page.keyboard.press('Enter');
      expect(await isOpen()).toBe(!before);
      const inMatrix = page.locator('.mx td a[tabindex="0"]');
      expect(await inMatrix.count()).toBe(1);
      await inMatrix.focus();
      const place = () =>
        page.evaluate(() => {
          const cell = document.activeElement?.parentElement as HTMLTableCellElement;
          return [(cell.parentElement as HTMLTableRowElement).rowIndex, cell.cellIndex];
        });
      const [row = 0, column = 0] = await place();
      await page.keyboard.press('ArrowRight');
      expect(await place()).toEqual([row, column + 1]);
      await page.keyboard.press('ArrowDown');
      expect((await place())[0]).toBeGreaterThan(row);
      await page.keyboard.press('End');
      expect((await place())[1]).toBeGreaterThan(column + 1);
    });
  });

  describe('at each width', () => {
    it.each([...WIDTHS, 600, 1100, 1920])('of %i px nothing scrolls sideways', async (width) => {
      for (const plan of [
        SAMPLE_PLAN,
        withTexts(SAMPLE_PLAN, 'x'.repeat(500)),
        withTexts(SAMPLE_PLAN, '🎉'.repeat(5_000)),
      ]) {
        const { page } = await open(plan, { viewport: { width, height: 900 } });
        await page.locator('#fold').click();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await page.context().close();
      }
    });

    it.each(
      WIDTHS.flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme }))),
    )('axe finds nothing at $width px, $colorScheme', async ({ width, colorScheme }) => {
      const { page } = await open(SAMPLE_PLAN, { viewport: { width, height: 900 }, colorScheme });
      await page.locator('#fold').click();
      await page.evaluate(axe.source);
      const found = await page.evaluate(async (tags) => {
        const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
        const { violations } = await inPage.run(document, { runOnly: { type: 'tag', values: tags } });
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
      }, WCAG);
      expect(found).toEqual([]);
    });
  });

  describe('on paper', () => {
    it('everything is open, and nothing of the screen is left', async () => {
      const { page } = await open();
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      expect(await page.locator('details:not([open])').count()).toBe(0);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      expect(await page.locator('details:not([open])').count()).toBeGreaterThan(0);
    });

    it('is a PDF of several pages, without the index', async () => {
      const { page } = await open();
      await page.emulateMedia({ media: 'print' });
      for (const part of ['.side', '.bar', '#zone'])
        expect(await page.locator(part).isVisible(), part).toBe(false);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0).toBeGreaterThan(2);
    });
  });
});
