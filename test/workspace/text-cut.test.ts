import { describe, expect, test } from 'vitest';
import { CAMPAIGN, declaredIn, diagnose, placesIn, placesInWorkspace, WORKSPACE } from './declare.ts';

/** The campaign with its text as `lines`, below `  - `. */
function withText(lines: string): string {
  return CAMPAIGN.replace('messages: [{ text: Hi }]', `messages:\n      - ${lines}`);
}

async function cutsIn(text: string): Promise<readonly string[]> {
  const all = await diagnose({ 'campaigns/a.yaml': text });
  return all.filter(({ code }) => code === 'text-cut').map(({ message }) => message);
}

describe('a # in a text without quotes', () => {
  test('is an error that shows the place, what would be lost, and the text in quotes', async () => {
    const text = withText('text: Use code #SAVE20 at checkout');
    expect(await placesIn(text)).toEqual(['a.yaml:8:24: text-cut']);
    expect(await cutsIn(text)).toEqual([
      'YAML reads a # after a space as a comment, so "#SAVE20 at checkout" would be lost. ' +
        'Write the value in quotes: "Use code #SAVE20 at checkout". ' +
        'If it is a comment, write a space after the #.',
    ]);
  });

  test('is one before the value, too, if the text goes on in the next line', async () => {
    expect(await cutsIn(withText('text: #SAVE20 now\n          only today'))).toEqual([
      expect.stringContaining('Write the value in quotes: "#SAVE20 now only today".'),
    ]);
    expect(await cutsIn(withText('text: # a comment\n          only today'))).toEqual([]);
  });

  test('can be pasted in quotes', async () => {
    const [told = ''] = await cutsIn(withText('text: Say "hi" \\o/ #SAVE20'));
    const quoted = /quotes: (".*")\. If/.exec(told)?.[1] ?? '';
    const [declared] = await declaredIn({ 'campaigns/a.yaml': withText(`text: ${quoted}`) });
    expect(declared?.content.messages[0]?.text).toBe('Say "hi" \\o/ #SAVE20');
  });

  test.each([
    ['a name', CAMPAIGN.replace('name: Hello', 'name: Sale #1'), '#1', '"Sale #1"'],
    ['a whole text', withText('text: #SAVE20 for you'), '#SAVE20 for you', '"#SAVE20 for you"'],
    ['a tab', withText('text: Use\t#SAVE'), '#SAVE', '"Use #SAVE"'],
    ['Windows line ends', withText('text: Use #SAVE').replaceAll('\n', '\r\n'), '#SAVE', '"Use #SAVE"'],
    ['its second line', withText('text: Use\n          code #SAVE'), '#SAVE', '"Use code #SAVE"'],
    [
      'the start of a line',
      withText('text: Use code\n          #SAVE now'),
      '#SAVE now',
      '"Use code #SAVE now"',
    ],
    ['its first of two lines', withText('text: Use #SAVE\n          now'), '#SAVE', '"Use #SAVE"'],
    ['brackets', CAMPAIGN.replace('{ text: Hi }', '{ text: Hi #1\n }'), '#1', '"Hi #1"'],
    [
      'brackets that it breaks',
      CAMPAIGN.replace('{ text: Hi }', '{ text: Hi #1, price_gross: 5 }'),
      '#1',
      '"Hi #1"',
    ],
  ])('is found in %s', async (_, text, lost, quoted) => {
    const [told = '', ...others] = await cutsIn(text);
    expect(told).toContain(`so "${lost}" would be lost`);
    expect(told).toContain(`in quotes: ${quoted}.`);
    expect(others).toEqual([]);
  });

  test('is found in herald.yaml, in variables and in words', async () => {
    const variable = WORKSPACE.replace('first_name: Bob }', 'first_name: Bob #2\n    }');
    expect(await placesInWorkspace(variable)).toEqual(['herald.yaml:5:45: text-cut']);
    const words = `${WORKSPACE}policy:\n  banned_words:\n    - wire #transfer\n    - #spam\n`;
    expect(await placesInWorkspace(words)).toEqual([
      'herald.yaml:9:12: text-cut',
      'herald.yaml:10:7: invalid-type',
      'herald.yaml:10:7: text-cut',
    ]);
  });

  test.each([
    ['a space after it', withText('text: Hi # for new fans')],
    ['a row of them', withText('text: Hi ####\n      ## later')],
    ['nothing after it', withText('text: Hi #')],
    ['no space before it', withText('text: Issue#1')],
    ['quotes', withText('text: "Use #SAVE"')],
    ['a comment without a space behind quotes', withText('text: "Hi" #greeting')],
    ['a block', withText('text: |\n          Use #SAVE\n          #today')],
    ['a number', withText('text: Hi\n        delay_sec: 60 #one minute')],
    ['a line that is turned off', withText('text: Hi\n        #delay_sec: 60\n      #- text: Bye')],
    [
      'a list entry that is turned off',
      CAMPAIGN.replace('accounts: [alice]', 'accounts:\n  - alice\n  #- bob'),
    ],
    ['an entry in brackets that is turned off', CAMPAIGN.replace('[alice]', '[\n  alice\n  #bob\n]')],
    ['a comment of a list', CAMPAIGN.replace('campaigns:', 'campaigns: #mine')],
  ])('with %s loses nothing', async (_, text) => {
    expect(await placesIn(text)).toEqual([]);
  });
});
