import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LineCounter, parseAllDocuments, Parser } from 'yaml';
import { describe, expect, it } from 'vitest';
import { toEager } from '../../scripts/eager-yaml.js';
import { fc, runs } from '../helpers/properties.ts';

/** The package as it is published; the import above goes through the transformation. */
const published = createRequire(import.meta.url)('yaml') as {
  readonly LineCounter: typeof LineCounter;
  readonly Parser: typeof Parser;
  readonly parseAllDocuments: typeof parseAllDocuments;
};

/** Everything that a text comes to: lines, tokens, and documents with their errors. */
function readBy(yaml: typeof published, text: string) {
  const lines = new yaml.LineCounter();
  const tokens = [...new yaml.Parser(lines.addNewLine).parse(text)];
  const documents = yaml.parseAllDocuments(text, { uniqueKeys: false }).map((document) => ({
    value: String(document.contents),
    range: document.range,
    errors: document.errors.map(({ code, message, pos }) => ({ code, message, pos })),
    warnings: document.warnings.map(({ code, message, pos }) => ({ code, message, pos })),
  }));
  return { lines: lines.lineStarts, tokens, documents };
}

function expectSame(text: string): void {
  expect(readBy({ LineCounter, Parser, parseAllDocuments }, text)).toEqual(readBy(published, text));
}

const ODD = [
  '',
  '\uFEFFa: 1',
  '# only a comment\n',
  '---\na: 1\n...\n---\nb: 2\n',
  '%YAML 1.2\n---\na: 1\n',
  '%YAML 1.1 # old\n%TAG ! tag:example.com,2000:\n--- !x\n- &a 1\n- *a\n',
  '%BROKEN\na: 1\n',
  'a: |\n  one\n\n  two\nb: >-\n    folded\n    more\nc: |2+\n   kept\n\n',
  "a: \"double \\\" \\n quoted\n  over lines\"\nb: 'it''s'\n",
  'a: [1, {b: c, "d": e}, [f], ]\nb: {a, b: , ? c : d}\n',
  '? complex\n: key\n? - in\n  - list\n: - value\n',
  '- - - nested\n    - here\n  - there\n-\n  a:\n  - b\n',
  'a:\n\tb: tab\n',
  'a: b: c\n',
  'a: [1, 2\nb: 3\n',
  '"unterminated\n',
  "'unterminated",
  'a: {b: c\n',
  'key: !!str 1\nset: !!set { a, b }\n<<: *missing\n',
  'a\r\nb: c\r\n- d\r',
  'a: b\n c: d\n  - e\n f\n',
  '&a a: *a\n*b : c\n',
  '@bad\n`bad\n%bad: x\n',
  '--- |\n text\n--- >\n text\n...\n# end\n',
  'a: ]\n}: b\n[: c\n',
  '"": [[[[[[{{{{}}}}]]]]]]\n',
];

const STRUCTURE = [
  'a',
  'key',
  ': ',
  ':',
  '- ',
  '-',
  '? ',
  '\n',
  '\n  ',
  '\n    ',
  '\r\n',
  ' ',
  '\t',
  '[',
  ']',
  '{',
  '}',
  ',',
];
const MARKS = [
  '"',
  "'",
  '|',
  '>',
  '|-\n  ',
  '&x ',
  '*x',
  '!t ',
  '# c',
  '---',
  '\n---\n',
  '...',
  '%YAML 1.2\n',
  '\\',
  '\uFEFF',
];
const SCALARS = ['1', 'true', '~', 'é', '😀', '`', '@', '=', '<<', '\u0085', '\u2028'];

/** What YAML is made of. */
const PIECES = [...STRUCTURE, ...MARKS, ...SCALARS];

describe('yaml without its generators', () => {
  it.each(ODD)('reads %j as the published package does', expectSame);

  it('reads the examples as the published package does', () => {
    const files = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.ya?ml$/.test(path),
    );
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expectSame(readFileSync(join('examples', file), 'utf8'));
  });

  it('reads any text as the published package does', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) =>
        expectSame(pieces.join('')),
      ),
      runs(700),
    );
  });

  it('is refused where the package is not what the transformation knows', () => {
    expect(() => toEager('export class Lexer { lex() {} }')).toThrow('no generator');
    expect(() => toEager('class Parser {\n    *parse() {\n        yield 1;\n    }\n}')).toThrow(
      'another way',
    );
    expect(() => toEager('class Lexer {\n    *lex() {\n        const x = yield 1 * 2;\n    }\n}')).toThrow(
      'is left',
    );
  });
});
