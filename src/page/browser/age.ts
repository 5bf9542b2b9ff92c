const HOUR_MS = 3_600_000;

/** A plan that is older than an hour says so. */
export function showAge(): void {
  const planned = document.querySelector<HTMLTimeElement>('.where time');
  const element = document.getElementById('age');
  const hours = Math.floor((Date.now() - Date.parse(planned?.dateTime ?? '')) / HOUR_MS);
  if (element === null || !(hours >= 1)) return;
  element.hidden = false;
  element.textContent = hours < 48 ? `· ${hours} h old` : `· ${Math.floor(hours / 24)} days old`;
}
