import { expect, test } from 'vitest';
import { CAMPAIGN, diagnose, placesIn, placesInWorkspace, WORKSPACE } from './declare.ts';

const withText = (text: string) => CAMPAIGN.replace('Hi', JSON.stringify(text));

test('a word of several scripts is warned of at its place, with its letters', async () => {
  const found = await diagnose({ 'campaigns/a.yaml': withText('Pay with p\u0430ypal') });
  expect(found).toEqual([
    {
      severity: 'warning',
      code: 'mixed-script',
      message:
        'The word p\\u{430}ypal has Latin and Cyrillic letters, which can look alike. Write it in one script.',
      file: 'campaigns/a.yaml',
      line: 7,
      column: 34,
    },
  ]);
});

test.each([
  ['Russian', 'Привет, как дела? 100% бесплатно 🔥'],
  ['accents', 'Café, naïve, Straße, Ærø, İstanbul'],
])('a text in %s is not', async (_, text) => {
  expect(await placesIn(withText(text))).toEqual([]);
});

test('names, variables, banned words and text files are looked at, too', async () => {
  expect(await placesIn(CAMPAIGN.replace('Hello', 'H\u0435llo'))).toEqual([
    'warning a.yaml:3:11: mixed-script',
  ]);
  const settings = `${WORKSPACE.replace('Bob }', 'B\u043eb }')}policy: { banned_words: [fr\u0435e] }\n`;
  expect(await placesInWorkspace(settings)).toEqual([
    'warning herald.yaml:5:41: mixed-script',
    'warning herald.yaml:7:26: mixed-script',
  ]);
  const files = {
    'campaigns/a.yaml': CAMPAIGN.replace('text: Hi', 'text_file: hi.md'),
    'campaigns/hi.md': 'Hello\nfr\u2800ee\n',
  };
  expect(await diagnose(files)).toMatchObject([
    { code: 'blank-character', file: 'campaigns/hi.md', line: 2, column: 3 },
  ]);
});
