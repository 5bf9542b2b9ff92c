import { expect, it } from 'vitest';
import { EditableFile, type Edit } from '../../src/import/editable-file.ts';

/** The file after edits of the resource with the name on `line`. */
function edited(text: string, line: number, column: number, edits: readonly Edit[]): string {
  const file = new EditableFile(text);
  file.apply({ line, column }, edits);
  return file.toText();
}

it('keeps every byte of a file without a change', () => {
  const text = `accounts:   [ a,b ]   # odd\r\ncampaigns: [ {name: 'x'} ]`;
  expect(new EditableFile(text).toText()).toBe(text);
});

it('puts a new key where people look for it', () => {
  const text = 'campaigns:\n  - name: A\n    trigger: t   # why\n    messages: []\n';
  const edits: Edit[] = [
    { op: 'set', path: ['status'], value: 'paused' },
    { op: 'set', path: ['audience'], value: 'everyone' },
  ];
  expect(edited(text, 2, 5, edits)).toBe(
    'campaigns:\n  - name: A\n    status: paused\n    trigger: t   # why\n    audience: everyone\n    messages: []\n',
  );
});

it('keeps folded texts of other resources as they are folded', () => {
  const other =
    '  - name: B\n    messages:\n      - text: >-\n          one\n          two\n\n          three\n';
  const text = `campaigns:\n${other}  - name: A\n    messages:\n      - text: "x"\n`;
  expect(edited(text, 9, 5, [{ op: 'set', path: ['messages', 0, 'text'], value: 'y' }])).toBe(
    text.replace('"x"', '"y"'),
  );
});

it('fits new lines into an indentation of the author’s own', () => {
  const text = 'campaigns:\n-   name: A\n    messages:\n    -   text: one\n    -   text: two\n';
  const after = edited(text, 2, 5, [{ op: 'insert', path: ['messages', 1], value: { text: 'between' } }]);
  expect(new EditableFile(after).all()).toEqual([
    { name: 'A', messages: [{ text: 'one' }, { text: 'between' }, { text: 'two' }] },
  ]);
});

it('reads nothing of a resource that shares a part with another', () => {
  const text =
    'campaigns:\n  - name: A\n    messages: &m [{ text: x }]\n  - name: B\n    messages: *m\n  - name: C\n';
  const file = new EditableFile(text);
  expect(file.read({ line: 2, column: 5 })).toBeNull();
  expect(file.read({ line: 4, column: 5 })).toBeNull();
  expect(file.read({ line: 6, column: 5 })).toEqual({ name: 'C' });
});
