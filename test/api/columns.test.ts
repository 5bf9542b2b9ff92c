import { describe, expect, it } from 'vitest';
import { rowOf } from '../../src/api/catalogue.ts';
import { makeColumns } from '../../src/api/columns.ts';
import { LIST_COMMANDS, LIST_NAMES } from '../../src/api/lists.ts';

describe('the columns of a list', () => {
  it('look as their names say', () => {
    const paths =
      'id fan.id created_at is_active clicks photos_count price_gross state converted_to_video text';
    expect(makeColumns(paths).map(({ header, as }) => `${header}: ${as}`)).toEqual([
      'id: whole',
      'fan: whole',
      'created: instant',
      'active: flag',
      'clicks: number',
      'photos: number',
      'price (gross): money',
      'state: whole',
      'converted to video: flag',
      'text: text',
    ]);
  });

  it('have what their name does not say in cells', () => {
    const cells = { email: 'address', url: { none: '-', as: 'whole' } } as const;
    expect(makeColumns('email url', cells)).toEqual([
      { path: 'email', header: 'address', as: 'text' },
      { path: 'url', header: 'url', as: 'whole', none: '-' },
    ]);
    expect(makeColumns('')).toEqual([]);
  });

  it.each(LIST_NAMES)('%s: every cell belongs to a column, and no heading is shown twice', (name) => {
    const { columns, more, operation } = LIST_COMMANDS[name];
    const all = [...columns, ...more];
    const headers = columns.map(({ header }) => header);
    expect(headers).toEqual([...new Set(headers)]);
    const paths = all.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(Object.keys(rowOf(operation).list?.cells ?? {})));
  });
});
