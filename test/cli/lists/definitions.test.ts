import { describe, expect, it } from 'vitest';
import { CATALOGUE, OPERATIONS } from '../../../src/api/catalogue.ts';
import { LIST_NAMES, findList } from '../../../src/api/lists.ts';

const LISTS = LIST_NAMES.map((name) => ({ name, list: findList(name) }));

/** What each of them takes and shows is compared with the document in `documented.test.ts`. */
describe('the table of lists', () => {
  it('has every list of the catalogue', () => {
    const listed = OPERATIONS.filter((operation) => 'items' in CATALOGUE[operation].paging);
    const defined = LISTS.map(({ list }) => list.operation).filter((name) => name !== 'payouts.balances');
    expect(defined.toSorted()).toEqual(listed.toSorted());
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
});
