import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FETCH_LEDGER, KEEP_LEDGER, LEDGER_BRANCH } from '../../../src/ci/init/ledger-branch.ts';
import { heraldForShells, type HeraldForShells } from '../../helpers/herald-for-shells.ts';
import { anIntent, textOf } from '../../helpers/ledger-builders.ts';

/** Steps of a job as a runner does them: bash, in a checkout of a bare repository on this machine. */
let home = '';
let herald: HeraldForShells;

const LEDGER = '.herald/ledger.ndjson';
const WORKSPACE = 'version: 1\nservice: { simulator: .herald/world.json }\n';

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'herald-branch-'));
  herald = await heraldForShells(home);
  mkdirSync(join(home, 'bin'));
  const npx = `#!/bin/bash\n[ "$1 $2" = "--no-install herald-campaigns" ] || exit 64\nshift 2\n${herald.command}\n`;
  writeFileSync(join(home, 'bin/npx'), npx);
  chmodSync(join(home, 'bin/npx'), 0o755);
  git(home, 'init', '--quiet', '--bare', '--initial-branch', 'main', 'origin.git');
  const first = checkout('first');
  write(join(first, 'herald.yaml'), WORKSPACE);
  write(join(first, 'ads/eu/herald.yaml'), WORKSPACE);
  git(first, 'add', '-A');
  git(first, 'commit', '--quiet', '-m', 'Begin');
  git(first, 'push', '--quiet', 'origin', 'HEAD:main');
});

afterEach(async () => {
  await herald.close();
  rmSync(home, { recursive: true, force: true });
});

function git(cwd: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.test'];
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The folder of a new job. */
function checkout(name: string): string {
  const folder = join(home, name);
  git(home, 'clone', '--quiet', join(home, 'origin.git'), folder);
  return folder;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function step(cwd: string, script: string): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((done) => {
    const env = {
      ...process.env,
      PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
      HERALD_REMOTE: '',
    };
    const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const child = execFile('bash', flags, { cwd, env, encoding: 'utf8' }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, said: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });
}

const fetched = (cwd: string) => step(cwd, FETCH_LEDGER);
const kept = (cwd: string) => step(cwd, KEEP_LEDGER);

/** A line of the ledger, as a run adds it. */
const lineOf = (entry: string) => textOf([anIntent({ entry })]);

function addLine(job: string, entry: string): void {
  const path = join(job, LEDGER);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  write(path, before + lineOf(entry));
}

const ledgerIn = (job: string) => readFileSync(join(job, LEDGER), 'utf8');
const onBranch = (path = LEDGER) => git(join(home, 'origin.git'), 'show', `${LEDGER_BRANCH}:${path}`);

describe('the ledger on a branch', () => {
  it('begins with the first job that has one', async () => {
    const job = checkout('job');
    expect(await fetched(job)).toMatchObject({
      code: 0,
      said: expect.stringContaining('does not exist yet'),
    });
    expect(await kept(job)).toMatchObject({ code: 0, said: expect.stringContaining('wrote no ledger') });
    addLine(job, 'a');
    expect(await kept(job)).toMatchObject({ code: 0 });
    expect(onBranch()).toBe(lineOf('a'));
  });

  it('goes on in the next job, with the lines of the one before', async () => {
    const one = checkout('one');
    addLine(one, 'a');
    await kept(one);
    const two = checkout('two');
    expect(await fetched(two)).toMatchObject({ code: 0 });
    expect(ledgerIn(two)).toBe(lineOf('a'));
    addLine(two, 'b');
    expect(await kept(two)).toMatchObject({ code: 0 });
    expect(onBranch()).toBe(lineOf('a') + lineOf('b'));
    expect(git(join(home, 'origin.git'), 'rev-list', '--count', LEDGER_BRANCH).trim()).toBe('2');
  });

  it('gets no commit if there is nothing new', async () => {
    const one = checkout('one');
    addLine(one, 'a');
    await kept(one);
    expect(await kept(one)).toMatchObject({ code: 0, said: expect.stringContaining('no new lines') });
    expect(git(join(home, 'origin.git'), 'rev-list', '--count', LEDGER_BRANCH).trim()).toBe('1');
  });

  it('is kept after an apply that failed', async () => {
    const job = checkout('job');
    await fetched(job);
    const apply = await step(job, `mkdir -p .herald; printf '%s' '${lineOf('a')}' > ${LEDGER}; exit 4`);
    expect(apply.code).toBe(4);
    expect(await kept(job)).toMatchObject({ code: 0 });
    expect(onBranch()).toBe(lineOf('a'));
  });

  it('has the lines of both jobs if two end at the same time', async () => {
    const first = checkout('before');
    addLine(first, 'a');
    await kept(first);
    const jobs = ['one', 'two', 'three'].map(checkout);
    await Promise.all(jobs.map(fetched));
    for (const [index, job] of jobs.entries()) addLine(job, `own-${index}`);
    const ends = await Promise.all(jobs.map(kept));
    expect(
      ends.map(({ code }) => code),
      ends.map(({ said }) => said).join('\n'),
    ).toEqual([0, 0, 0]);
    const lines = onBranch().trimEnd().split('\n').toSorted();
    expect(lines).toEqual(
      ['a', 'own-0', 'own-1', 'own-2'].map((entry) => lineOf(entry).trimEnd()).toSorted(),
    );
  });

  it('joins two jobs that both begin the branch', async () => {
    const jobs = ['one', 'two'].map(checkout);
    for (const [index, job] of jobs.entries()) addLine(job, `own-${index}`);
    const ends = await Promise.all(jobs.map(kept));
    expect(
      ends.map(({ code }) => code),
      ends.map(({ said }) => said).join('\n'),
    ).toEqual([0, 0]);
    expect(onBranch().trimEnd().split('\n')).toHaveLength(2);
  });

  it('keeps the ledgers of two workspaces apart', async () => {
    const one = checkout('one');
    addLine(one, 'a');
    await kept(one);
    const two = checkout('two');
    const folder = join(two, 'ads/eu');
    expect(await fetched(folder)).toMatchObject({ code: 0 });
    addLine(folder, 'b');
    expect(await kept(folder)).toMatchObject({ code: 0 });
    expect(onBranch()).toBe(lineOf('a'));
    expect(onBranch(`ads/eu/${LEDGER}`)).toBe(lineOf('b'));
  });

  it('wins over a ledger that a pull request committed', async () => {
    const one = checkout('one');
    addLine(one, 'a');
    await kept(one);
    const two = checkout('two');
    addLine(two, 'forged');
    git(two, 'add', '-f', LEDGER);
    git(two, 'commit', '--quiet', '-m', 'Forge');
    expect(await fetched(two)).toMatchObject({ code: 0, said: expect.stringContaining('committed here') });
    expect(ledgerIn(two)).toBe(lineOf('a'));
  });

  it('fails the job if the repository cannot be reached, because nothing may run without the ledger', async () => {
    const job = checkout('job');
    rmSync(join(home, 'origin.git'), { recursive: true });
    expect((await fetched(job)).code).not.toBe(0);
  });

  it('leaves the checkout as it was', async () => {
    const job = checkout('job');
    addLine(job, 'a');
    await kept(job);
    expect(git(job, 'status', '--porcelain')).toBe('?? .herald/\n');
    expect(git(job, 'branch', '--show-current').trim()).toBe('main');
  });
});
