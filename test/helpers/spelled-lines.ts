import { fc } from './properties.ts';

const BEGIN =
  '{"v":1,"at":"2026-06-01T12:00:00.000Z","at_skew_ms":-3600000,"run":"20260601T120000000Z-00000001","origin":"simulator:.herald/world.json"';
const WANTED =
  '{"content":{"trigger":"welcome_message","rules":{"delay_sec":60},"audience_filters":[{"type":"fans"}],"messages":[{"text":"Grüß dich, 🌸 \\"du\\"","price_usd":9.99,"attachments":[{"id":"5","file":{"digest":"d"}}]}]},"scheduled_at":null}';
const END = '"sent_at_ms":1795363707416,"skew_ms":111,"who":"deploy (job 4711)"}';

/** Lines as `Ledger` writes them. */
export const SPELLED = [
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

/** The line after these edits. */
export function edited(line: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { at, cut, odd }) => {
    const places = edges(text);
    const from = places[at % places.length] ?? 0;
    const to = places[(at % places.length) + cut] ?? from;
    return text.slice(0, from) + odd + text.slice(to);
  }, line);
}

export const edits = fc.array(fc.record({ at: fc.nat(), cut: fc.nat(3), odd: fc.constantFrom(...ODD) }), {
  minLength: 1,
  maxLength: 2,
});

/** The texts after a few of their bytes have become others. */
export function withOtherBytes(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
  return fc.tuple(texts, damage).map(([text, bytes]) => {
    const buffer = Buffer.from(text);
    for (const [place, byte] of bytes) buffer[place % buffer.length] = byte;
    return buffer.toString();
  });
}
