import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/domain/change.ts';
import { renderPlanPage } from '../../src/page/page.tsx';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

/** The table of accounts: the texts of its cells, row by row. */
function rowsFor(
  changes: readonly Change[],
  accounts: readonly string[] = [],
): readonly (readonly string[])[] {
  const html = renderPlanPage({ ...aPlan(changes), accounts: [...accounts] });
  const [table = ''] = /<table>[\s\S]*<\/table>/.exec(html) ?? [];
  return table.split('<tr>').flatMap((row) => {
    const cells = [...row.matchAll(/<(?:th|td)[^>]*>(.*?)<\/(?:th|td)>/g)];
    return cells.length === 0 ? [] : [cells.map(([, text = '']) => text.replace(/<[^>]*>/g, ''))];
  });
}

describe('the table of accounts', () => {
  it('names what only other accounts have, but nothing that no file declares', () => {
    const names = ['a', 'b', 'c', 'd'];
    const changes = [
      ...names.map((name) => aChange({ account: 'alice', name, action: 'keep' })),
      aChange({ account: 'alice', name: 'e', action: 'unmanaged' }),
      aChange({ account: 'bob', name: 'a', action: 'keep' }),
    ];
    expect(rowsFor(changes, ['alice', 'bob', 'carol'])).toEqual([
      ['Account', 'unchanged', 'unmanaged', 'On other accounts only'],
      ['alice', '4', '1', ''],
      ['bob', '1', '0', 'b, c and d'],
      ['carol', '0', '0', 'a, b and 2 more'],
    ]);
  });

  it('links each account to its changes, whatever its name', () => {
    const html = renderPlanPage(aPlan([aChange({ account: 'a&b=c "d"\ud83c', action: 'blocked' })]));
    const [, link = ''] = /<th scope="row"><a href="#([^"]*)"/.exec(html) ?? [];
    expect(new URLSearchParams(link).get('account')).toMatch(/^a&b=c "d"/);
  });
});
