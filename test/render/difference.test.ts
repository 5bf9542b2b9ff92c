import { describe, expect, test } from 'vitest';
import type { FieldDifference } from '../../src/domain/change.ts';
import { drawField, viewFields } from '../../src/render/difference.ts';

const PLAIN = { colour: false, width: 100 };

const LONG = 'Hello there, this is a sentence of a length that does not fit after another one.';

describe('the difference of a field', () => {
  test.each([
    ['price_gross', 9.99, 12.5, '$9.99 → $12.50'],
    ['rules.end_at', '2026-12-01T00:00:00Z', null, 'Tue 1 Dec 2026 00:00 UTC → (none)'],
    ['lists', ['1'], { id: 2n, on: true }, '["1"] → {"id":2,"on":true}'],
    // The word null and an empty text are not nothing.
    ['text', 'null', '', '"null" → ""'],
    ['text', undefined, '(none)', '(none) → "(none)"'],
  ])('of a short %s stands on one line', (path, old, value, line) => {
    expect(draw(path, old, value)).toEqual([`${path}: ${line}`]);
  });

  test('of a new text is the text, without a word about nothing', () => {
    expect(draw('text', null, 'Hey', true)).toEqual(['text: "Hey"']);
    expect(draw('text', null, LONG, true)).toEqual(['text:', `  + ${LONG}`]);
    expect(draw('text', null, LONG)).toEqual(['text:', '  - (none)', `  + ${LONG}`]);
  });

  const OTHER = 'Nothing of what has been said before stays, because everything was written again today.';
  const FORGED = 'Hello there, this is a text that brings its own [-old-]{+new+} signs.';

  test.each([
    [
      'long texts marks the words',
      LONG,
      LONG.replace('a sentence', 'one sentence').replace('fit ', ''),
      '  ~ Hello there, this is [-a-]{+one+} sentence of a length that does not [-fit -]after another one.',
    ],
    [
      'texts takes words of every script and emoji as a whole',
      `${LONG} Привет мир 👩‍👩‍👧`,
      `${LONG} Привет всем 👩‍👩‍👦`,
      `  ~ ${LONG} Привет [-мир-]{+всем+} [-👩‍👩‍👧-]{+👩‍👩‍👦+}`,
    ],
    [
      'scripts that have no spaces finds the words',
      '今日はとても特別な日ですから、最後まで読んでくださいね。待っています。',
      '今日はすごく特別な日ですから、最後までゆっくり読んでくださいね。待っています。',
      '  ~ 今日は[-とても-]{+すごく+}特別な日ですから、最後まで{+ゆっくり+}読んでくださいね。待っています。',
    ],
    [
      'a price or an hour takes it as one figure',
      `${LONG} 9.99 at 18:00.`,
      `${LONG} 19.99 at 18:30.`,
      `  ~ ${LONG} [-9.99-]{+19.99+} at [-18:00-]{+18:30+}.`,
    ],
    ['texts with little in common shows both whole', LONG, OTHER, `  - ${LONG}`, `  + ${OTHER}`],
    ['a text with the signs of an edit shows both', FORGED, `${FORGED}!`, `  - ${FORGED}`, `  + ${FORGED}!`],
  ])('of %s', (_title, old, value, ...lines) => {
    expect(draw('text', old, value, false, Infinity)).toEqual(['text:', ...lines]);
  });

  test('of many lines shows hunks with their surroundings', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1} of the text`);
    const edited = lines.with(19, 'line 20 of this text').toSpliced(30, 1);
    expect(draw('text', lines.join('\n'), edited.join('\n'))).toEqual([
      'text:',
      '  … 17 equal lines',
      '    line 18 of the text',
      '    line 19 of the text',
      '  ~ line 20 of [-the-]{+this+} text',
      '    line 21 of the text',
      '    line 22 of the text',
      '  … 6 equal lines',
      '    line 29 of the text',
      '    line 30 of the text',
      '  - line 31 of the text',
      '    line 32 of the text',
      '    line 33 of the text',
      '  … 7 equal lines',
    ]);
  });

  test('of lines of which some are rewritten keeps each with its old version', () => {
    expect(
      draw('text', 'Good morning to all of you\nBye', 'Good evening to all of you\nSee you soon'),
    ).toEqual(['text:', '  ~ Good [-morning-]{+evening+} to all of you', '  - Bye', '  + See you soon']);
    expect(draw('text', 'one\ntwo', 'three\nfour')).toEqual([
      'text:',
      '  - one',
      '  - two',
      '  + three',
      '  + four',
    ]);
  });

  test('shows every added and every removed line, however many there are', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const text = `first\n${lines.join('\n')}`;
    expect(draw('text', 'first', text)).toEqual(['text:', '    first', ...lines.map((one) => `  + ${one}`)]);
    expect(draw('text', text, 'first')).toEqual(['text:', '    first', ...lines.map((one) => `  - ${one}`)]);
  });

  test('shows an added paragraph whole, and every word of an edit', () => {
    const paragraph = Array.from({ length: 60 }, (_, index) => `Sentence ${index} is new.`).join(' ');
    const drawn = (old: string | null, text: string) => draw('text', old, text, old === null, Infinity);
    expect(drawn(null, paragraph)).toEqual(['text:', `  + ${paragraph}`]);
    expect(drawn(`${LONG} End.`, `${LONG} ${paragraph} End.`).join('\n')).toContain(paragraph);
    expect(drawn('x'.repeat(600), paragraph)).toContain(`  + ${paragraph}`);
  });

  test('of very many blanks takes no time', () => {
    const blanks = ' '.repeat(300_000);
    const begin = performance.now();
    draw('text', `same words a${blanks}a`, `same words b${blanks} b`);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });

  test('breaks no line of a text in the middle of what is one character', () => {
    const family = '👩‍👩‍👧'.repeat(60);
    const drawn = draw('text', null, family, true, 40);
    for (const line of drawn.slice(1)) expect(line.replace(/^[ +]*/, '')).toMatch(/^(👩‍👩‍👧)+$/u);
  });
});

function draw(
  path: string,
  old: unknown,
  value: unknown,
  declaredOnly = false,
  width = 100,
): readonly string[] {
  const fields: readonly FieldDifference[] = [{ path, old, new: value }];
  return viewFields({ fields, dropped: [] }, { declaredOnly, zone: null }).flatMap((view) =>
    drawField(view, { ...PLAIN, width }, { indent: 0 }),
  );
}
