import { describe, expect, it } from 'vitest';
import { parseAnyLine } from '../../src/ledger/parse.ts';
import { quickLine } from '../../src/ledger/quick-line.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { fc } from '../helpers/properties.ts';
import { aScene, LEDGER_FILE } from '../helpers/scene.ts';

const BEGIN =
  '{"v":1,"at":"2026-06-01T12:00:00.000Z","at_skew_ms":-3600000,"run":"20260601T120000000Z-00000001","origin":"simulator:.herald/world.json"';
const WANTED =
  '{"content":{"trigger":"welcome_message","rules":{"delay_sec":60},"audience_filters":[{"type":"fans"}],"messages":[{"text":"Grüß dich, 🌸 \\"du\\"","price_usd":9.99,"attachments":[{"id":"5","file":{"digest":"d"}}]}]},"scheduled_at":null}';
const END = '"sent_at_ms":1795363707416,"skew_ms":111,"who":"deploy (job 4711)"}';

/** Lines as `Ledger` writes them. */
const LINES = [
  `${BEGIN},"type":"intent","account":"alice","account_id":"101","kind":"campaign","name":"Welcome","call":"create","live_id":null,"target":null,"purpose":null,"content":"dee760d8c679cf23","hidden":"4f53cda18c2baa0c","protect":true,"wanted":${WANTED},"supersedes":["9999999999999970"],"baseline":["1","2"],"entry":"r-1",${END}`,
  `${BEGIN},"type":"intent","account":"alice","account_id":"101","kind":"broadcast","name":"Teaser","call":"status","live_id":"9999999999999970","target":"paused","purpose":"by_hand","content":null,"hidden":null,"wanted":null,"supersedes":[],"baseline":[],"entry":"r-2",${END}`,
  `${BEGIN},"type":"act","operation":"chat.send","account":"alice","account_id":"101","subject":"chat 101001","details":{"chat_id":"101001","digest":"d","baseline":["9"]},"entry":"r-3",${END}`,
  `${BEGIN},"type":"outcome","entry":"r-1","outcome":"done","live_id":"9999999999999970","created_by":"api_token:1","list_ids":["8","9"],"message":"","sent_at_ms":1795363707421,"unheard_ms":null,"skew_ms":111}`,
  `{"v":1,"at":"2026-06-01T12:00:00.000Z","run":"r","type":"outcome","entry":"r-2","outcome":"unknown","live_id":null,"created_by":null,"list_ids":null,"message":"no answer","sent_at_ms":null}`,
];

/** What an editor, a disk or another version may have made of a part of a line. */
const ODD = [
  '',
  '"',
  '\\',
  ' ',
  '\t',
  '\r',
  '\u0000',
  '\ufeff',
  '\ufffd',
  '\u2028',
  '\ud83c',
  'null',
  'true',
  '{}',
  '[]',
  '[null]',
  '["a",7]',
  '{"a":1}',
  '7',
  '-0',
  '01',
  '1.0',
  '1e3',
  '1e999',
  '1234567890123456789',
  '-1234567890123456789',
  '"\\u0041\\n"',
  '"a long text that is not a part of the line"',
  '"__proto__":{"a":1},',
  '"constructor":1,',
  '"type":"outcome",',
  '"entry":"other",',
  '"name":7,',
  '"later":true,',
  '}',
  ',',
];

interface Edit {
  readonly at: number;
  readonly cut: number;
  readonly odd: string;
}

/** Where a value, a member or its name begins: edits there leave whole JSON more often than not. */
function edges(line: string): readonly number[] {
  return [...line.matchAll(/(?<=[{,:[])|(?=[,}\]])/g)].map(({ index }) => index);
}

function edited(line: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { at, cut, odd }) => {
    const places = edges(text);
    const from = places[at % places.length] ?? 0;
    const to = places[(at % places.length) + cut] ?? from;
    return text.slice(0, from) + odd + text.slice(to);
  }, line);
}

const edits = fc.array(fc.record({ at: fc.nat(), cut: fc.nat(3), odd: fc.constantFrom(...ODD) }), {
  minLength: 1,
  maxLength: 2,
});

/** Whether it is read like that at all. */
function isRightOf(text: string): boolean {
  const quick = quickLine(text);
  if (quick !== null) expect(quick).toEqual(parseAnyLine(text));
  return quick !== null;
}

describe('a line that is read without a parser of JSON', () => {
  it.each(LINES)('is what the parser makes of it: %#', (line) => {
    expect(quickLine(line)).not.toBeNull();
    expect(quickLine(line)).toEqual(parseAnyLine(line));
  });

  it.each([
    ['a member that stands twice', LINES[3]?.replace('"message":""', '"message":"","message":"x"')],
    ['an escape', LINES[3]?.replace('"message":""', '"message":"\\u0041"')],
    ['a member of a later version', LINES[3]?.replace('"message":""', '"later":1,"message":""')],
    ['a number of 19 digits', LINES[3]?.replace('1795363707421', '1795363707421179536')],
    ['a text where a number belongs', LINES[3]?.replace('1795363707421', '"1795363707421"')],
    ['a content without messages', LINES[0]?.replace('"messages"', '"notes"')],
    ['a member next to the content', LINES[0]?.replace('"scheduled_at"', '"later":1,"scheduled_at"')],
    ['a prototype among the details', LINES[2]?.replace('"chat_id"', '"__proto__"')],
    ['a constructor among the details', LINES[2]?.replace('"chat_id"', '"constructor"')],
    ['a line break of Windows', `${LINES[3]}\r`],
    ['a mark of the byte order', `\ufeff${LINES[3]}`],
  ])('is left to the parser where it has %s', (_title, line = '') => {
    expect(quickLine(line)).toBeNull();
  });

  it('is never taken for another one, whatever became of its text', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(...LINES), edits, (line, changes) => {
        if (isRightOf(edited(line, changes))) taken += 1;
      }),
      { numRuns: 10_000 },
    );
    expect(taken, 'some are still read like that').toBeGreaterThan(100);
  });

  it('is never taken for another one, whatever became of its bytes', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...LINES), damage, (line, bytes) => {
        const buffer = Buffer.from(line);
        for (const [place, byte] of bytes) buffer[place % buffer.length] = byte;
        isRightOf(buffer.toString());
      }),
      { numRuns: 5_000 },
    );
  });

  it('is what an apply and an act write', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    expect(
      (await scene.herald('fans', 'label', '101001', '--name', 'Tom', '--account', 'alice', '--yes')).code,
    ).toBe(0);
    const lines = scene.files.tree[LEDGER_FILE]?.trimEnd().split('\n') ?? [];
    expect(lines).toHaveLength(4);
    expect(lines.filter((line) => quickLine(line) === null)).toEqual([]);
  });
});
