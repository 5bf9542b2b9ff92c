import { expect, it } from 'vitest';
import { settingChanges } from '../../src/ci/setting-changes.ts';

const BASE = `version: 1
service: { base_url: https://api.service.example }
accounts: { alice: { id: "101" } }
policy:
  max_price_gross: 49.99
  banned_words: [wire transfer, cash]
  quiet_hours: { from: '23:00', to: '07:00', timezone: Europe/Lisbon }
ci: { require_approval: all }
`;

it.each([
  ['nothing', BASE],
  [
    'the layout and the order of keys',
    `# same\n${BASE.replace('max_price_gross: 49.99', '"max_price_gross":  49.990')}`,
  ],
  ['the order of a list', BASE.replace('wire transfer, cash', 'cash, wire transfer')],
  ['the long form of a rule', BASE.replace('49.99', '{ limit: 49.99 }')],
  ['accounts', BASE.replace('"101"', '"102"')],
])('does not differ by %s', (_title, head) => {
  expect(settingChanges(BASE, head)).toEqual([]);
});

it.each([
  ['a limit', BASE.replace('49.99', '99'), 'policy.max_price_gross', ['49.99'], ['99']],
  [
    'a limit that is gone',
    BASE.replace('  max_price_gross: 49.99\n', ''),
    'policy.max_price_gross',
    ['49.99'],
    [],
  ],
  ['a word that is gone', BASE.replace(', cash', ''), 'policy.banned_words', ['"cash"'], []],
  [
    'a rule that only warns',
    BASE.replace('49.99', '{ limit: 49.99, level: warn }'),
    'policy.max_price_gross.level',
    [],
    ['"warn"'],
  ],
  [
    'a key that a rule gets',
    BASE.replace('Lisbon }', 'Lisbon, hours_after: 0 }'),
    'policy.quiet_hours.hours_after',
    [],
    ['0'],
  ],
  [
    'a limit that has a default',
    BASE.replace('policy:', 'policy:\n  max_changes: 900'),
    'policy.max_changes',
    [],
    ['900'],
  ],
  [
    'no approval any more',
    BASE.replace('ci: { require_approval: all }\n', ''),
    'ci.require_approval',
    ['"all"'],
    [],
  ],
  ['an allowance', `${BASE}allow: [prune]\n`, 'allow', [], ['"prune"']],
  ['a field that plans do not compare', `${BASE}ignore: [audience]\n`, 'ignore', [], ['"audience"']],
  [
    'the address, without a password that is in it by mistake',
    BASE.replace('https://api', 'https://me:secret@other'),
    'service.base_url',
    ['"https://api.service.example"'],
    ['"https://***@other.service.example"'],
  ],
])('may be loosened by %s', (_title, head, path, removed, added) => {
  expect(settingChanges(BASE, head)).toMatchObject([{ path, removed, added, loosens: true }]);
});

it.each([
  ['a new rule', BASE.replace('policy:', 'policy:\n  missed: deny'), 'policy.missed'],
  ['a new word', BASE.replace('cash', 'cash, crypto'), 'policy.banned_words'],
])('is tightened by %s', (_title, head, path) => {
  expect(settingChanges(BASE, head)).toMatchObject([{ path, loosens: false }]);
});

it('has what may loosen something first', () => {
  const head = BASE.replace('policy:', 'policy:\n  missed: deny').replace(', cash', '');
  expect(settingChanges(BASE, `${head}allow: [large]\n`).map(({ path }) => path)).toEqual([
    'policy.banned_words',
    'allow',
    'policy.missed',
  ]);
});

it('names every setting of a file that is gone', () => {
  expect(settingChanges(BASE, null).map(({ path }) => path)).toEqual([
    'service.base_url',
    'policy.banned_words',
    'policy.max_price_gross',
    'policy.quiet_hours.from',
    'policy.quiet_hours.timezone',
    'policy.quiet_hours.to',
    'ci.require_approval',
  ]);
});

it('has nothing to say of a file that is not YAML, which has errors of its own', () => {
  expect(settingChanges(BASE, 'policy: [').length).toBeGreaterThan(0);
  expect(settingChanges('policy: [', 'policy: [')).toEqual([]);
});

it('compares members that any object has as what was written', () => {
  expect(settingChanges('policy: {}\n', 'policy: { constructor: 1, __proto__: 2 }\n').length).toBeGreaterThan(
    0,
  );
});
