import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIAGNOSTIC_CODES, ERROR_CODES } from '../../src/domain/codes.ts';
import { splitCode } from '../../src/domain/value-shapes.ts';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('codes.ts'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));
const source = files.map(({ text }) => text).join('\n');

describe.each([
  ['findings', DIAGNOSTIC_CODES],
  ['errors', ERROR_CODES],
])('the codes of %s', (_what, codes: readonly string[]) => {
  it('are sorted, each once', () => {
    expect(codes).toEqual([...new Set(codes)].toSorted());
  });

  it('are all in use', () => {
    expect(codes.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });
});

/** Print with the code, after the code was put into a document, as a wrong command line, or without stdout. */
const PRINTERS = ['cli.ts', 'cli/findings.ts', 'cli/program.ts', 'cli/run-program.ts', 'cli/print-rows.ts'];

it('a printed message has a code: only these files write the word before it', () => {
  const printers = files.filter(({ text }) => /`(?:warning|error|note): /.test(text));
  expect(printers.map(({ path }) => path).toSorted()).toEqual(PRINTERS.toSorted());
});

it.each(['Invalid input', 'not-a-code: of this table', 'invalid-id', ': invalid-id'])(
  'a message of a shape that is "%s" has no code',
  (message) => expect(splitCode(message)).toBeNull(),
);
