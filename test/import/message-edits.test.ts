import { describe, expect, it } from 'vitest';
import { EditableFile, type Edit } from '../../src/import/editable-file.ts';
import { messageEdits } from '../../src/import/message-edits.ts';
import { fc } from '../helpers/properties.ts';

const asIs = { write: (_typed: string, live: string) => live, intoFile: () => false };

/** Edits between two sequences of texts, and what they make of a file. */
function between(
  typed: readonly string[],
  live: readonly string[],
): { edits: readonly Edit[]; texts: unknown } {
  const said = (texts: readonly string[]) => texts.map((text) => ({ text }));
  const messageKeys = (left: number, right: number) => (typed[left] === live[right] ? [] : ['text']);
  const edits = messageEdits(said(typed), said(live), { messageKeys }, asIs);
  const file = new EditableFile(JSON.stringify({ campaigns: [{ name: 'A', messages: said(typed) }] }));
  file.apply({ line: 1, column: 15 }, edits);
  return { edits, texts: new EditableFile(file.toText()).all() };
}

describe('edits of a sequence', () => {
  it('insert one in the middle without touching the others', () => {
    expect(between(['a', 'b'], ['a', 'new', 'b']).edits).toEqual([
      { op: 'insert', path: ['messages', 1], value: { text: 'new' } },
    ]);
  });

  it('take one away without touching the others', () => {
    expect(between(['a', 'b', 'c'], ['a', 'c']).edits).toEqual([{ op: 'delete', path: ['messages', 1] }]);
  });

  it('always end in what is live', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(texts, texts, (typed, live) => {
        const wanted = [{ name: 'A', messages: live.map((text) => ({ text })) }];
        expect(between(typed, live).texts).toEqual(wanted);
      }),
    );
  });
});
