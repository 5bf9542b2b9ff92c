import { DAY_MS } from '../zone.ts';
import { leftWords } from '../words.ts';

const HOUR_MS = DAY_MS / 24;
const EVERY_MS = 30_000;

/** Time left counts from now, and a plan that is older than an hour says so. */
export function keepAges(): void {
  const planned = document.querySelector<HTMLTimeElement>('.where time');
  const label = document.getElementById('left-label');
  const show = () => {
    const now = Date.now();
    for (const element of document.querySelectorAll<HTMLElement>('.left'))
      element.textContent = leftWords(Date.parse(element.dataset['at'] ?? '') - now);
    if (label !== null) label.textContent = 'Time left from now';
    showAge(now - Date.parse(planned?.dateTime ?? ''));
  };
  show();
  setInterval(show, EVERY_MS);
}

function showAge(ageMs: number): void {
  const element = document.getElementById('age');
  if (element === null || Number.isNaN(ageMs) || ageMs < HOUR_MS) return;
  const hours = Math.floor(ageMs / HOUR_MS);
  element.hidden = false;
  element.textContent = hours < 48 ? `· ${hours} h old` : `· ${Math.floor(hours / 24)} days old`;
}
