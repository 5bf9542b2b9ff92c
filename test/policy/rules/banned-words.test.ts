import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { setPatternEngine } from '../../../src/policy/patterns.ts';
import { policyFindings } from '../../helpers/policy-builders.ts';
import { aCampaign } from '../../helpers/resource-builders.ts';

setPatternEngine(RE2JS);

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
    ['with a joiner that no one sees', 'fr\u200dee', 'free'],
    ['with a space of no width', 'fr\u200b\u2060ee', 'free'],
    ['with a grapheme joiner', 'fr\u034fee', 'free'],
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
    ['in underlines', '_free_', 'free'],
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
