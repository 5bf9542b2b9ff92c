import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

describe('the page about the policy', () => {
  it('says of every rule what it applies to, in the order of the outputs', () => {
    expect(rowsOf(page).filter(([key]) => POLICY_RULES.some((rule) => rule.key === key))).toEqual(
      POLICY_RULES.map(({ key, appliesTo }) => [key, appliesTo]),
    );
  });

  it.each(POLICY_RULES)('shows the example of $key', ({ example }) => {
    expect(page).toContain(`\n  ${example}`);
  });

  it.each(REQUIRED_FIELD_NAMES)('names the field %s that can be required', (name) => {
    expect(page).toContain(`\`${name}\``);
  });
});

it.each(POLICY_RULES)('the example of $key sets it', async ({ key, example }) => {
  expect(await settingsIn(`  ${example}\n`)).toContain(key);
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
