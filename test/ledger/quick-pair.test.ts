import { describe, expect, it } from 'vitest';
import { createdAs, effectsOf } from '../../src/ledger/effects.ts';
import type { IntentLine, LedgerLine } from '../../src/ledger/lines.ts';
import { sentMedia } from '../../src/ledger/media-on-record.ts';
import { COLUMNS, type Field } from '../../src/ledger/object-fields.ts';
import { parseAnyLine } from '../../src/ledger/parse.ts';
import { quickPair } from '../../src/ledger/quick-pair.ts';
import { LedgerReader, type ReaderOptions } from '../../src/ledger/reader.ts';
import { isHandStop } from '../../src/ledger/stops.ts';
import { memoryLedgerStore } from '../helpers/memory-ledger-store.ts';
import { fc } from '../helpers/properties.ts';
import { edited, edits, withOtherBytes } from '../helpers/spelled-lines.ts';

const AT = '{"v":1,"at":"2026-06-01T12:00:00.000Z"';
const RUN = '"run":"20260601T120000000Z-00000001"';
const SENT = '"sent_at_ms":1795363707416,"skew_ms":111,"who":"deploy (job 4711)"}';
const ABOUT = '"account":"alice","account_id":"101","kind":"campaign","name":"Welcome"';
const CONTENT =
  '{"trigger":"welcome_message","action":"send","rules":{"delay_sec":60,"days":["mon",1.5e3]},"audience_filters":[{"type":"fans","options":{"lists":[{"id":"8"}]}}],"messages":[{"price_usd":9.99,"text":"Grüß dich, 🌸 \\"du\\"\\u0041","attachments":[]},{"text":null}]}';

const create = (entry: string) =>
  `${AT},"at_skew_ms":-3600000,${RUN},"type":"intent",${ABOUT},"call":"create","live_id":null,"target":null,"purpose":null,"content":"dee760d8c679cf23","hidden":"4f53cda18c2baa0c","protect":true,"wanted":{"content":${CONTENT},"scheduled_at":null},"supersedes":["9999999999999970"],"baseline":["1","2"],"entry":"${entry}",${SENT}`;
const pause = (entry: string) =>
  `${AT},${RUN},"type":"intent",${ABOUT},"call":"status","live_id":"9999999999999970","target":"paused","purpose":"replace","content":null,"hidden":null,"wanted":null,"supersedes":[],"baseline":[],"entry":"${entry}",${SENT}`;
const chat = (entry: string) =>
  `${AT},${RUN},"type":"act","operation":"chat.send","account":"alice","account_id":"101","subject":"chat 101001","details":{"chat_id":"101001","digest":"d","baseline":["9"]},"entry":"${entry}",${SENT}`;
const BEGINS = [create, pause, chat];

const done = (entry: string) =>
  `${AT},${RUN},"type":"outcome","entry":"${entry}","outcome":"done","live_id":"9999999999999970","created_by":"api_token:1","list_ids":["8","9"],"message":"","sent_at_ms":1795363707421,"unheard_ms":null,"skew_ms":111}`;
const refused = (entry: string) =>
  `${AT},${RUN},"type":"outcome","entry":"${entry}","outcome":"refused","live_id":null,"created_by":null,"list_ids":null,"message":"no","sent_at_ms":null}`;
const unknown = (entry: string) => refused(entry).replace('"refused"', '"unknown"');
const unconfirmed = (entry: string) => done(entry).replace('"unheard_ms":null', '"unheard_ms":1795363707421');

/** What a line is without the parts that no one needs once its request has ended. */
function without(line: LedgerLine): unknown {
  if (line.type === 'intent')
    return { ...line, who: '', baseline: [], wanted: sentMedia(line), created_as: createdAs(line) };
  if (line.type === 'act') return { ...line, who: '', subject: '', details: {} };
  return line.type === 'outcome' ? { ...line, message: '' } : line;
}

