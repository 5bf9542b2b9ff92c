import { compactJson } from './json.ts';

/**
 * The audience on one line. No filters mean every fan (CONTENT-15). The service never returns days-ago ranges and
 * names of fan lists.
 */
export function audienceWords(filters: readonly unknown[]): string {
  return filters.length === 0 ? 'everyone' : filters.map(filterWords).join('; ');
}

/** `include subscribed_date from 2026-05-01T00:00:00Z` */
function filterWords(filter: unknown): string {
  if (typeof filter !== 'object' || filter === null) return compactJson(filter);
  const { mode, kind, options } = filter as Readonly<Record<string, unknown>>;
  const details = optionWords(options);
  const words = [textOr(mode, 'unnamed mode'), textOr(kind, 'unnamed kind'), ...details];
  return details.length === 0 ? `${words.join(' ')} (the service returns no more)` : words.join(' ');
}

function optionWords(options: unknown): readonly string[] {
  if (typeof options !== 'object' || options === null) return [];
  const { from_at: fromAt, to_at: toAt, lists, ...others } = options as Readonly<Record<string, unknown>>;
  return [
    ...(typeof fromAt === 'string' ? [`from ${fromAt}`] : []),
    ...(typeof toAt === 'string' ? [`to ${toAt}`] : []),
    ...(Array.isArray(lists) && lists.length > 0 ? [`lists ${lists.map(listId).join(', ')}`] : []),
    ...Object.entries(others).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [`${name} ${compactJson(value)}`],
    ),
  ];
}

function listId(list: unknown): string {
  const id = typeof list === 'object' && list !== null && 'id' in list ? list.id : list;
  return typeof id === 'string' ? id : compactJson(id);
}

function textOr(value: unknown, instead: string): string {
  return typeof value === 'string' && value !== '' ? value : instead;
}
