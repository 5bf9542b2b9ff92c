import { mix, pick } from './mix.ts';

/** An unknown word appears once in this many rows (READ-1). */
const NOVEL_EVERY = 61;

/** A word from a set that the document does not show. */
export function word(known: readonly [string, ...string[]], novel: string, mixed: number): string {
  return mixed % NOVEL_EVERY === 0 ? novel : pick(known, mix(mixed, 1));
}

/**
 * Names as people have them. Some are wide or run from right to left; some would be formulas in a spreadsheet,
 * break a line, or steer a terminal, wherever they are printed without care.
 */
const NAMES: readonly [string, ...string[]] = [
  'Maya Lind',
  'Tom Okafor',
  'Priya Raman',
  'Jonas Weber',
  'Zoë Müller',
  'Ann "Annie" O\'Brien, Jr.',
  '李小龍',
  'さくら 🌸',
  'مريم حداد',
  '👩‍👩‍👧 family',
  'e\u0301toile',
  '=1+1',
  '+49 170 5550100',
  '-2+3',
  '@SUM(A1:A9)',
  'Line\nbreak',
  'Tab\tand\rreturn',
  '\u001b[31mred\u001b[0m',
  ' spaces around ',
  'a;b|c',
];

const NAME_TEXTS = NAMES.map((name) => JSON.stringify(name));

/** A name as JSON text. */
export function nameText(mixed: number): string {
  return NAME_TEXTS[mixed % NAME_TEXTS.length] ?? '""';
}

/** Cents as an amount in JSON, with both decimals. */
export function amountText(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** An instant as JSON text. */
export function instantText(ms: number): string {
  return `"${new Date(ms).toISOString()}"`;
}
