import { beforeAll, describe, expect, it } from 'vitest';
import { bannedWordShape, loadPatternEngine } from '../../src/policy/banned-words.ts';
import { policyFindings } from '../helpers/policy-builders.ts';
import { aCampaign } from '../helpers/resource-builders.ts';

beforeAll(loadPatternEngine);

function findings(text: string | null, ...words: string[]) {
  const messages = [{ text, attachments: [{ id: '1', type: 'image' }] }];
  return policyFindings([aCampaign({ messages })], { banned_words: { words, level: 'deny' } });
}

const isBanned = (text: string | null, word: string) => findings(text, word).length > 0;

describe('a banned word', () => {
  it.each([
    ['in another case', 'FREE money', 'free'],
    ['at the end', 'It is free', 'free'],
    ['next to punctuation', 'free!!', 'free'],
    ['in another Unicode form', 'cafe\u0301', 'caf\u00e9'],
    ['in full-width letters', '\uff26\uff32\uff25\uff25', 'free'],
    ['with a hyphen that no one sees', 'fr\u00adee', 'free'],
    ['with a space of no width', 'fr\u200b\u2060ee', 'free'],
    ['with a filler', 'fr\u3164ee', 'free'],
    ['with a joiner below its mark', 'cafe\u200d\u0301', 'caf\u00e9'],
    ['written with a joiner itself', 'free', 'fr\u200dee'],
    ['in capitals without a small letter', 'STRASSE', 'straße'],
    ['in small letters without a capital one', 'Straße', 'STRASSE'],
    ['with a sigma at its end', 'ΟΔΟΣ', 'οδοσ'],
    ['as a heart of another dress', 'a ❤ b', '❤\ufe0f'],
    ['in Cyrillic', 'Это БЕСПЛАТНО, да', 'бесплатно'],
    ['as a phrase over a line break', 'a wire\n  transfer', 'wire transfer'],
    ['without a letter', 'only 50$$$ today', '$$$'],
    ['with signs of patterns', 'c++ (really)', 'c++'],
    ['as an emoji', 'hot🔥stuff', '🔥'],
    ['with a Cyrillic letter', 'fr\u0435e m\u043eney', 'free'],
    ['in Cyrillic capitals that look like it', '\u0421\u041e\u0420', 'cop'],
    ['with a Greek letter', 'm\u03bfney', 'money'],
    ['written with Cyrillic letters itself', 'free', 'fr\u0435\u0435'],
    ['with a blank pattern', 'fr\u2800ee', 'free'],
    ['with a space that does not break', 'fr\u00a0ee', 'free'],
    ['as a phrase with such a space', 'wire\u00a0transfer', 'wire transfer'],
    ['with stars inside', 'f*r*ee', 'free'],
    ['with tags inside', 'fr<b>e</b>e', 'free'],
    ['with a tag in the phrase', 'free<br>money', 'free money'],
    ['with a blank pattern in the phrase', 'free\u2800money', 'free money'],
    ['in underlines', '_free_', 'free'],
    ['with a stroke through each letter', 'f\u0336r\u0336e\u0336e\u0336', 'free'],
    ['with a stress mark', '\u0411\u0435\u0441\u043f\u043b\u0430\u0301\u0442\u043d\u043e', 'бесплатно'],
    ['with letters as numbers of HTML', '&#102;&#X72;e&#000000101 now', 'free'],
    ['with a hyphen that no one sees, in HTML', 'fr&shy;e&#173;e', 'free'],
    ['with a space of HTML in the phrase', 'free&nbsp;money and wire&#160;transfer', 'free money'],
    ['as written with a star', 'f*ck', 'f*ck'],
  ])('is found %s', (_, text, word) => {
    expect(isBanned(text, word)).toBe(true);
  });

  it.each([
    ['inside another word', 'freedom', 'free'],
    ['after a letter with a mark', 'e\u0301free', 'free'],
    ['without a text', null, 'free'],
    ['with other words between', 'wire the transfer', 'wire transfer'],
    ['in another Russian word', 'вопрос', 'вор'],
    ['with another letter of its language', 'feliz a\u00f1o', 'ano'],
    ['with a number that stands for nothing', '&#99999999; &#x110000;free&#', 'freed'],
  ])('is not found %s', (_, text, word) => {
    expect(isBanned(text, word)).toBe(false);
  });

  it('is reported once for each word, as the text writes it', () => {
    expect(findings('Free Money', 'FREE', 'money', 'gold').map(({ message }) => message)).toEqual([
      'messages[0] says "FREE", which policy.banned_words forbids.',
      'messages[0] says "money", which policy.banned_words forbids.',
    ]);
  });
});

