import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { POLICY_RULES } from '../../src/policy/rules.ts';
import { REQUIRED_FIELD_NAMES } from '../../src/policy/rules/required.ts';
import { CAMPAIGN, load, WORKSPACE } from '../workspace/declare.ts';

const RULE = /^\| `([a-z_]+)` +\| (.+?) +\|$/;

/** The one page with the table of the rules. */
const page = (() => {
  const below = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name));
  const texts = ['README.md', ...below]
    .filter((path) => path.endsWith('.md'))
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => rowsOf(text).some(([key]) => key === POLICY_RULES[0]?.key));
  expect(texts).toHaveLength(1);
  return texts[0] ?? '';
})();

function rowsOf(text: string): readonly (readonly [string, string])[] {
  return text.split('\n').flatMap((line) => {
    const [, key, applies] = RULE.exec(line) ?? [];
    return key === undefined || applies === undefined ? [] : [[key, applies] as const];
  });
}

async function settingsIn(policy: string): Promise<readonly string[]> {
  const loaded = await load({
    'herald.yaml': `${WORKSPACE}policy:\n${policy}`,
    'campaigns/a.yaml': CAMPAIGN,
  });
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.diagnostics));
  return Object.keys(loaded.workspace.policy);
}

it('the page about the policy has every rule, in the order of the outputs, and every field that can be required', () => {
  const keys = POLICY_RULES.map(({ key }) => key);
  expect(rowsOf(page).filter(([key]) => keys.includes(key))).toHaveLength(keys.length);
  expect(rowsOf(page).map(([key]) => key)).toEqual(expect.arrayContaining(keys));
  for (const name of REQUIRED_FIELD_NAMES) expect(page).toContain(`\`${name}\``);
});

it('examples/policy sets every rule', async () => {
  const text = readFileSync('examples/policy/herald.yaml', 'utf8');
  const [, policy = ''] = /^policy:\n((?: .*\n)+)/m.exec(text) ?? [];
  expect((await settingsIn(policy)).toSorted()).toEqual(POLICY_RULES.map(({ key }) => key).toSorted());
});

it('every rule has a key and a code of its own', () => {
  expect(new Set(POLICY_RULES.map(({ key }) => key)).size).toBe(POLICY_RULES.length);
  expect(new Set(POLICY_RULES.map(({ code }) => code)).size).toBe(POLICY_RULES.length);
});
