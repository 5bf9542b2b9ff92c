import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { renderTable } from '../../src/render/table.ts';

const WIDE = { colour: false, width: 80 };

describe('a table', () => {
  test('aligns its columns, numbers to the right; without rows it is its header, and missing cells are empty', () => {
    const columns = [{ header: 'NAME' }, { header: 'SENDS', align: 'right' as const }, { header: 'STATUS' }];
    const rows = [
      ['Welcome', '7', 'active'],
      ['Old', '12345', 'paused'],
    ];
    expect(renderTable(columns, rows, WIDE)).toBe(
      'NAME     SENDS  STATUS\nWelcome      7  active\nOld      12345  paused\n',
    );
    expect(renderTable([{ header: 'A' }, { header: 'B' }], [], WIDE)).toBe('A  B\n');
    expect(renderTable([{ header: 'A' }, { header: 'B' }], [['1'], []], WIDE)).toBe('A  B\n1\n\n');
  });

  test('counts wide characters and emoji as the terminal does', () => {
    const rows = [
      ['最高', 'x'],
      ['👩‍👩‍👧', 'x'],
      ['👍🏽🇩🇪', 'x'],
      ['é', 'x'],
    ];
    const text = renderTable([{ header: 'N' }, { header: 'V' }], rows, WIDE);
    for (const line of text.trimEnd().split('\n')) expect(stringWidth(line)).toBe(7);
  });
});

describe('a table that is wider than the terminal', () => {
  const columns = [
    { header: 'id', whole: true },
    { header: 'name' },
    { header: 'sent (first message)', align: 'right', whole: true },
  ] as const;
  const rows = [['9999999999999970', 'A name of some length', '1200']];
  const drawn = (width: number) => renderTable(columns, rows, { colour: false, width });

  test('breaks its headings and never shortens an id or a number', () => {
    expect(drawn(40)).toBe(
      [
        '                                    sent',
        '                                  (first',
        'id                name          message)',
        '9999999999999970  A name of…        1200',
        '',
      ].join('\n'),
    );
  });

  test('draws each row for itself where too little of it would be left', () => {
    const two = [...rows, ['101', '', '7']];
    expect(renderTable(columns, two, { colour: false, width: 36 })).toBe(
      [
        'id: 9999999999999970',
        'name: A name of some length',
        'sent (first message): 1200',
        '',
        'id: 101',
        'name: -',
        'sent (first message): 7',
        '',
      ].join('\n'),
    );
  });

  test('puts the values below each other where there is space for that', () => {
    const many = [...columns, { header: 'audience', whole: true }] as const;
    const row = [...(rows[0] ?? []), 'every fan who has paid at least once'];
    expect(renderTable(many, [row], { colour: false, width: 60 })).toBe(
      [
        'id                    9999999999999970',
        'name                  A name of some length',
        'sent (first message)  1200',
        'audience              every fan who has paid at least once',
        '',
      ].join('\n'),
    );
  });
});
