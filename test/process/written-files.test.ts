import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald } from '../helpers/real-herald.ts';
import { serveWorld } from '../helpers/served.ts';
import { expectEnd } from '../helpers/flows.ts';

const herald = builtHerald();

const WORKSPACE = 'version: 1\naccounts:\n  alice: { id: "101" }\nfiles: ["live/*.yaml"]\n';
const LIVE = declaring({ campaigns: [campaign()] })['live/all.yaml'] ?? '';

async function serveWorkspace(env: Readonly<Record<string, string>> = {}) {
  const served = await serveWorld();
  onTestFinished(() => served.close());
  const directory = herald.workspace({ 'work/herald.yaml': WORKSPACE, 'work/live/all.yaml': LIVE });
  const workspace = join(directory, 'work');
  const run = (...args: readonly string[]) => heraldHere(workspace, { args, env: { ...served.env, ...env } });
  return { directory: workspace, served, run };
}

it('what holds a plan can be read by its owner only, also where a file was before', async () => {
  const { directory, run } = await serveWorkspace();
  writeFileSync(join(directory, 'plan.html'), 'before', { mode: 0o644 });
  const runs = [
    ['plan', '--out', 'plan.json', '--html', 'plan.html'],
    ['preview', '--html', 'preview.html'],
    ['ci', 'plan', '--provider', 'generic', '--scope', 'all', '--out-dir', 'out'],
  ];
  for (const args of runs) expect((await run(...args)).code).toBe(0);
  const written = ['plan.json', 'plan.html', 'preview.html'];
  const ofJob = readdirSync(join(directory, 'out')).map((name) => `out/${name}`);
  expect(ofJob).toHaveLength(3);
  for (const path of [...written, ...ofJob])
    expect([path, (statSync(join(directory, path)).mode & 0o777).toString(8)]).toEqual([path, '600']);
});

describe('a path that was typed', () => {
  it('may lead out of the workspace by its own text, also through a link there', async () => {
    const { directory, run } = await serveWorkspace();
    mkdirSync(join(directory, '../reports'));
    symlinkSync('reports', join(directory, '../latest'));
    expect((await run('plan', '--out', '../latest/plan.json')).code).toBe(0);
    expect(existsSync(join(directory, '../reports/plan.json'))).toBe(true);
  });

  it('may not lead out by a link of the repository around the workspace', async () => {
    const { directory, run } = await serveWorkspace();
    const repository = dirname(directory);
    mkdirSync(join(repository, '.git'));
    writeFileSync(join(repository, '.git/config'), '');
    const elsewhere = herald.workspace({ victim: 'untouched' });
    symlinkSync(join(elsewhere, 'victim'), join(repository, 'plan.json'));
    const ran = await run('plan', '--out', '../plan.json');
    expectEnd(ran, 1, 'by the link');
    expect(readFileSync(join(elsewhere, 'victim'), 'utf8')).toBe('untouched');
  });

  it('may lead anywhere where the operator has allowed it', async () => {
    const { directory, run } = await serveWorkspace({ HERALD_ALLOW_OUTSIDE: '1' });
    symlinkSync('../plan.json', join(directory, 'plan.json'));
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    expect(existsSync(join(directory, '../plan.json'))).toBe(true);
  });
});

it.each([
  ['apply', '--yes'],
  ['campaigns', 'pause', 'alice/campaign/Welcome'],
  ['history'],
  ['state', 'export', 'copy.ndjson'],
  ['events', 'list'],
  ['doctor'],
])('a folder .herald that is a link is refused by %s %s, and nothing is read or sent', async (...args) => {
  const { directory, served, run } = await serveWorkspace();
  const elsewhere = herald.workspace({ 'private.txt': 'private' });
  symlinkSync(elsewhere, join(directory, '.herald'));
  const { code, stdout, stderr } = await run(...args);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(`.herald is a link to ${elsewhere}`);
  expect(served.simulator.world.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(readdirSync(elsewhere)).toEqual(['private.txt']);
});