describe('a banned pattern', () => {
  it.each([
    ['inside a word', 'freedom', '/free/', true],
    ['in another Unicode form', 'caf\u00e9', '/cafe\u0301/', true],
    ['in a decomposed text', 'cafe\u0301', '/caf\u00e9/', true],
    ['with a joiner in between', 'fr\u200dee', '/free/', true],
    ['of a joiner', 'fr\u200dee', '/\\u200d/', true],
    ['with a Cyrillic letter', 't.m\u0435', '/t\\.me/', true],
    ['with a Cyrillic capital', 'FR\u0415E', '/free/', false],
  ])('is found %s', (_, text, word, found) => {
    expect(isBanned(text, word)).toBe(found);
  });

  it('is searched in the text as it is sent', () => {
    expect(findings('Pay by IBAN', '/iban/i')[0]?.message).toBe(
      'messages[0] matches /iban/i, which policy.banned_words forbids.',
    );
  });
});

it.each([
  ['/free/i', 'It is FREE', 'cost'],
  ['/\\bt\\.me\\/\\w+/i', 'see T.me/abc', 'tame/abc'],
  ['/(free|gratis) money/', 'gratis money', 'gratis, money'],
  ['/(\\d{4}[ -]?){3}\\d{4}/', '1234 5678-90123456', '1234 5678'],
  ['/(?:https?:)?\\/\\//', 'x //y', 'x/y'],
  ['/\\p{Sc}\\d+/u', 'costs €5', 'costs 5'],
  ['/\\u00e9t\\u00e9/i', 'ÉTÉ', 'ete'],
  ['/(?<word>\\w+)@x/', 'me@x', '@x'],
  ['/^b$/m', 'a\nb\nc', 'ab'],
  ['/a.b/s', 'a\nb', 'ab'],
])('%s finds %j and not %j', (written, found, notFound) => {
  expect([isBanned(found, written), isBanned(notFound, written)]).toEqual([true, false]);
});

it.each([
  ['what looks behind', '/(?<!no )refund/', 'This pattern is not valid: '],
  ['what looks ahead', '/a(?=b)/', 'This pattern is not valid: '],
  ['a reference back', '/(a)\\1/', 'invalid escape sequence: `\\1`. Use the syntax of RE2'],
  ['too high a count', '/a{2000}/', 'invalid repeat count'],
  ['counts that multiply', '/((a{100}){100}){100}/', 'invalid repeat count'],
  ['an open group', '/(a/', 'missing closing )'],
  ['nothing at all', '/a*/', 'matches every text'],
  ['an end alone', '/$/', 'matches every text'],
  ['a flag that finds nothing else', '/a/g', 'may have the flags i, m, s and u'],
  ['a flag that is a word', '/a/constructor', 'may have the flags i, m, s and u'],
])('%s is refused', (_, written, expected) => {
  expect(bannedWordShape.safeParse(written).error?.issues[0]?.message).toContain(expected);
});

it.each(['/.*x.*x.*y/', '/(x+)+$/', '/(x|xx)+y/', '/(x?){50}y/', '/(.*)*y/', '/(x*)*(x*)*y/'])(
  '%s is over in a moment, whatever the text',
  (written) => {
    const cpu = process.cpuUsage();
    isBanned('x'.repeat(50_000), written);
    expect(process.cpuUsage(cpu).user / 1e6).toBeLessThan(5);
  },
);

it.each(['free', 'and/or', '/', '//', '/half', 'half/', '/a/ or b', '/a/B'])('%s is a word', (written) => {
  expect(findings(written, written)[0]?.message).toContain('says "');
});
