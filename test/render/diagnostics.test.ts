import { describe, expect, test } from 'vitest';
import type { PrintedDiagnostic } from '../../src/domain/diagnostic.ts';
import { FindingList } from '../../src/render/diagnostics.ts';

const PLAIN = { colour: false, width: Number.POSITIVE_INFINITY };

const TYPED = { severity: 'error', code: 'unknown-key', file: 'b.yaml', column: 3 } as const;
const BUSY = { severity: 'warning', code: 'busy-hour', message: 'Four broadcasts share one hour.' } as const;
const UNKNOWN = { ...TYPED, message: 'There is not a key "audience_filter".', line: 10 };

const FINDINGS: readonly PrintedDiagnostic[] = [
  { ...BUSY, file: 'a.yaml', line: 2, column: 1 },
  UNKNOWN,
  { ...TYPED, message: 'There is not a key "texts".', line: 9 },
  { severity: 'info', code: 'unverifiable', message: 'Names are not returned.', address: 'alice/campaign/A' },
];

test('a finding is broken between words, and its place stays whole; one that is on several accounts is read once', () => {
  const drawn = new FindingList([UNKNOWN]).drawLines({ ...PLAIN, width: 60 });
  expect(drawn).toBe('b.yaml:10:3: unknown-key: There is not a key\n  "audience_filter".\n1 error\n');
  const place = { file: 'a.yaml', line: 2, column: 1 };
  const onEach = ['alice', 'bob', 'carol'].map((account) => ({
    ...BUSY,
    ...place,
    address: `${account}/broadcast/A`,
  }));
  expect(new FindingList(onEach).drawLines(PLAIN)).toBe(
    'a.yaml:2:1: busy-hour: Four broadcasts share one hour. (3 times)\n3 warnings\n',
  );
});

test('findings stand one to a line, errors first, then their count; none are not text', () => {
  expect(new FindingList(FINDINGS).drawLines(PLAIN)).toBe(
    `b.yaml:9:3: unknown-key: There is not a key "texts".
b.yaml:10:3: unknown-key: There is not a key "audience_filter".
a.yaml:2:1: busy-hour: Four broadcasts share one hour.
alice/campaign/A: unverifiable: Names are not returned.
2 errors, 1 warning, 1 note
`,
  );
  expect(new FindingList([]).drawLines(PLAIN)).toBe('');
});

describe('the line of a finding', () => {
  const below = (text: string, column: number) =>
    new FindingList([{ severity: 'error', code: 'x', message: 'no', file: 'a.yaml', line: 2, column }])
      .drawLines(PLAIN, new Map([['a.yaml', ['first', text]]]))
      .split('\n')
      .slice(1, -2);

  test.each([
    ['    price_gross: "9"', 18, '  2 |     price_gross: "9"', '    |                  ^'],
    // A wide character before the place takes its columns.
    ['最高: x', 5, '  2 | 最高: x', '    |       ^'],
    ['a: \u001b[2J', 4, '  2 | a: \\u{1b}[2J', '    |    ^'],
  ])('is shown with a mark below its column: %s', (text, column, ...lines) => {
    expect(below(text, column)).toEqual(lines);
  });

  test('is the part around the place, if it is long', () => {
    const [line = '', mark = ''] = below(`${'a'.repeat(500)}HERE${'b'.repeat(500)}`, 501);
    expect(line.length).toBeLessThan(150);
    expect(line.slice(mark.indexOf('^'), mark.indexOf('^') + 4)).toBe('HERE');
  });

  test.each(['   ', 'url: https://me:secret@api.example'])(
    'is not shown if it is empty or secret: %s',
    (text) => {
      expect(below(text, 1)).toEqual([]);
    },
  );
});

test('findings of files fit into a comment, so that an earlier plan does not stay there', () => {
  const message = '|'.repeat(600);
  const all = Array.from(
    { length: 60 },
    (_, at) => ({ severity: 'error', code: `c${at}`, message }) as const,
  );
  const text = new FindingList(all).drawComment('Title', '', 65_536);
  expect(Buffer.byteLength(text)).toBeLessThan(65_536);
  expect(text).toMatch(/- … and \d\d more/);
});
