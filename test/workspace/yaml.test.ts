import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, declaredIn, diagnose, places, placesIn, WORKSPACE } from './declare.ts';

test.each([
  ['and goes on', '{{first_name}}, hello!', 'yaml-syntax'],
  ['and is nothing else', '{{first_name}}', 'key-not-text'],
])('a text that begins with a variable %s is told to have quotes', async (_, text, code) => {
  const file = CAMPAIGN.replace('messages: [{ text: Hi }]', `messages:\n      - text: ${text}`);
  const told = (await diagnose({ 'campaigns/a.yaml': file })).filter((one) => one.code === code);
  expect(told.map(({ message }) => message)).toEqual([
    'A text that begins with {{ needs quotes: "{{name}} …".',
  ]);
});

test.each([
  ['a tab under a key', 'campaigns:\n  a:\n\t- b: c\n', 3, 'Indent with spaces.'],
  ['an item further left', 'campaigns:\n   - a: b\n  - c: d\n', 3, 'Check the indentation'],
  ['a text in stars', 'campaigns:\n  - a: *hot* news\n', 2, 'begins with & or * in quotes.'],
])('%s is told in its line what to do', async (_, text, line, advice) => {
  const [only, ...others] = await diagnose({ 'campaigns/a.yaml': text });
  expect([only?.line, only?.message, others]).toEqual([line, expect.stringContaining(advice), []]);
});

describe('YAML that cannot be read', () => {
  test.each([
    ['an unclosed bracket', 'campaigns: [', 'a.yaml:1:13: yaml-syntax'],
    ['a tab as indentation', 'campaigns:\n\t- name: x', 'a.yaml:2:1: yaml-syntax'],
    [
      'a colon in an unquoted text',
      CAMPAIGN.replace('name: Hello', 'name: Hello: you'),
      'a.yaml:3:11: yaml-syntax',
    ],
    ['an unknown escape', CAMPAIGN.replace('text: Hi', 'text: "\\{{x}}"'), 'a.yaml:7:25: yaml-syntax'],
    ['a second document', `${CAMPAIGN}---\n${CAMPAIGN}`, 'a.yaml:8:1: several-documents'],
    ['a custom tag', CAMPAIGN.replace('name: Hello', 'name: !secret Hello'), 'a.yaml:3:11: custom-tag'],
    ['a binary tag', CAMPAIGN.replace('name: Hello', 'name: !!binary aGk='), 'a.yaml:3:11: custom-tag'],
    ['another YAML version', `%YAML 1.1\n---\n${CAMPAIGN}`, 'a.yaml:1:1: yaml-version'],
    ['a NUL', CAMPAIGN.replace('Hello', 'He\0llo'), 'a.yaml:3:13: not-text'],
    ['bytes that are not UTF-8', CAMPAIGN.replace('Hello', 'He\uFFFDllo'), 'a.yaml:3:13: not-text'],
    [
      'a key said twice',
      CAMPAIGN.replace('    action', '    name: Again\n    action'),
      'a.yaml:5:5: duplicate-key',
    ],
    ['a list as key', `? [a]\n: b\n${CAMPAIGN}`, 'a.yaml:1:3: key-not-text'],
    ['an alias', CAMPAIGN.replace('Hello', '*hello'), 'a.yaml:3:11: yaml-alias'],
    ['an empty file', '', 'a.yaml:1:1: empty-file'],
    ['a file of comments', '# later\n', 'a.yaml:1:1: empty-file'],
    ['a file with accounts only', 'accounts: [alice]\n', 'a.yaml:1:1: empty-file'],
    ['a null list', 'campaigns:\n', 'a.yaml:1:1: invalid-type'],
    ['a text instead of keys', 'hello', 'a.yaml:1:1: invalid-type'],
    ['a list instead of keys', '- hello', 'a.yaml:1:1: invalid-type'],
    ['the key __proto__', `__proto__: 1\n${CAMPAIGN}`, 'a.yaml:1:1: unknown-key'],
  ])('%s is refused at its place', async (_, text, expected) => {
    expect(await placesIn(text)).toContain(expected);
  });

  test('nesting without end is refused, however deep it is', async () => {
    for (const depth of [70, 1_000, 1_000_000]) {
      const codes = (
        await diagnose({ 'campaigns/a.yaml': `campaigns: ${'['.repeat(depth)}${']'.repeat(depth)}` })
      ).map(({ code }) => code);
      expect(codes).toContain('yaml-too-deep');
    }
  });

  test('a bracket too many is reported once, and what follows stands where it stands', async () => {
    expect(await placesIn(`accounts: [alice]\n} 'a\n  b'\n---\n${CAMPAIGN}`)).toEqual([
      'a.yaml:2:1: yaml-syntax',
      'a.yaml:4:1: several-documents',
    ]);
  });

  test('a workspace that cannot be read calls no file missing', async () => {
    expect(await places({ 'herald.yaml': `${WORKSPACE}files: ["elsewhere/*.yaml"` })).toEqual([
      'herald.yaml:7:27: yaml-syntax',
    ]);
  });
});

test.each([
  ['in front of a key', '    audience', '\taudience', 6],
  ['in front of a list', '  - name', '\t- name', 3],
  ['in front of a map', '    trigger', '\t    trigger', 4],
])('a tab %s is one error', async (_, indent, tab, line) => {
  expect(await placesIn(CAMPAIGN.replace(indent, tab))).toEqual([`a.yaml:${line}:1: yaml-syntax`]);
});

describe('YAML that is read', () => {
  test('a byte order mark and CRLF change nothing', async () => {
    const plain = await declaredIn({ 'campaigns/a.yaml': CAMPAIGN });
    const windows = await declaredIn({ 'campaigns/a.yaml': `\uFEFF${CAMPAIGN.replaceAll('\n', '\r\n')}` });
    expect(windows).toEqual(plain);
  });

  test('places after a byte order mark are those that an editor shows', async () => {
    expect(await placesIn(`\uFEFFacounts: [alice]\n${CAMPAIGN}`)).toEqual(['a.yaml:1:1: unknown-key']);
  });

  test('off, times and dates stay text', async () => {
    const text = BROADCAST.replace('"2030-11-05T18:00Z"', '2030-11-05T18:00Z').replace(
      '    audience',
      '    rules: { online_check_mode: off }\n    audience',
    );
    const [declared] = await declaredIn({ 'campaigns/a.yaml': text });
    expect(declared?.content.rules).toEqual({ online_check_mode: 'off' });
  });

  test('every problem of every file is reported at once, sorted', async () => {
    const diagnostics = await diagnose({
      'herald.yaml': 'version: 1\nservice: { simulater: w.json }\naccounts: { alice: { id: 101 } }\n',
      'campaigns/b.yaml': CAMPAIGN.replace('audience: everyone', 'audience: all'),
      'campaigns/a.yaml': BROADCAST.replace('    scheduled_at: "2030-11-05T18:00Z"\n', ''),
    });
    expect(diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column}: ${code}`)).toEqual([
      'campaigns/a.yaml:3:5: schedule-missing',
      'campaigns/b.yaml:6:15: invalid-value',
      'herald.yaml:2:12: unknown-key',
      'herald.yaml:3:26: unquoted-id',
    ]);
  });
});

test('a key that is a number or a word of YAML is the text that is written', async () => {
  const text = WORKSPACE.replace(
    '  alice:',
    '  101: { id: "103" }\n  101: { id: "104" }\n  true: { id: "105" }\n  alice:',
  );
  expect(await places({ 'herald.yaml': text })).toContain('herald.yaml:5:3: duplicate-key');
});
