import { expect, test } from 'vitest';
import { readColumn } from '../../src/render/rows.ts';

test('a value is found by its path, in lists too, and never among what every object has', () => {
  const item = { fan: { id: '7' }, messages: [{ text: 'Hi' }], none: null };
  const read = (path: string) => readColumn(item, { path });
  expect(['fan.id', 'messages.0.text', 'messages.length'].map(read)).toEqual(['7', 'Hi', 1]);
  for (const path of ['fan.name', 'constructor', 'fan.id.x', 'toString', 'none.id'])
    expect(read(path)).toBeUndefined();
});
