import { describe, expect, it } from 'vitest';
import { bothDiffer, madeAs } from '../../src/domain/made-as.ts';

/** The fingerprint of a name and a text that have letters. */
function made(name: string, text: string): number {
  const print = madeAs(name, text);
  if (print === null) throw new Error('it has no letters');
  return print;
}

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
