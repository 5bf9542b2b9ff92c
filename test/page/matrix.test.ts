import { describe, expect, it } from 'vitest';
import { renderPlanPage } from '../../src/page/page.tsx';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

/** The matrix of resources that are all on all accounts. */
function matrixOf(accounts: number, names: readonly string[]): string {
  const aliases = Array.from({ length: accounts }, (_, index) => `account${index}`);
  const changes = names.flatMap((name) =>
    aliases.map((account) => aChange({ account, name, action: 'keep' })),
  );
  const html = renderPlanPage({ ...aPlan(changes), accounts: aliases });
  return html.slice(html.indexOf('<section id="matrix"'), html.indexOf('<footer'));
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Resource ${index}`);

const tablesOf = (matrix: string) =>
  [...matrix.matchAll(/<table[^>]*>([\s\S]*?)<\/table>/g)].map(([, body = '']) => ({
    columns: body.match(/<th scope="col"/g)?.length ?? 0,
    rows: body.match(/<th scope="row"/g)?.length ?? 0,
    cells: body.match(/<td>/g)?.length ?? 0,
  }));

describe('a matrix', () => {
  it('of a few resources is one table', () => {
    expect(tablesOf(matrixOf(12, numbered(20)))).toEqual([{ columns: 14, rows: 20, cells: 240 }]);
  });

  it('of 100 accounts has tables that fit on paper, and each cell once', () => {
    const tables = tablesOf(matrixOf(100, numbered(60)));
    for (const { columns, rows } of tables) {
      expect(columns).toBeLessThanOrEqual(62);
      expect(rows).toBeLessThanOrEqual(30);
    }
    expect(tables.reduce((sum, { cells }) => sum + cells, 0)).toBe(6_000);
  });

  it('tells a reader of the screen the names of the accounts once for each table', () => {
    const matrix = matrixOf(60, numbered(60));
    const [, shown = ''] = /<div class="heads" aria-hidden="true">([\s\S]*?)<\/div>/.exec(matrix) ?? [];
    expect(shown.match(/account59/g)).toHaveLength(1);
    expect(matrix.match(/account59/g)).toHaveLength(tablesOf(matrix).length);
    expect(matrix).toContain('aria-label="Rows 1 to 20, accounts 1 to 60"');
  });

  it('has the resources of one kind together, and says their kind again only on paper', () => {
    const html = renderPlanPage(
      aPlan(
        ['b', 'a', 'c'].flatMap((name) => [
          aChange({ name, kind: 'broadcast', action: 'keep' }),
          aChange({ name, kind: 'campaign', action: name === 'a' ? 'unmanaged' : 'keep' }),
        ]),
      ),
    );
    const rows = [...html.matchAll(/<th scope="row(?:group)?"[^>]*>(.*?)<\/th>/g)].map(([, text]) =>
      text?.replace(/<[^>]*>/g, ''),
    );
    expect(rows).toEqual(['Campaigns', 'b', 'c', 'a', 'Broadcasts', 'a', 'b', 'c']);
    expect(matrixOf(60, numbered(60)).match(/<tr class="again">/g)).toHaveLength(2);
  });
});