/** Whether the pair is read like that at all. If so, it must be what the parser of JSON makes of both lines. */
function isRightOf(first: string, second: string): boolean {
  const pair = quickPair(first, second);
  if (pair === null) return false;
  const [begin, end] = [parseAnyLine(first), parseAnyLine(second)];
  if (begin === null || end?.type !== 'outcome') throw new Error('a line that cannot be read was taken');
  expect([without(pair.begin), without(pair.end)]).toEqual([without(begin), without(end)]);
  const intents = (line: LedgerLine) => new Map([[end.entry, line as IntentLine]]);
  expect(effectsOf(pair.end, intents(pair.begin))).toEqual(effectsOf(end, intents(begin)));
  expect(isHandStop(begin), 'all stops by hand are kept').toBe(false);
  expect([end.outcome === 'unknown', end.unheard_ms], 'it has ended').toEqual([false, null]);
  return true;
}

describe('two lines that are read at once', () => {
  it.each(BEGINS.flatMap((begin) => [done, refused].map((end) => [begin('r-1'), end('r-1')] as const)))(
    'are what the parser makes of them: %#',
    (first, second) => {
      expect(isRightOf(first, second)).toBe(true);
    },
  );

  it.each([
    ['two members of one name', '"trigger":', '"rules":{"days":1},"audience_filters":[],"trigger":'],
    ['no message', /"messages":\[.*\]\}(?=,"scheduled_at")/, '"messages":[]}'],
  ])('are so, too, where a content has %s', (_title, part, instead) => {
    const first = create('r-1').replace(part, instead);
    expect(first).toContain(instead);
    expect(isRightOf(first, done('r-1'))).toBe(true);
  });

  it.each([
    ['an end of another entry', chat('r-1'), done('r-2')],
    ['an end that is unknown', pause('r-1'), unknown('r-1')],
    ['a copy of which nothing was heard', pause('r-1'), unconfirmed('r-1')],
    ['a stop by hand', pause('r-1').replace('"replace"', '"by_hand"'), done('r-1')],
    ['an upload into the vault', chat('r-1').replace('chat.send', 'vault.upload-export'), done('r-1')],
    ['the other id of an account', chat('r-1').replace('chat_id', 'platform_account_id'), done('r-1')],
    ['a prototype among the details', chat('r-1').replace('chat_id', '__proto__'), done('r-1')],
    ['an attachment', create('r-1').replace('"attachments":[]', '"attachments":[{"id":"5"}]'), done('r-1')],
    ['two texts in a message', create('r-1').replace('"price_usd":9.99', '"text":"x"'), done('r-1')],
    [
      'a second list of messages',
      create('r-1').replace('"trigger":', '"messages":[],"trigger":'),
      done('r-1'),
    ],
    ['a simulator', chat('r-1').replace(RUN, `${RUN},"origin":"simulator:x"`), done('r-1')],
    ['a name with an escape', pause('r-1').replace('Welcome', 'Wel\\u0063ome'), done('r-1')],
    ['a number of 19 digits', pause('r-1').replace('1795363707416', '1795363707416179536'), done('r-1')],
    ['a member of a later version', chat('r-1'), done('r-1').replace('"message"', '"later":1,"message"')],
    ['a line break of Windows', `${chat('r-1')}\r`, `${done('r-1')}\r`],
    ['a mark of the byte order', `\ufeff${chat('r-1')}`, done('r-1')],
    ['a comma too many', chat('r-1').replace('["9"]', '["9"],'), done('r-1')],
    ['two ends', done('r-1'), done('r-1')],
  ])('are left to the parser where there is %s', (_title, first, second) => {
    expect(quickPair(first, second)).toBeNull();
  });

  it('are never taken for others, whatever became of their texts', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...BEGINS),
        fc.constantFrom(done, refused),
        edits,
        edits,
        fc.nat(2),
        (begin, end, one, other, which) => {
          const first = which === 1 ? begin('r-1') : edited(begin('r-1'), one);
          const second = which === 0 ? end('r-1') : edited(end('r-1'), other);
          if (isRightOf(first, second)) taken += 1;
        },
      ),
      { numRuns: 10_000 },
    );
    expect(taken, 'some are still read like that').toBeGreaterThan(50);
  });

  it('are never taken for others, whatever became of their bytes', () => {
    const begins = withOtherBytes(fc.constantFrom(...BEGINS.map((begin) => begin('r-1'))));
    fc.assert(
      fc.property(begins, withOtherBytes(fc.constant(done('r-1'))), fc.nat(2), (first, second, which) => {
        isRightOf(which === 1 ? chat('r-1') : first, which === 0 ? done('r-1') : second);
      }),
      { numRuns: 5_000 },
    );
  });
});

