import { expect, it, vi } from 'vitest';
import { JSON_SCHEMAS, policyTestShape } from '../../src/cli/schemas.ts';
import { documentOf, planned, writesSent } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

// The only change: one more line in the table of rules.
vi.mock('../../src/policy/rules.ts', async (original) => {
  const { POLICY_RULES, ...others } = await original<typeof import('../../src/policy/rules.ts')>();
  const { maxExclamationMarks } = await import('../helpers/made-up-rule.ts');
  return { ...others, POLICY_RULES: [...POLICY_RULES, maxExclamationMarks] };
});

const CAMPAIGN = `accounts: [alice]
campaigns:
  - name: Welcome
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages: [{ text: Hey!!! }]
`;

const withPolicy = (policy: string): Scene =>
  aScene({ files: { 'herald.yaml': `${WORKSPACE}policy: ${policy}\n`, 'live/all.yaml': CAMPAIGN } });

const PLACE = 'live/all.yaml:7:24';
const MESSAGE = 'messages[0] has 3 "!", more than policy.max_exclamation_marks 2.';

it('a rule in the table blocks a run before any write', async () => {
  const scene = withPolicy('{ max_exclamation_marks: 2 }');
  const ran = await scene.herald('apply', '--yes');
  expect(ran.code).toBe(5);
  expect(ran.stderr).toContain(`\nerror: ${PLACE}: policy-exclamation-marks: ${MESSAGE}\n`);
  expect(await writesSent(scene)).toEqual([]);
});

it('a rule in the table takes a level, as all others do', async () => {
  const { code, plan } = await planned(withPolicy('{ max_exclamation_marks: { limit: 2, level: warn } }'));
  expect([code, plan.diagnostics.map(({ severity }) => severity)]).toEqual([0, ['warning']]);
  expect((await planned(withPolicy('{ max_exclamation_marks: 3 }'))).plan.diagnostics).toEqual([]);
});

it('a rule in the table is in policy test, as text and as JSON', async () => {
  const scene = withPolicy('{ max_exclamation_marks: 2 }');
  const ran = await scene.herald('policy', 'test');
  expect(ran.stdout).toContain('max_exclamation_marks   deny   1        2 "!"\n');
  const report = documentOf(await scene.herald('policy', 'test', '--format', 'json'), policyTestShape);
  expect(report.rules.at(-1)).toEqual({
    rule: 'max_exclamation_marks',
    level: 'deny',
    setting: '2 "!"',
    fires: 1,
  });
  const unset = documentOf(
    await withPolicy('{}').herald('policy', 'test', '--format', 'json'),
    policyTestShape,
  );
  expect(unset.rules.at(-1)).toMatchObject({ rule: 'max_exclamation_marks', level: null, setting: null });
});

it.each([
  [
    'a wrong value',
    '{ max_exclamation_marks: many }',
    '7:34: invalid-type: "max_exclamation_marks" must be a number',
  ],
  ['what its shape cannot say', '{ max_exclamation_marks: 101 }', '7:34: invalid-value: It is at most 100.'],
  ['a wrong key', '{ max_exclamation_mark: 2 }', 'Did you mean "max_exclamation_marks"?'],
])('a rule in the table refuses %s with its place', async (_, policy, expected) => {
  const ran = await withPolicy(policy).herald('validate');
  expect([ran.code, ran.stdout + ran.stderr]).toEqual([1, expect.stringContaining(expected)]);
});

it('a rule in the table is in the JSON schemas', () => {
  expect(JSON_SCHEMAS.herald()).toMatchObject({
    properties: {
      policy: { properties: { max_exclamation_marks: { description: 'No message may have more "!".' } } },
    },
  });
  expect(JSON.stringify(JSON_SCHEMAS['policy-test']())).toContain('"max_exclamation_marks"');
});
