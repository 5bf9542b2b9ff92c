import { describe, expect, it } from 'vitest';
import { CATALOGUE, OPERATIONS, rowOf } from '../../../src/api/catalogue.ts';
import { LIST_NAMES, findList } from '../../../src/api/lists.ts';
import { FILTERS } from '../../../src/api/row.ts';

const LISTS = LIST_NAMES.map((name) => ({
  name,
  list: findList(name),
  row: rowOf(findList(name).operation),
}));

describe('the table of lists', () => {
  it('has every list of the catalogue', () => {
    const listed = OPERATIONS.filter((operation) => 'items' in CATALOGUE[operation].paging);
    const defined = LISTS.map(({ list }) => list.operation).filter((name) => name !== 'payouts.balances');
    expect(defined.toSorted()).toEqual(listed.toSorted());
  });

  it.each(LISTS)('$name asks only for what the row takes', ({ list, row }) => {
    const known = Object.keys(row.query.shape);
    const asked = list.filters.map((filter) => FILTERS[filter].query as string);
    if (list.range !== undefined) asked.push(list.range.from, list.range.to);
    expect(asked.filter((key) => !known.includes(key))).toEqual([]);
    const paging = ['limit', 'offset', 'cursor', 'marker', 'message_id'];
    expect(known.filter((key) => !asked.includes(key) && !paging.includes(key))).toEqual([]);
  });

  it.each(LISTS)('$name names the arguments of its path', ({ list, row }) => {
    const ownerFlags = {
      account: ['account_id'],
      platform: ['platform', 'platform_account_id'],
      organisation: [],
    };
    const argument = list.argument === undefined ? [] : [list.argument.param];
    expect(Object.keys(row.params.shape).toSorted()).toEqual(
      [...ownerFlags[list.who], ...argument].toSorted(),
    );
  });

  it.each(LISTS)('$name names each column once, and has examples of itself', ({ name, list }) => {
    const paths = [...list.columns, ...list.more].map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(list.examples.length).toBeGreaterThan(0);
    for (const example of list.examples) expect(example).toContain(`herald ${name}`);
  });

  // CONTENT-26
  it('heads targeted sends as sends, and not as fans', () => {
    const { columns } = findList('campaigns list');
    expect(columns.find(({ path }) => path === 'targeted_sends_count')?.header).toBe('targeted sends');
  });

  it('knows all 42 members of a row of figures', () => {
    const { columns, more } = findList('team metrics');
    expect([...columns, ...more].filter(({ lookedUp }) => lookedUp !== true)).toHaveLength(42);
  });
});
