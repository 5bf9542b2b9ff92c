import { describe, expect, it } from 'vitest';
import { isCutShort } from '../../src/ledger/cut-short.ts';
import { anIntent, textOf } from '../helpers/ledger-builders.ts';

const LINE = textOf([anIntent()]).trimEnd();

describe('a line that a crash cut short', () => {
  it('is known wherever it was cut', () => {
    const kept: number[] = [];
    for (let length = 1; length < LINE.length; length += 1)
      if (!isCutShort(LINE.slice(0, length))) kept.push(length);
    expect(kept.map((length) => LINE.slice(length - 3, length))).toEqual([]);
  });

  it('is known also where it was cut within an escape', () => {
    const line = textOf([anIntent({ name: 'Say "hi" \\ \u0001\n\\' })]).trimEnd();
    const kept: number[] = [];
    for (let length = 1; length < line.length; length += 1)
      if (!isCutShort(line.slice(0, length))) kept.push(length);
    expect(kept.map((length) => line.slice(length - 7, length))).toEqual([]);
  });

  it('is known also with zeros after it, or as zeros alone, as after a loss of power', () => {
    const zeros = '\u0000'.repeat(40);
    expect([zeros, LINE.slice(0, 60) + zeros].map(isCutShort)).toEqual([true, true]);
  });

  it.each([
    ['a whole line', LINE],
    ['an escape that no line has', `${LINE.slice(0, LINE.indexOf('"name":"') + 8)}\\u00zz`],
    ['a mark of a merge', '<<<<<<< ours'],
    ['a line that swallowed another one', LINE.slice(0, 40) + LINE],
    ['a line with an end that was cut off in the middle', LINE.slice(0, 40) + LINE.slice(60)],
    ['a line of a later version', LINE.replace('"v":1', '"v":2').slice(0, 60)],
    ['an empty line', ''],
    ['zeros in front of a whole line', '\u0000'.repeat(40) + LINE],
  ])('is not %s', (_name, text) => {
    expect(isCutShort(text)).toBe(false);
  });
});
