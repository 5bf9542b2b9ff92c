import { describe, expect, it } from 'vitest';
import { bothDiffer, madeAs } from '../../src/domain/made-as.ts';
import { fc } from '../helpers/properties.ts';

/** The fingerprint of a name and a text that have letters. */
function made(name: string, text: string): number {
  const print = madeAs(name, text);
  if (print === null) throw new Error('it has no letters');
  return print;
}

/** The half of a text, of its letters and digits in their Unicode form. */
function halfOf(text: string): number {
  const letters = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
  let hash = 0;
  for (let at = 0; at < letters.length; at += 1)
    hash = Math.imul(hash ^ letters.charCodeAt(at), 2_654_435_761);
  return (hash ^ (hash >>> 16)) & 0x7f_ff;
}

const ODD_TOGETHER = [
  'e',
  'É',
  'ß',
  '×',
  'Ω',
  '1',
  ' ',
  '\u0301',
  '\u0327',
  '\u200d',
  '\ufe0f',
  '\u20e3',
  '🌸',
  '🅰',
  '🈚',
  '❶',
  '™',
  '…',
  '”',
  '\u1100',
  '\u1161',
  '\ud83c',
  '\udf38',
];

describe('the fingerprint of a name and a text', () => {
  it.each([
    ['other spaces and line ends', 'Welcome  back', 'Hey,\r\nyou! '],
    ['other marks', '“Welcome” back', 'Hey… you'],
    ['other cases', 'WELCOME BACK', 'hey you'],
  ])('is the same with %s', (_, name, text) => {
    expect(made(name, text)).toBe(made('Welcome back', 'Hey you'));
  });

  it('is the same in every Unicode form', () => {
    expect(made('Caf\u00e9', 'Hey')).toBe(made('Cafe\u0301', 'Hey'));
    expect(made('Привет', 'Мир')).not.toBe(made('Пока', 'Мир'));
  });

  it('is what each character comes to in its Unicode form', () => {
    for (let code = 0; code < 0x2_00_00; code += 1) {
      const text = `a${String.fromCodePoint(code)}b`;
      if ((made('Welcome', text) & 0x7f_ff) !== halfOf(text)) expect.fail(`U+${code.toString(16)}`);
    }
  });

  it('is so, too, of characters that change each other', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ODD_TOGETHER)), (characters) => {
        const text = `a${characters.join('')}`;
        expect(made('Welcome', text) & 0x7f_ff).toBe(halfOf(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('says so only where name and text both differ', () => {
    const was = made('Welcome', 'Hey');
    expect(bothDiffer(was, made('Welcome', 'Hey'))).toBe(false);
    expect(bothDiffer(was, made('Goodbye', 'Hey'))).toBe(false);
    expect(bothDiffer(was, made('Welcome', 'Bye'))).toBe(false);
    expect(bothDiffer(was, made('Goodbye', 'Bye'))).toBe(true);
  });

  it.each([
    [null, 'Hey'],
    ['Welcome', undefined],
    ['Welcome', ''],
    ['…', 'Hey'],
    ['Welcome', '🎉 🎉'],
  ])('is not known of %j and %j', (name, text) => {
    expect(madeAs(name, text)).toBeNull();
  });

  it('is a small number, also of long texts', () => {
    expect(made('n'.repeat(1_000), 't'.repeat(100_000))).toBeLessThan(2 ** 30);
  });
});
