import { describe, expect, it } from 'vitest';
import { KeyedDigest } from '../../src/host/keyed-digest.ts';
import { fc } from '../helpers/properties.ts';

const KEY = Buffer.alloc(32, 7);

function digestOf(pieces: readonly Uint8Array[], key: Uint8Array = KEY, expected?: string): string {
  const digest = new KeyedDigest(key, expected);
  for (const piece of pieces) digest.update(piece);
  return digest.digest();
}

describe('a digest that is made with a key', () => {
  it('is that of the bytes, however they are cut into pieces', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (bytes, cut) => {
        const place = cut % bytes.length;
        const pieces = [bytes.subarray(0, place), bytes.subarray(place)];
        const whole = digestOf([bytes]);
        expect(digestOf(pieces, KEY, whole)).toBe(whole);
      }),
    );
  });

  it('is another one after any byte has changed', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, place, change) => {
          const whole = digestOf([bytes]);
          const changed = Uint8Array.from(bytes);
          const at = place % bytes.length;
          changed[at] = (changed[at] ?? 0) ^ change;
          expect(digestOf([changed], KEY, whole)).not.toBe(whole);
        },
      ),
    );
  });

  it('cannot be made without the key', () => {
    const whole = digestOf([Buffer.from('three lines')]);
    expect(digestOf([Buffer.from('three lines')], Buffer.alloc(32, 8), whole)).not.toBe(whole);
  });

  it('has a nonce of its own each time', () => {
    const bytes = [Buffer.from('three lines')];
    expect(digestOf(bytes)).not.toBe(digestOf(bytes));
  });
});
