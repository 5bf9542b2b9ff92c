import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, declaredIn, messagesOf, placesIn, rowsOf } from './declare.ts';

const onAccounts = (accounts: string): string => CAMPAIGN.replace('[alice]', accounts);

describe('the accounts of a resource', () => {
  test('are one declared resource each, however often they are named', async () => {
    const declared = await declaredIn({ 'campaigns/a.yaml': onAccounts('[bob, vip, bob]') });
    expect(declared.map(({ address }) => address.account)).toEqual(['alice', 'bob']);
  });

  test('override those of the file', async () => {
    const text = CAMPAIGN.replace('    trigger', '    accounts: [bob]\n    trigger');
    const declared = await declaredIn({ 'campaigns/a.yaml': text });
    expect(declared.map(({ address }) => address.account)).toEqual(['bob']);
  });

  test.each(
    rowsOf(`
      [] → 1:11: accounts-empty
      [alise] → 1:12: unknown-account
      all → 1:11: invalid-accounts
      [all] → 1:12: unknown-account
      [101] → 1:12: invalid-type
    `),
  )('naming %s: %s', async (accounts, expected) => {
    expect(await placesIn(onAccounts(accounts))).toEqual([`a.yaml:${expected}`]);
  });

  test('are needed, and are looked up where a resource has its own', async () => {
    const none = CAMPAIGN.replace('accounts: [alice]\n', '');
    expect(await placesIn(none)).toEqual(['a.yaml:2:5: accounts-missing']);
    const own = CAMPAIGN.replace('    trigger', '    accounts: [alise]\n    trigger');
    expect(await placesIn(own)).toEqual(['a.yaml:4:16: unknown-account']);
  });

  test('that are nearly known are suggested', async () => {
    expect(await messagesOf({ 'campaigns/a.yaml': onAccounts('[alise]') })).toContain(
      'Did you mean "alice"?',
    );
  });
});

// CONTENT-1
describe('names', () => {
  test.each([
    ['Hello', 'the same'],
    ['hello', 'the same but for case'],
    ['HELLO', 'the same but for case, all of it'],
  ])('%s next to Hello on one account is refused, with both places', async (name) => {
    const second = CAMPAIGN.replace('Hello', name);
    const tree = { 'campaigns/a.yaml': CAMPAIGN, 'campaigns/b.yaml': second };
    expect(await messagesOf(tree)).toBe(
      `"${name}" ${name === 'Hello' ? 'is already declared' : 'counts as the same name as "Hello", which is declared'} at campaigns/a.yaml:3:11. Names must be unique per account and kind. Rename one.`,
    );
  });

  test('that clash on several accounts are reported once', async () => {
    const text = onAccounts('[vip]') + CAMPAIGN.split('\n').slice(2).join('\n');
    expect(await placesIn(text)).toEqual(['a.yaml:8:11: duplicate-name']);
  });

  test('may repeat on another account and in another kind', async () => {
    const tree = {
      'campaigns/a.yaml': CAMPAIGN,
      'campaigns/b.yaml': onAccounts('[bob]'),
      'campaigns/c.yaml': BROADCAST.replace('News', 'Hello'),
    };
    expect(await declaredIn(tree)).toHaveLength(3);
  });
});

describe('renamed_from', () => {
  const renamed = (name: string, from: string): string =>
    CAMPAIGN.replace('name: Hello', `name: ${name}`).replace(
      '    trigger',
      `    renamed_from: ${from}\n    trigger`,
    );

  const below = (text: string): string => text.split('\n').slice(2).join('\n');

  test.each([
    ['may differ from the name by case alone', renamed('Hello', 'hello'), []],
    ['cannot be the name itself', renamed('Hello', 'Hello'), ['a.yaml:4:19: renamed-from-declared']],
    ['cannot hold a variable', renamed('Hello', '"{{x}}"'), ['a.yaml:4:19: name-has-variable']],
    ['cannot be invisible', renamed('Hello', '" "'), ['a.yaml:4:19: invalid-name']],
    [
      'cannot be a name that is still declared',
      renamed('Hello', 'Old') + below(CAMPAIGN).replace('Hello', 'Old'),
      ['a.yaml:4:19: renamed-from-declared'],
    ],
    [
      'cannot be claimed by two',
      renamed('Hello', 'Old') + below(renamed('Other', 'Old')),
      ['a.yaml:10:19: renamed-from-twice'],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await placesIn(text)).toEqual(expected);
  });

  test('may be claimed on one account each', async () => {
    const tree = {
      'campaigns/a.yaml': renamed('Hello', 'Old'),
      'campaigns/b.yaml': renamed('Hello', 'Old').replace('[alice]', '[bob]'),
    };
    expect(await declaredIn(tree)).toHaveLength(2);
  });
});
