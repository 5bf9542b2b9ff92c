import { describe, expect, it } from 'vitest';
import { digestText, isStoredAs, isTextDigest, plainText } from '../../src/domain/text.ts';
import { fc } from '../helpers/properties.ts';

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('Hey', 'Hey\n', 'é', 'e\u0301'),
);

describe('a digest in place of a text', () => {
  // CONTENT-12
  it('is the same exactly for texts that are compared as equal', () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const isEqual = plainText(left) === plainText(right);
        expect(isStoredAs(digestText(left), right)).toBe(isEqual || digestText(left) === right);
      }),
    );
  });

  it('is made from a text, and does not contain it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const stored = digestText(text);
        expect(isTextDigest(stored)).toBe(true);
        expect(isTextDigest(text)).toBe(false);
        expect(isStoredAs(text, text)).toBe(true);
      }),
    );
  });
});