const FIELDS = [...COLUMNS.keys()] as Field[];
const ENDS = [done, refused, unknown, unconfirmed];

const second = fc.constantFrom(':00.000Z', ':01.000Z', ':02.000Z', ':00.0Z', ':xx.000Z');

/** Begins and ends of a few entries, in any order and some of them damaged. */
const ledgers = fc.array(
  fc
    .tuple(
      fc.constantFrom(
        ...BEGINS,
        ...BEGINS.map((begin) => (entry: string) => begin(entry).replace('"replace"', '"by_hand"')),
      ),
      fc.constantFrom(...ENDS),
      fc.constantFrom('r-1', 'r-2', 'r-3'),
      fc.constantFrom('both', 'both', 'both', 'begin', 'end', 'cut', 'edited', 'twice'),
      edits,
      fc.tuple(second, second),
    )
    .map(([begin, end, entry, what, changes, [began, ended]]): readonly string[] => {
      const pair = [begin(entry).replace(':00.000Z', began), end(entry).replace(':00.000Z', ended)];
      if (what === 'begin') return pair.slice(0, 1);
      if (what === 'end') return pair.slice(1);
      if (what === 'cut') return [begin(entry).slice(0, 300), end(entry)];
      if (what === 'edited') return pair.map((line) => edited(line, changes).replaceAll('\n', ' '));
      return what === 'twice' ? [begin(entry), ...pair] : pair;
    }),
  { maxLength: 6 },
);

async function read(texts: readonly string[], options: ReaderOptions) {
  const store = memoryLedgerStore();
  store.replace(texts);
  const { lineOf, saidAt, accountLineOf, ...reading } = await new LedgerReader(
    store,
    'https://api.example',
    options,
  ).read();
  const lastWords = [...reading.knowledge.objects.keys()].map((key) =>
    FIELDS.map((field) => [key, field, lineOf(key, field), saidAt(key, field)]),
  );
  const accountLines = [...reading.accountIds.keys()].map((alias) => [alias, accountLineOf(alias)]);
  return { ...reading, lastWords, accountLines };
}

/** The number of each line's run, and whether it names a simulator: few do, and then most ends belong to another world. */
const origins = fc.infiniteStream(
  fc.record({ run: fc.constantFrom(1, 1, 1, 2), isSimulated: fc.constantFrom(false, false, false, true) }),
);

function ofRun(text: string, { run, isSimulated }: { run: number; isSimulated: boolean }): string {
  const named = RUN.replace('00000001', `0000000${run}`);
  return text.replace(RUN, isSimulated ? `${named},"origin":"simulator:x"` : named);
}

describe('a reading that takes two lines at once', () => {
  it('comes to what a reading line by line comes to', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (entries) => {
        const texts = entries.flat();
        // A reader that asks which entries to keep gets each line by itself.
        const byLine = await read(texts, { keeps: () => false });
        expect(await read(texts, {})).toEqual(byLine);
      }),
      { numRuns: 1_500 },
    );
  });

  it('comes to that also where runs name simulators', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, origins, async (entries, lineOrigins) => {
        const texts = entries.flat().map((text) => ofRun(text, lineOrigins.next().value));
        const byLine = await read(texts, { keeps: () => false });
        expect(await read(texts, {})).toEqual(byLine);
      }),
      { numRuns: 1_500 },
    );
  });

  it('keeps all of a create if its end is about another world', async () => {
    const texts = [
      ofRun(`${AT},${RUN},"type":"seen",${ABOUT},"live_id":"7"}`, { run: 2, isSimulated: true }),
      create('r-1'),
      ofRun(done('r-1'), { run: 2, isSimulated: false }),
    ];
    const { knowledge } = await read(texts, {});
    expect(knowledge.open).toMatchObject([{ entry: 'r-1', baseline: ['1', '2'] }]);
    expect(knowledge).toEqual((await read(texts, { keeps: () => false })).knowledge);
  });
});
