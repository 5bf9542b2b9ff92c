/** Opens everything for paper, and restores it after. */
export function openForPrint(): void {
  let closed: readonly HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const element of closed) element.open = true;
  });
  addEventListener('afterprint', () => {
    for (const element of closed) element.open = false;
  });
}
