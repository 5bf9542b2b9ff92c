import { describe, expect, it } from 'vitest';
import { parseAnyLine } from '../../src/ledger/parse.ts';
import { quickLine } from '../../src/ledger/quick-line.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { fc } from '../helpers/properties.ts';
import { aScene, LEDGER_FILE } from '../helpers/scene.ts';
import { edited, edits, withOtherBytes, SPELLED as LINES } from '../helpers/spelled-lines.ts';

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
    fc.assert(
      fc.property(withOtherBytes(fc.constantFrom(...LINES)), (text) => {
        isRightOf(text);
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
