import type { CellKind, ListColumn } from '../domain/list-column.ts';

/** What the names of some columns do not say, by path. A text alone is the heading. */
export type Cells = Readonly<Record<string, string | Omit<ListColumn, 'path'>>>;

/** How the service names its members: the first row that fits the end of a path. Anything else is text. */
const NAMES: readonly (readonly [RegExp, CellKind])[] = [
  [/(?:_at|At|timestamp|_date)$/, 'instant'],
  [/\b(?:is|has|can|converted)_(?!.*reason$)\w+$/, 'flag'],
  [/(?:_(?:count|sum|avg|min|max|rate|percent|limit|days|time)|Days)$/, 'number'],
  [/\b(?:clicks|claims|subscribers|size|duration|length)$/, 'number'],
  [/(?:price|amount)(?:_gross)?$|payout(?:Available|Pending)$|Summ$/, 'money'],
  [/(?:\bid|_id|Id|status|state|currency|from_user)$/, 'whole'],
];

/** The columns with these paths, which stand between spaces. `none` is shown for a value that is missing. */
export function makeColumns(paths: string, cells: Cells = {}, none?: string): readonly ListColumn[] {
  if (paths === '') return [];
  return paths.split(/\s+/).map((path) => {
    const own = cells[path] ?? {};
    const as = NAMES.find(([name]) => name.test(path))?.[1] ?? 'text';
    const named = { path, header: makeHeading(path), as, ...(none === undefined ? {} : { none }) };
    return { ...named, ...(typeof own === 'string' ? { header: own } : own) };
  });
}

/** `created_at` is `created`, `fan.id` is `fan`, `price_gross` is `price (gross)`. */
function makeHeading(path: string): string {
  return path
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/^(?:is|has)_/, '')
    .replace(/[._](?:at|count|id)$/, '')
    .replace(/_(gross|days|percent)$/, ' ($1)')
    .replace(/[._]/g, ' ');
}
