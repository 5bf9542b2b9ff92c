import { describe, expect, it } from 'vitest';
import type { ListColumn } from '../../src/domain/list-column.ts';
import { cellText, valueAt } from '../../src/render/cells.ts';

const BIG = 9_007_199_254_740_993_123n;
const text = (value: unknown, column: Partial<ListColumn> = {}) => cellText(value, { path: 'x', ...column });

describe('a cell', () => {
  // READ-7
  it.each<[unknown, ListColumn['as'], string]>([
    ['plain', 'text', 'plain'],
    [null, 'text', 'n/a'],
    [undefined, 'money', 'n/a'],
    [12, 'money', '12.00'],
    [0.1 + 0.2, 'money', '0.30'],
    [1.005, 'money', '1.005'],
    ['twelve', 'money', 'twelve'],
    [BIG, 'money', '9007199254740993123'],
    [BIG, 'text', '9007199254740993123'],
    ['2026-11-01T08:00:00.000+02:00', 'instant', '2026-11-01T06:00:00Z'],
    ['2026-11-01T06:00:00.120Z', 'instant', '2026-11-01T06:00:00Z'],
    ['2026-11-01', 'instant', '2026-11-01'],
    ['2026-99-01T06:00:00Z', 'instant', '2026-99-01T06:00:00Z'],
    [1_700_000_000, 'instant', '1700000000'],
    [true, 'flag', 'yes'],
    [false, 'flag', 'no'],
    ['maybe', 'flag', 'maybe'],
    [0.35, 'number', '0.35'],
    [['1', '2'], 'text', '1, 2'],
    [{ id: BIG }, 'text', '{"id":9007199254740993123}'],
    [[], 'audience', 'everyone'],
    ['all', 'audience', 'all'],
  ])('%s as %s is %s', (value, as = 'text', expected) => {
    expect(text(value, { as })).toBe(expected);
  });

  // READ-5
  it('says what null and zero stand for where they are not figures', () => {
    expect(text(null, { as: 'instant', none: 'never' })).toBe('never');
    expect(text(0, { as: 'number', zero: 'no limit' })).toBe('no limit');
    expect(text(0, { as: 'number' })).toBe('0');
  });

  it('shows whom filters reach, and what the service does not say', () => {
    const filters = [
      { kind: 'subscribed_date', mode: 'include', options: { from_at: '2026-05-01T00:00:00Z', to_at: null } },
      { kind: 'fan_lists', mode: 'exclude', options: { lists: [{ id: '7' }, { id: '8' }], other: 3 } },
      { kind: null, mode: 'include', options: {} },
      'odd',
    ];
    expect(text(filters, { as: 'audience' })).toBe(
      'include subscribed_date from 2026-05-01T00:00:00Z; exclude fan_lists lists 7, 8 other 3; ' +
        'include unnamed kind (the service returns no more); "odd"',
    );
  });

  it('is found by its path, in lists too, and never among what every object has', () => {
    const item = { fan: { id: '7' }, messages: [{ text: 'Hi' }] };
    expect(valueAt(item, 'fan.id')).toBe('7');
    expect(valueAt(item, 'messages.0.text')).toBe('Hi');
    expect(valueAt(item, 'messages.length')).toBe(1);
    for (const path of ['fan.name', 'constructor', 'fan.id.x', 'toString'])
      expect(valueAt(item, path)).toBeUndefined();
    expect(valueAt(null, 'fan.id')).toBeUndefined();
  });
});
