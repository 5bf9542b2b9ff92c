import { expect, it } from 'vitest';
import { SecretMask } from '../../src/domain/secret.ts';

const KEY = 'Key-6f1d/0c52+aa77';

function masking(...secrets: readonly string[]): SecretMask {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  return mask;
}

it.each([
  ['as it is', KEY],
  ['as a host in small letters', 'key-6f1d/0c52+aa77'],
  ['in an address', encodeURIComponent(KEY)],
  ['in an address twice over', encodeURIComponent(encodeURIComponent(KEY))],
  ['in JSON', JSON.stringify(`a "${KEY}`)],
  ['in JSON with an escaped slash', KEY.replace('/', '\\/')],
  ['in JSON with escaped code units', KEY.replace('/', '\\u002f').replace('+', '\\u002B')],
  ['in HTML', KEY.replace('/', '&#x2F;').replace('+', '&#43;')],
  ['in Markdown', KEY.replace('-', '\\-').replace('+', '\\+')],
  ['after a user, in base64', Buffer.from(`herald:${KEY}`).toString('base64')],
  ['between others, in base64', Buffer.from(`ab${KEY}cd`).toString('base64')],
  ['in base64url', Buffer.from(`x${KEY}`).toString('base64url')],
])('a secret is masked: %s', (_how, text) => {
  const hidden = masking(KEY).hideIn(`before ${text} after`);
  expect(hidden).toMatch(/^before .*\*\*\*.* after$/);
  expect(hidden).not.toMatch(/6f1d|0c52|aa77/i);
  expect(hidden.length).toBeLessThan('before  after'.length + 20);
});

it.each([
  ['postgres://herald:hunter2%40night@db.example/herald', ['hunter2%40night', 'hunter2@night']],
  ['postgres://herald:hunter#night@db.example/herald', ['hunter#night']],
  ['postgres://db.example/herald?password=hunter2night', ['hunter2night']],
])('the password of %s is masked by itself', (address, passwords) => {
  for (const password of [address, ...passwords]) expect(masking(address).hideIn(password)).toBe('***');
});

it('what is too short to be told from ordinary words stays', () => {
  expect(masking('secret', ' ').hideIn('a secret word')).toBe('a secret word');
});
