import { parse as parseSlowly } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/api/json.ts';
import { anyText, fc, runs } from '../helpers/properties.ts';

/** Exactly what is promised, by the slow way alone. */
const reference = (text: string) =>
  parseSlowly(text, null, {
    parseNumber: (digits) => {
      const exact = /^-?\d+$/.test(digits) ? BigInt(digits) : null;
      return exact === null || Number.isSafeInteger(Number(digits)) ? Number(digits) : exact;
    },
    onDuplicateKey: ({ newValue }) => newValue,
  });

const whole = fc.oneof(
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: 10n ** 14n, max: 10n ** 17n }),
  fc.integer(),
);
const number = fc.oneof(
  whole.map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.tuple(whole, fc.nat()).map(([left, right]) => `${left}.${right}`),
  fc.tuple(fc.integer(), fc.integer({ min: -400, max: 400 })).map(([base, power]) => `${base}e${power}`),
  fc.constantFrom('-0', '0', '1e400', '-1E+400', '1e-400', '9007199254740991', '9007199254740992'),
);
const words = fc.oneof(
  fc.string(),
  anyText(),
  fc.stringMatching(/^[\\"{}[\]:, 0-9-]*$/),
  whole.map((value) => `, ${value}`),
);
const space = fc.constantFrom('', ' ', '\n', '\t\r\n ');

/** Texts of JSON: numbers as anybody might write them, strings full of what looks like something else. */
const { text } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      number,
      words.map((word) => JSON.stringify(word)),
      fc.constantFrom('true', 'false', 'null'),
    ),
    fc
      .tuple(space, fc.array(tie('text')))
      .map(([gap, items]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`),
    fc
      .tuple(space, fc.array(fc.tuple(words, tie('text'))))
      .map(([gap, members]) => members.map(([key, value]) => `${JSON.stringify(key)}${gap}:${gap}${value}`))
      .map((members) => `{${members.join(',')}}`),
  ),
}));

describe('parsing JSON', () => {
  it('gives the same whichever parser does it', () => {
    fc.assert(
      fc.property(text, (json) => {
        expect(parseJson(json)).toStrictEqual(reference(json));
      }),
      runs(300),
    );
  });

  it('refuses what is not JSON, whichever parser does it', () => {
    const broken = fc.tuple(text, fc.nat(), fc.nat()).map(([json, from, length]) => {
      const start = from % (json.length + 1);
      return json.slice(0, start) + json.slice(start + (length % 4) + 1);
    });
    fc.assert(
      fc.property(broken, (json) => {
        try {
          JSON.parse(json);
        } catch {
          expect(() => parseJson(json)).toThrow(SyntaxError);
          return;
        }
        expect(() => parseJson(json)).not.toThrow();
      }),
      runs(300),
    );
  });

  it('takes the last of a member that stands twice, next to a long number as well', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(parseJson('{"a":1,"a":2,"b":9007199254740993}')).toEqual({ a: 2, b: 9_007_199_254_740_993n });
  });

  it('gives up on nesting that nothing could walk', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
      expect(() => parseJson(nested(200))).not.toThrow();
      expect(() => parseJson(nested(100_000))).toThrow(RangeError);
    }
  });
});
