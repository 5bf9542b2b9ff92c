import { afterAll, describe, expect, test, vi } from 'vitest';
import { Composer, LineCounter, parseDocument, visit } from 'yaml';
import { unprintableOffset } from '../../src/workspace/text.ts';
import { readYaml, YAML_OPTIONS } from '../../src/workspace/yaml.ts';
import { Dice } from '../chaos/dice.ts';
import { mutateText } from '../fuzz/mutate.ts';
import { fc, runs } from '../helpers/properties.ts';
import { BROADCAST, CAMPAIGN, WORKSPACE } from './declare.ts';

const compose = vi.spyOn(Composer.prototype, 'compose');
afterAll(() => compose.mockRestore());

/** The value of a text that is read from its tokens, and where its maps and lists begin. Null if the library has read it. */
function read(text: string) {
  compose.mockClear();
  const { source } = readYaml('a.yaml', text);
  if (source === null || compose.mock.calls.length > 0) return null;
  const list = (value: unknown, path: readonly (string | number)[]): unknown[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { line, column } = source.placeOf(path);
    const items = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return [`${line}:${column}`, ...items.flatMap(([key, item]) => list(item, [...path, key]))];
  };
  const found = { value: source.value, places: list(source.value, []) };
  expect(compose, text).not.toHaveBeenCalled();
  return found;
}

/** What the library makes of a text. Null if anything is wrong with it. */
function parse(text: string) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...YAML_OPTIONS, lineCounter });
  if (document.errors.length + document.warnings.length > 0) return null;
  const places: string[] = [];
  visit(document, {
    Collection: (_key, { range }) => {
      const { line, col } = lineCounter.linePos(range?.[0] ?? 0);
      places.push(`${line}:${col}`);
    },
  });
  return { value: document.toJS() as unknown, places };
}

const LONG = `# A campaign.
accounts: [ alice, "bob" , 'vip' ]
campaigns:

  - name: Hello # said first
    status : paused
    rules: { min: 1, max: -0.5e3, hex: 0x1F, octal: 0o17, on: off, yes: True, none: ~, "quoted": null }
    empty:
    audience: []
    more: {}
    messages:
    - text: |
        Two lines,
          and a third.

      price: 9.99
    -
      text: >-
        folded
        text
    - text: plain text
        over two lines
    - "double \\"quoted\\" \\u00e9"
    - 'single ''quoted'''
    - - nested
      - list
    -
# The end.
`;
/** The same without the one key that is left to the library. */
const PLAIN = LONG.replace('"quoted": null', 'quoted: null');

describe('a text that is written as most are', () => {
  test.each([
    CAMPAIGN,
    BROADCAST,
    WORKSPACE,
    'a: 1',
    '- a\n- b: [1, [2, { c: d }]]\n',
    '{ a: [], b: { c: } }',
  ])('%j is read as the library reads it', (text) => {
    expect(read(text)).toEqual(parse(text));
    expect(read(text)).not.toBeNull();
  });

  test('keys of every kind are left to the library, and nothing else of a long text', () => {
    expect(read(LONG)).toBeNull();
    expect(read(PLAIN)?.value).toEqual(parse(LONG)?.value);
  });
});

test.each([
  ['a tab', 'a:\t1'],
  ['a line end of Windows', 'a: 1\r\n'],
  ['a key that is a number', '101: a'],
  ['a key that means nothing', 'null: a'],
  ['a key twice in brackets', '{ a: 1, a: 2 }'],
  ['a comment that may be text', 'a: Use code #SAVE20'],
  ['a comment without a space before it', 'a: "b"#c'],
  ['a letter of another script', 'a: p\u0430ypal'],
  ['a wrong bracket', 'a: [1}'],
  ['a missing comma', 'a: [{ b: 1 } { c: 2 }]'],
  ['an empty place', 'a: [1, , 2]'],
  ['a comma at the start', 'a: [, 1]'],
  ['a pair in a list', 'a: [b: 1]'],
  ['a word in a map', '{ a }'],
  ['a map on the line of its key', 'a: b: 1'],
  ['a list on the line of its key', 'a: - 1'],
  ['a map without braces in braces', '{ a: b: { c: 1 } }'],
  ['a wrong indentation', 'a:\n    b: 1\n  c: 2'],
  ['a key without a colon', 'a: 1\nb'],
  ['a key over two lines', '"a\n b": 1'],
  ['a text that is not closed', 'a: "b'],
  ['a sign that begins no text', 'a: @b'],
  ['a list with another value', '- a\nb'],
])('%s is left to the library', (_, text) => {
  expect(read(text)).toBeNull();
});

describe('a text that was changed anywhere', () => {
  const seeds = fc.tuple(fc.constantFrom(CAMPAIGN, BROADCAST, WORKSPACE, PLAIN), fc.integer());
  const change = ([text, seed]: [string, number]) => mutateText(text, new Dice(seed));

  test('is read as the library reads it, or left to it', () => {
    let plainly = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const text = change(seed);
        const plain = read(text);
        if (plain === null) return;
        plainly += 1;
        // A mark at the start has no column in a message.
        expect(plain, text).toEqual(parse(text.replace(/^\uFEFF/, '')));
      }),
      runs(3_000),
    );
    expect(plainly).toBeGreaterThan(100);
  });

  // A tab in a comment leaves the same text to the library, with all that is checked on its nodes.
  test('has no findings if it is read without nodes', () => {
    let plainly = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const text = change(seed).replace(/\n*$/, '\n');
        const plain = read(text);
        if (plain === null || unprintableOffset(text) !== -1) return;
        plainly += 1;
        const { source, diagnostics } = readYaml('a.yaml', `${text}#\t\n`);
        expect({ value: source?.value, diagnostics }, text).toEqual({ value: plain.value, diagnostics: [] });
      }),
      runs(1_000),
    );
    expect(plainly).toBeGreaterThan(30);
  });
});
