import { describe, expect, it } from 'vitest';
import { BROWSERS } from '../../helpers/page-browsers.ts';
import { aChange } from '../../helpers/plan-builders.ts';
import { HOSTILE_TEXTS, withTexts } from '../hostile.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';
import { click, inBrowser } from './in-browser.ts';

/** More cards than a browser could draw at once. Changes with equal reasons would share a card. */
const MANY_CHANGES = Array.from({ length: 300 }, (_, index) => aChange({ reasons: [`Reason ${index}.`] }));
/** Cards that may be drawn of it: those on the screen, and some below. */
const DRAWN_MAX = 80;

/** Runs in the page: how many cards it draws, once that has not changed for ten frames. */
async function countDrawnUntilSettled(): Promise<number> {
  let [cards, same] = [-1, 0];
  while (same < 10) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const drawn = [...document.querySelectorAll('.card summary')].filter((card) =>
      card.checkVisibility({ contentVisibilityAuto: true }),
    ).length;
    same = drawn === cards ? same + 1 : 0;
    cards = drawn;
  }
  return cards;
}

/** Runs in the page: sets a control, as a person does. */
function choose([control, value]: readonly [string, string]): void {
  const element = document.querySelector(control) as HTMLInputElement | HTMLSelectElement;
  element.focus();
  element.value = value;
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Runs in the page. */
function textOf(part: string): string | null {
  return document.querySelector(part)?.textContent ?? null;
}

/** Runs in the page. */
function isShown(part: string): boolean {
  const element = document.querySelector(part) as HTMLElement | null;
  return element !== null && element.getClientRects().length > 0;
}

/** Runs in the page: headings of the cards that are to be seen. */
function headings(): string {
  return [...document.querySelectorAll<HTMLElement>('.card')]
    .filter((card) => card.offsetParent !== null)
    .map((card) => card.querySelector('h3')?.textContent ?? '')
    .join(' | ');
}

describe.each(BROWSERS)('a page in %s', (name) => {
  describe('with script', () => {
    const open = inBrowser(name, { colours: 'light', script: true });

    it('asks for nothing, and breaks no rule of its own policy', async () => {
      const page = await open();
      expect(await page.run(() => document.title, null)).toContain('Herald plan');
      await page.run(click, '#fold');
      expect(page.trouble).toEqual([]);
    });

    it('runs nothing of a hostile text in any field', async () => {
      const texts = HOSTILE_TEXTS.filter((one) => /[<"':]/.test(one));
      // Each by itself in one browser; the other has all of them at once, because each page costs seconds.
      for (const text of name === 'chromium' ? texts : [texts.join(' ')]) {
        const page = await open(withTexts(SAMPLE_PLAN, text));
        expect(page.trouble, text).toEqual([]);
        expect(await page.run(() => document.querySelectorAll('script').length, null)).toBe(2);
        expect(
          await page.run(() => document.querySelectorAll('main img, main iframe, main object').length, null),
        ).toBe(0);
      }
    });

    it('filters, keeps the filter in the address, and searches in texts', async () => {
      const page = await open();
      await page.run(choose, ['[name=account]', 'kira'] as const);
      expect(await page.run(() => location.hash, null)).toBe('#account=kira');
      const shown = await page.run(headings, null);
      expect(shown).toContain('Welcome series');
      expect(shown).not.toContain('Studio diary');
      expect(await page.run(textOf, '#shown')).toMatch(/^\d+ of \d+ groups, \d+ changes$/);
      await page.run(click, '#clear');
      expect(await page.run(textOf, '#shown')).toBe('');
      await page.run(choose, ['#q', 'loft session'] as const);
      expect(await page.run(headings, null)).toContain('Presale note');
      await page.run(choose, ['#q', 'no such words'] as const);
      expect(await page.run(headings, null)).toBe('');
      expect(await page.run(isShown, '#none')).toBe(true);
    });

    it('shows a card that a link leads to, whatever is filtered', async () => {
      const page = await open(SAMPLE_PLAN, { fragment: '#action=create' });
      const isOpen = await page.run(async () => {
        const links = [...document.querySelectorAll<HTMLAnchorElement>('.must a')];
        const link = links.find((one) => one.textContent?.includes('Studio diary'));
        const card = document.getElementById((link?.getAttribute('href') ?? '').slice(1));
        const before = card?.hidden;
        link?.click();
        while (card?.hidden !== false) await new Promise((resolve) => requestAnimationFrame(resolve));
        return { before, after: card.querySelector('details')?.open };
      }, null);
      expect(isOpen).toEqual({ before: true, after: true });
    });

    it('fills in the variables of another account', async () => {
      const page = await open();
      const read = (account: string) =>
        page.run((alias) => {
          const cards = [...document.querySelectorAll<HTMLElement>('.card')];
          const card = cards.find((one) => one.textContent?.includes('Welcome series'));
          const who = card?.querySelector('.who') as HTMLSelectElement;
          who.focus();
          who.value = alias;
          who.dispatchEvent(new Event('change', { bubbles: true }));
          const bubbles = [...(card?.querySelectorAll<HTMLElement>('.bubble') ?? [])];
          return bubbles.find((bubble) => bubble.offsetParent !== null)?.innerText ?? '';
        }, account);
      expect(await read('bruno')).toContain('Hey, it is Bruno');
      expect(await read('jonas')).toContain('you found the garage gym');
    });

    it('can be used with the keyboard alone', async () => {
      const page = await open();
      await page.press('Tab');
      expect(await page.run(() => document.activeElement?.textContent, null)).toBe('Skip to the plan');
      const isOpen = () =>
        page.run(() => (document.querySelectorAll('.card details')[3] as HTMLDetailsElement).open, null);
      await page.run(() => (document.querySelectorAll('.card summary')[3] as HTMLElement).focus(), null);
      const before = await isOpen();
      await page.press('Enter');
      expect(await isOpen()).toBe(!before);
    });

    it('draws of a large page only what is near', async () => {
      const page = await open({ ...SAMPLE_PLAN, changes: MANY_CHANGES });
      expect(await page.run(() => document.querySelectorAll('.card').length, null)).toBe(MANY_CHANGES.length);
      expect(await page.run(countDrawnUntilSettled, null)).toBeLessThan(DRAWN_MAX);
    });

    it('shows what matters before anything scrolls, and keeps a table of 100 accounts in its box', async () => {
      const page = await open();
      const bottom = await page.run(
        () => document.querySelector('.boxes')?.getBoundingClientRect().bottom ?? Infinity,
        null,
      );
      expect(bottom).toBeLessThan(300);
      const accounts = Array.from({ length: 100 }, (_, index) => `account${index}`);
      const large = await open({ ...SAMPLE_PLAN, accounts });
      const box = await large.run(() => {
        const { clientHeight, scrollHeight } = document.querySelector('.scroll') ?? document.body;
        return { clientHeight, scrollHeight };
      }, null);
      expect(box.clientHeight).toBeLessThan(700);
      expect(box.scrollHeight).toBeGreaterThan(box.clientHeight);
    });

    it('has everything open on paper', async () => {
      const page = await open();
      const closed = await page.run(() => {
        const count = () => document.querySelectorAll('details:not([open])').length;
        dispatchEvent(new Event('beforeprint'));
        const onPaper = count();
        dispatchEvent(new Event('afterprint'));
        return { onPaper, onScreen: count() };
      }, null);
      expect(closed.onPaper).toBe(0);
      expect(closed.onScreen).toBeGreaterThan(0);
    });
  });

  describe('without script', () => {
    const open = inBrowser(name, { colours: 'light', script: false });

    it('shows the same sections, and no control that does nothing', async () => {
      const page = await open();
      const sections = await page.run(
        () => [...document.querySelectorAll('h2')].map(({ textContent }) => textContent),
        null,
      );
      expect(sections).toEqual(['Changes', 'Before you approve', 'Changes', 'Calendar', 'Accounts']);
      for (const control of ['#filters', '.copy', '.who'])
        expect(await page.run(isShown, control), control).toBe(false);
      const opened = await page.run(() => {
        const last = [...document.querySelectorAll('.card details')].at(-1) as HTMLDetailsElement;
        last.querySelector('summary')?.click();
        return last.open;
      }, null);
      expect(opened).toBe(true);
    });
  });
});
