import { compactJson } from '../render/json.ts';

/** Who gets it, in words. No filter means every fan (CONTENT-15). Words of the service that are new are kept. */
export function audienceOf(filters: readonly unknown[]): string {
  if (filters.length === 0) return 'Everyone';
  const words = filters.map(filterWords);
  return words
    .map((word, index) => (index === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join(', ');
}

const KINDS: Readonly<Record<string, string>> = {
  subscribed_date: 'subscribed',
  purchased_from_organisation: 'bought before',
};

function filterWords(filter: unknown): string {
  if (typeof filter !== 'object' || filter === null) return compactJson(filter);
  const { kind, mode, options } = filter as Readonly<Record<string, unknown>>;
  if (typeof kind !== 'string') return compactJson(filter);
  const what = Object.hasOwn(KINDS, kind) ? (KINDS[kind] ?? kind) : kind;
  const details = optionWords(options);
  const words = details === '' ? what : `${what} ${details}`;
  return mode === 'exclude' ? `not: ${words}` : words;
}

function optionWords(options: unknown): string {
  if (typeof options !== 'object' || options === null) return '';
  const {
    from_days: fromDays,
    to_days: toDays,
    from_at: fromAt,
    to_at: toAt,
    lists,
    ...others
  } = options as Readonly<Record<string, unknown>>;
  return [
    daysWords(fromDays, toDays),
    typeof fromAt === 'string' ? `from ${fromAt}` : '',
    typeof toAt === 'string' ? `until ${toAt}` : '',
    Array.isArray(lists) && lists.length > 0 ? `on the list ${lists.map(listName).join(', ')}` : '',
    ...Object.entries(others).map(([name, value]) => `${name} ${compactJson(value)}`),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** `from 7 days ago to today`, as the differences of a plan say it. */
function daysWords(from: unknown, to: unknown): string {
  return [dayWords('from', from), dayWords('to', to)].filter((part) => part !== '').join(' ');
}

function dayWords(preposition: string, days: unknown): string {
  if (typeof days !== 'number' && typeof days !== 'string') return '';
  const count = String(days);
  if (count === '0') return `${preposition} today`;
  return `${preposition} ${count} ${count === '1' ? 'day' : 'days'} ago`;
}

function listName(list: unknown): string {
  if (typeof list !== 'object' || list === null) return compactJson(list);
  const { name, id } = list as Readonly<Record<string, unknown>>;
  return typeof name === 'string' ? name : typeof id === 'string' ? id : compactJson(list);
}
