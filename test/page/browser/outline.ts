/*
 * What a page is made of, as those who do not see it know it: its landmarks, headings and controls, in order. All
 * browsers, colours and widths show the same ones, so this is compared and not the pixels.
 */

/** What is listed. */
export const OUTLINE_PARTS =
  'nav, main, section, h1, h2, h3, h4, summary, button, select, input, a.btn, figure, table, [role]';

/** Runs in the page: a line for each part that is to be seen, such as `h2 Calendar`. */
export function outlineOf(parts: string): readonly string[] {
  const nameOf = (element: Element): string => {
    const named = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
    const label = element.getAttribute('aria-label') ?? named;
    if (label.trim() !== '') return label;
    const labels = [...((element as HTMLInputElement).labels ?? [])];
    if (labels.length > 0) return labels.map((one) => one.firstChild?.textContent ?? '').join(' ');
    return element.matches('main, section, figure, table') ? '' : (element.textContent ?? '');
  };
  return [...document.querySelectorAll(parts)]
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const what = element.getAttribute('role') ?? element.localName;
      return `${what} ${nameOf(element).replace(/\s+/g, ' ').trim()}`.trim();
    });
}

/** Runs in the page: parts that are not wholly on the screen. What scrolls by itself may be so. */
export function outside(width: number): readonly string[] {
  return [...document.querySelectorAll('main *')]
    .filter((element) => element.closest('.scroll, .vh, svg, pre') === null && element.checkVisibility())
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && (box.left < -0.5 || box.right > width + 0.5))
    .map(({ element, box }) => `${element.localName}.${element.className} ${box.left} to ${box.right}`);
}
