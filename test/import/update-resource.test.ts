import { expect, it } from 'vitest';
import { isMap, parseDocument } from 'yaml';
import { updateResource } from '../../src/import/update-resource.ts';
import { fc } from '../helpers/properties.ts';

const asIs = { write: (_written: string, live: string) => live, intoFile: () => false };

/** What an update between two sequences of texts makes of a file. */
function between(written: readonly string[], live: readonly string[]): string {
  const document = parseDocument(
    `messages:\n${written.map((text) => `  - text: ${text} # ${text}\n`).join('')}`,
  );
  const messageKeys = (left: number, right: number) => (written[left] === live[right] ? [] : ['text']);
  const form = { messages: live.map((text) => ({ text })) };
  const { contents } = document;
  if (!isMap(contents)) throw new TypeError('not a map');
  updateResource(contents, { form, paths: ['messages.length'], status: undefined, messageKeys }, asIs);
  return document.toString();
}

it('inserts a message in the middle, with the comments of the others', () => {
  expect(between(['a', 'b'], ['a', 'new', 'b'])).toBe(
    'messages:\n  - text: a # a\n  - text: new\n  - text: b # b\n',
  );
});

it('takes one away, with the comments of the others', () => {
  expect(between(['a', 'b', 'c'], ['a', 'c'])).toBe('messages:\n  - text: a # a\n  - text: c # c\n');
});

it('always ends in what is live', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(texts, texts, (written, live) => {
      const messages: unknown = parseDocument(between(written, live)).toJS();
      expect(messages).toEqual({ messages: live.map((text) => ({ text })) });
    }),
  );
});
