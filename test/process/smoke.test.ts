import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { applyReportShape, errorReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, expectEnd } from '../helpers/flows.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { launchBrowser } from '../helpers/page-browsers.ts';
import { builtHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';

const herald = builtHerald();

const many = (count: number) =>
  declaring({
    campaigns: Array.from({ length: count }, (_, index) =>
      campaign({ name: `C${index}`, messages: [{ text: `T${index}` }] }),
    ),
  });

async function aService(): Promise<Served> {
  const served = await serveWorld();
  onTestFinished(() => served.close());
  return served;
}

/** An apply in the middle of its create, which is not answered soon. */
async function startApply(served: Served, directory: string, env = served.env, delay_ms = 20_000) {
  served.simulator.control.addFault({ kind: 'slow', operation: 'campaigns.create', delay_ms });
  const run = herald.start(directory, ['apply', '--yes'], env);
  await served.arrival('campaigns.create');
  served.simulator.control.clearFaults();
  return run;
}

async function applyAgain({ env }: Served, directory: string): Promise<void> {
  expectEnd(await heraldHere(directory, { args: ['apply', '--yes'], env }), 0);
}

/** A short window, because an apply waits for its end before it believes what it found. */
const SETTLED_SOON = WORKSPACE.replace('world.json }', 'world.json, settle_sec: 1 }');

const statusesIn = ({ simulator }: Served) =>
  Object.values(simulator.world.accounts['101']?.campaigns ?? {}).map(
    ({ live }) => `${live.name} ${live.status}`,
  );

describe('the built program', () => {
  it('plans, applies, and then has nothing to do', async () => {
    const served = await aService();
    const directory = herald.workspace({ 'herald.yaml': WORKSPACE, ...many(2) });
    const run = (...args: string[]) => herald.start(directory, args, served.env).ran;
    const before = await run('plan', '--detailed-exitcode');
    expect([before.code, before.stdout]).toEqual([2, expect.stringContaining('2 to create')]);
    const { code, stdout } = await run('apply', '--yes');
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 applied.')]);
    expect(statusesIn(served)).toEqual(['C0 active', 'C1 active']);
    const after = await run('plan', '--detailed-exitcode');
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('No changes')]);
  });

  it('draws a page that Chromium opens without a complaint', async () => {
    const served = await aService();
    const directory = herald.workspace({ 'herald.yaml': WORKSPACE, ...many(2) });
    expectEnd(await herald.start(directory, ['plan', '--html', 'plan.html'], served.env).ran, 0);
    const browser = await launchBrowser('chromium', { colours: 'light', script: true });
    try {
      const page = await browser.open(join(directory, 'plan.html'), { fragment: '#q=T1' });
      const shown = await page.run(() => {
        const { document } = globalThis as unknown as {
          document: { querySelector(selector: string): { readonly textContent: string } | null };
        };
        return document.querySelector('.card:not([hidden]) h3')?.textContent;
      }, null);
      expect(shown).toContain('C1');
      expect(page.trouble).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

describe('a state on PostgreSQL', () => {
  const server = sharedPostgres();

  it('is shared by two workspaces, and by the run after one that was killed', async () => {
    const served = await aService();
    const files = {
      'herald.yaml': `${SETTLED_SOON}state: { postgres: "\${HERALD_STATE_URL}", workspace: eu, lease_sec: 10 }\n`,
      ...many(1),
    };
    const [one, other] = [herald.workspace(files), herald.workspace(files)];
    const env = { ...served.env, HERALD_STATE_URL: await server.newDatabase() };
    expectEnd(await herald.start(one, ['state', 'init'], env).ran, 0);
    const killed = await startApply(served, one, env);
    killed.kill('SIGKILL');
    await killed.ran;
    expectEnd(await herald.start(other, ['apply', '--yes', '--lock-timeout', '30s'], env).ran, 0);
    expect(statusesIn(served)).toEqual(['C0 active']);
  });
});

describe('an interrupt in the middle of an apply', () => {
  it.each([['SIGINT'], ['SIGTERM'], ['SIGHUP', 'SIGHUP']] as const)(
    '%s lets the call in flight end, and nothing new begins',
    async (...signals) => {
      const served = await aService();
      const directory = herald.workspace({ 'herald.yaml': WORKSPACE, ...many(4) });
      const slow = { kind: 'slow', operation: 'campaigns.create', delay_ms: 400, nth: 2 } as const;
      served.simulator.control.addFault(slow);
      const run = herald.start(directory, ['apply', '--yes', '--format', 'json'], served.env);
      await served.arrival('campaigns.create', 2);
      // A terminal that is closed says so twice.
      for (const signal of signals) run.kill(signal);
      const ran = await run.ran;
      expect(ran.code, ran.stderr).toBe(130);
      const { summary } = documentOf(ran, applyReportShape);
      expect(summary).toMatchObject({ applied: 2, not_attempted: 2 });
      expect(ran.stderr).toContain('Finishing the current request');
      expect(statusesIn(served).length).toBe(2);
      expect(await openIn(directory, served)).toEqual([]);
      await applyAgain(served, directory);
      expect(statusesIn(served).length).toBe(4);
    },
  );

  it('a second one leaves at once, with the entry open and named by the next plan', async () => {
    const served = await aService();
    const directory = herald.workspace({ 'herald.yaml': SETTLED_SOON, ...many(1) });
    const run = await startApply(served, directory);
    run.kill('SIGINT');
    await run.says('Press Ctrl-C again to quit');
    run.kill('SIGINT');
    const ran = await run.ran;
    expect(ran.code).toBe(130);
    expect((await openIn(directory, served)).length).toBe(1);
    const plan = await heraldHere(directory, { args: ['plan'], env: served.env });
    expect(plan.stdout).toContain('got no answer and may have succeeded');
    await applyAgain(served, directory);
    expect(statusesIn(served)).toEqual(['C0 active']);
  });

  it('a kill leaves an entry that the next run settles, and a lease that it takes', async () => {
    const served = await aService();
    const directory = herald.workspace({ 'herald.yaml': SETTLED_SOON, ...many(1) });
    const run = await startApply(served, directory);
    run.kill('SIGKILL');
    await run.ran;
    await applyAgain(served, directory);
    expect(statusesIn(served)).toEqual(['C0 active']);
    expect(await openIn(directory, served)).toEqual([]);
  });
});

it('two applies in one workspace never overlap: the second names the first and sends nothing', async () => {
  const served = await aService();
  const directory = herald.workspace({ 'herald.yaml': WORKSPACE, ...many(1) });
  const first = await startApply(served, directory, served.env, 500);
  const second = await heraldHere(directory, {
    args: ['apply', '--yes', '--format', 'json'],
    env: served.env,
  });
  expect(second.code).toBe(1);
  const error = documentOf(second, errorReportShape);
  expect(error.code).toBe('locked');
  expect(error.message).toContain(`process ${first.pid}`);
  expect((await first.ran).code).toBe(0);
  expect(statusesIn(served)).toEqual(['C0 active']);
});

it('the API key is in no output, from the environment or a file, verbose or failing', async () => {
  const served = await aService();
  const key = 'sk-very-secret-0123456789';
  served.simulator.control.addKey({ key, permissions: 'all' });
  const directory = herald.workspace({ 'herald.yaml': WORKSPACE, 'key.txt': `${key}\n`, ...many(2) });
  const env = { ...served.env, HERALD_API_KEY: key };
  const { HERALD_BASE_URL } = served.env;
  const runs = [
    await heraldHere(directory, { args: ['plan', '-v', '--out', 'plan.json'], env }),
    await heraldHere(directory, { args: ['apply', '-v', '--yes', '--format', 'json'], env }),
    await heraldHere(directory, {
      args: ['plan', '-v', '--api-key-file', 'key.txt'],
      env: { HERALD_BASE_URL },
    }),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(runs[0]?.stderr).toContain('GET ');
  served.simulator.control.addKey({ key, permissions: 'all', revoked: true });
  runs.push(await heraldHere(directory, { args: ['plan', '-v', '--format', 'json'], env }));
  expect(runs.at(-1)?.code).toBe(1);
  const files = ['plan.json', '.herald/state.db'].map((path) =>
    readFileSync(join(directory, path), 'latin1'),
  );
  for (const text of [...runs.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...files])
    expect(text).not.toContain('very-secret');
});

/** What the state in a workspace has without an answer. */
async function openIn(directory: string, { env }: Served): Promise<readonly unknown[]> {
  const ran = await heraldHere(directory, { args: ['state', 'show', '--format', 'json'], env });
  return z.looseObject({ unconfirmed: z.array(z.unknown()) }).parse(JSON.parse(ran.stdout)).unconfirmed;
}
