const UNITS = [
  { seconds: 86_400, one: 'day', many: 'days' },
  { seconds: 3_600, one: 'h', many: 'h' },
  { seconds: 60, one: 'min', many: 'min' },
  { seconds: 1, one: 's', many: 's' },
] as const;

/** Up to this many seconds, seconds are what people say: `90 s`. */
const SECONDS_MAX = 120;

/** `90 s`, `5 min`, `2 days`, `1 day 6 h`. Never rounded. */
export function durationWords(seconds: number): string {
  if (seconds < SECONDS_MAX && seconds % 60 !== 0) return `${seconds} s`;
  if (seconds === 0) return '0 s';
  let rest = seconds;
  const parts: string[] = [];
  for (const unit of UNITS) {
    const number = Math.floor(rest / unit.seconds);
    rest -= number * unit.seconds;
    if (number > 0) parts.push(`${number} ${number === 1 ? unit.one : unit.many}`);
  }
  return parts.join(' ');
}

/** `30-90 s`, or `30 s` for an interval without a range. */
export function intervalWords(fromSec: number, toSec: number): string {
  if (fromSec === toSec) return durationWords(fromSec);
  const unit = UNITS.find(({ seconds }) => {
    return fromSec > 0 && toSec > SECONDS_MAX && fromSec % seconds === 0 && toSec % seconds === 0;
  }) ?? { seconds: 1, many: 's' };
  return `${fromSec / unit.seconds}-${toSec / unit.seconds} ${unit.many}`;
}

/** `$14.50`. More than two decimals are kept. */
export function priceWords(dollars: number): string {
  const text = dollars.toFixed(2);
  return `$${Math.abs(Number(text) - dollars) < 1e-9 ? text : String(dollars)}`;
}
