import { filterCards } from './filters.ts';
import { switchAccounts } from './previews.ts';

const HOUR_MS = 3_600_000;

// Everything here is comfort: without it the page shows all it has to show.
for (const element of document.querySelectorAll<HTMLElement>('.js')) element.hidden = false;
filterCards(switchAccounts());
openForPrint();
copyOnClick();
showAge();

/** Opens everything for paper, and restores it after. */
function openForPrint(): void {
  let closed: readonly HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const element of closed) element.open = true;
  });
  addEventListener('afterprint', () => {
    for (const element of closed) element.open = false;
  });
}

/** A page from the disk may not have a clipboard; then there is nothing to click. */
function copyOnClick(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
    if (typeof navigator.clipboard === 'undefined') {
      button.remove();
      continue;
    }
    button.addEventListener('click', () => {
      const command = button.previousElementSibling?.textContent ?? '';
      navigator.clipboard.writeText(command.trim()).then(
        () => {
          button.textContent = 'Copied';
        },
        () => {
          button.textContent = 'Not copied';
        },
      );
    });
  }
}

/** A plan that is older than an hour says so. */
function showAge(): void {
  const planned = document.querySelector<HTMLTimeElement>('.where time');
  const element = document.getElementById('age');
  const hours = Math.floor((Date.now() - Date.parse(planned?.dateTime ?? '')) / HOUR_MS);
  if (element === null || !(hours >= 1)) return;
  element.hidden = false;
  element.textContent = hours < 48 ? `· ${hours} h old` : `· ${Math.floor(hours / 24)} days old`;
}
