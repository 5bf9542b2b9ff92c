import { expect, it } from 'vitest';
import { settingChanges } from '../../src/ci/setting-changes.ts';

const BASE = `version: 1
service: { base_url: https://api.service.example }
accounts: { alice: { id: "101" } }
policy:
  max_price_gross: 49.99
  banned_words: [wire transfer, cash]
  approvals:
    - { match: "**", when: irreversible, count: 2 }
`;

it.each([
  ['nothing', BASE, []],
  [
    'the layout and the order of keys',
    `# same\n${BASE.replace('max_price_gross: 49.99', '"max_price_gross":  49.990')}`,
    [],
  ],
  ['accounts', BASE.replace('"101"', '"102"'), []],
  [
    'a limit',
    BASE.replace('49.99', '99'),
    [{ path: 'policy.max_price_gross', before: '49.99', after: '99', line: 5 }],
  ],
  [
    'a limit that is gone',
    BASE.replace('  max_price_gross: 49.99\n', ''),
    [{ path: 'policy.max_price_gross', before: '49.99', after: null, line: 5 }],
  ],
  [
    'a list',
    BASE.replace(', cash', ''),
    [
      {
        path: 'policy.banned_words',
        before: '["wire transfer","cash"]',
        after: '["wire transfer"]',
        line: 6,
      },
    ],
  ],
  [
    'a number that became a section',
    BASE.replace('49.99', '{ limit: 49.99, level: warn }'),
    [{ path: 'policy.max_price_gross', before: '49.99', after: '{"limit":49.99,"level":"warn"}', line: 5 }],
  ],
  [
    'the address, without a password that is in it by mistake',
    BASE.replace('https://api', 'https://me:secret@other'),
    [
      {
        path: 'service.base_url',
        before: '"https://api.service.example"',
        after: '"https://***@other.service.example"',
        line: 2,
      },
    ],
  ],
  ['an allowance', `${BASE}allow: [prune]\n`, [{ path: 'allow', before: null, after: '["prune"]', line: 9 }]],
])('of %s', (_title, head, changes) => {
  expect(settingChanges(BASE, head)).toEqual(changes);
});

it('names every setting of a file that is new, and of one that is gone', () => {
  const paths = ['service.base_url', 'policy.approvals', 'policy.banned_words', 'policy.max_price_gross'];
  expect(settingChanges(null, BASE).map(({ path }) => path)).toEqual(paths);
  expect(settingChanges(BASE, null).map(({ path, after }) => [path, after])).toEqual(
    paths.map((path) => [path, null]),
  );
});

it('has nothing to say of a file that is not YAML, which has errors of its own', () => {
  expect(settingChanges(BASE, 'policy: [').length).toBeGreaterThan(0);
  expect(settingChanges('policy: [', 'policy: [')).toEqual([]);
});

it('cuts a long value', () => {
  const [change] = settingChanges(BASE, BASE.replace('cash', 'x'.repeat(500)));
  expect(change?.after).toHaveLength(100);
});

it('compares members that any object has as what was written', () => {
  expect(settingChanges('policy: {}\n', 'policy: { constructor: 1, __proto__: 2 }\n').length).toBeGreaterThan(
    0,
  );
});
