import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { FETCH_LEDGER, KEEP_LEDGER, LEDGER_BRANCH } from '../../../src/ci/init/ledger-branch.ts';
import { heraldForShells } from '../../helpers/herald-for-shells.ts';
import { anIntent, textOf } from '../../helpers/ledger-builders.ts';

const LEDGER = '.herald/ledger.ndjson';
const WORKSPACE = 'version: 1\nservice: { simulator: .herald/world.json }\n';

/** Steps of jobs as a runner does them: bash, in checkouts of a bare repository on this machine. */
interface Runner {
  readonly origin: string;
  /** The folder of a new job. */
  checkout(name: string): string;
  step(cwd: string, script: string): Promise<{ readonly code: number; readonly said: string }>;
  fetched(cwd: string): ReturnType<Runner['step']>;
  kept(cwd: string): ReturnType<Runner['step']>;
  /** What the file has on the branch. */
  onBranch(path?: string): string;
}

/** A repository for one test. Jobs that meet wait for a while, so the tests run at the same time. */
async function aRunner({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<Runner> {
  const home = mkdtempSync(join(tmpdir(), 'herald-branch-'));
  const herald = await heraldForShells(home);
  onTestFinished(async () => {
    await herald.close();
    rmSync(home, { recursive: true, force: true });
  });
  const bin = join(home, 'bin');
  const origin = join(home, 'origin.git');
  const npx = `#!/bin/bash\n[ "$1 $2" = "--no-install herald-campaigns" ] || exit 64\nshift 2\n${herald.command}\n`;
  write(join(bin, 'npx'), npx);
  chmodSync(join(bin, 'npx'), 0o755);
  git(home, 'init', '--quiet', '--bare', '--initial-branch', 'main', 'origin.git');
  const checkout: Runner['checkout'] = (name) => {
    const folder = join(home, name);
    git(home, 'clone', '--quiet', origin, folder);
    return folder;
  };
  const first = checkout('first');
  write(join(first, 'herald.yaml'), WORKSPACE);
  write(join(first, 'ads/eu/herald.yaml'), WORKSPACE);
  git(first, 'add', '-A');
  git(first, 'commit', '--quiet', '-m', 'Begin');
  git(first, 'push', '--quiet', 'origin', 'HEAD:main');
  const step = (cwd: string, script: string) => inBash(cwd, script, bin);
  return {
    origin,
    checkout,
    step,
    fetched: (cwd) => step(cwd, FETCH_LEDGER),
    kept: (cwd) => step(cwd, KEEP_LEDGER),
    onBranch: (path = LEDGER) => git(origin, 'show', `${LEDGER_BRANCH}:${path}`),
  };
}

function git(cwd: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.test'];
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function inBash(cwd: string, script: string, bin: string): ReturnType<Runner['step']> {
  return new Promise((done) => {
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HERALD_REMOTE: '',
    };
    const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const child = execFile('bash', flags, { cwd, env, encoding: 'utf8' }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, said: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });
}

/** A line of the ledger, as a run adds it. */
const lineOf = (entry: string) => textOf([anIntent({ entry })]);

function addLine(job: string, entry: string): void {
  const path = join(job, LEDGER);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  write(path, before + lineOf(entry));
}

const ledgerIn = (job: string) => readFileSync(join(job, LEDGER), 'utf8');

describe.concurrent('the ledger on a branch', () => {
  it.each([
    ['its folder', '.herald', 'elsewhere'],
    ['the file', LEDGER, '../elsewhere/ledger.ndjson'],
  ])('is neither fetched nor kept where %s is a link', async (_what, path, aim) => {
    const { checkout, fetched, kept, origin } = await aRunner({ onTestFinished });
    const job = checkout('job');
    write(join(job, 'elsewhere/ledger.ndjson'), 'private');
    mkdirSync(dirname(join(job, path)), { recursive: true });
    symlinkSync(aim, join(job, path));
    for (const step of [fetched, kept])
      expect(await step(job)).toMatchObject({ code: 1, said: expect.stringContaining('is a link') });
    expect(readFileSync(join(job, 'elsewhere/ledger.ndjson'), 'utf8')).toBe('private');
    expect(git(origin, 'branch', '--list', LEDGER_BRANCH)).toBe('');
  });

  it('begins with the first job that has one', async (test) => {
    const { checkout, fetched, kept, onBranch } = await aRunner(test);
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

  it('goes on in the next job, with the lines of the one before', async (test) => {
    const { origin, checkout, fetched, kept, onBranch } = await aRunner(test);
    const one = checkout('one');
    addLine(one, 'a');
    await kept(one);
    const two = checkout('two');
    expect(await fetched(two)).toMatchObject({ code: 0 });
    expect(ledgerIn(two)).toBe(lineOf('a'));
    addLine(two, 'b');
    expect(await kept(two)).toMatchObject({ code: 0 });
    expect(onBranch()).toBe(lineOf('a') + lineOf('b'));
    expect(git(origin, 'rev-list', '--count', LEDGER_BRANCH).trim()).toBe('2');
  });

  it('gets no commit if there is nothing new', async (test) => {
    const { origin, checkout, kept } = await aRunner(test);
    const one = checkout('one');
    addLine(one, 'a');
    await kept(one);
    expect(await kept(one)).toMatchObject({ code: 0, said: expect.stringContaining('no new lines') });
    expect(git(origin, 'rev-list', '--count', LEDGER_BRANCH).trim()).toBe('1');
  });

  it('is kept after an apply that failed', async (test) => {
    const { checkout, step, fetched, kept, onBranch } = await aRunner(test);
    const job = checkout('job');
    await fetched(job);
    const apply = await step(job, `mkdir -p .herald; printf '%s' '${lineOf('a')}' > ${LEDGER}; exit 4`);
    expect(apply.code).toBe(4);
    expect(await kept(job)).toMatchObject({ code: 0 });
    expect(onBranch()).toBe(lineOf('a'));
  });

  it('has the lines of both jobs if two end at the same time', async (test) => {
    const { checkout, fetched, kept, onBranch } = await aRunner(test);
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

  it('joins two jobs that both begin the branch', async (test) => {
    const { checkout, kept, onBranch } = await aRunner(test);
    const jobs = ['one', 'two'].map(checkout);
    for (const [index, job] of jobs.entries()) addLine(job, `own-${index}`);
    const ends = await Promise.all(jobs.map(kept));
    expect(
      ends.map(({ code }) => code),
      ends.map(({ said }) => said).join('\n'),
    ).toEqual([0, 0]);
    expect(onBranch().trimEnd().split('\n')).toHaveLength(2);
  });

  it('keeps the ledgers of two workspaces apart', async (test) => {
    const { checkout, fetched, kept, onBranch } = await aRunner(test);
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

  it('wins over a ledger that a pull request committed', async (test) => {
    const { checkout, fetched, kept } = await aRunner(test);
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

  it('fails the job if the repository cannot be reached, because nothing may run without the ledger', async (test) => {
    const { origin, checkout, fetched } = await aRunner(test);
    const job = checkout('job');
    rmSync(origin, { recursive: true });
    expect((await fetched(job)).code).not.toBe(0);
  });

  it('leaves the checkout as it was', async (test) => {
    const { checkout, kept } = await aRunner(test);
    const job = checkout('job');
    addLine(job, 'a');
    await kept(job);
    expect(git(job, 'status', '--porcelain')).toBe('?? .herald/\n');
    expect(git(job, 'branch', '--show-current').trim()).toBe('main');
  });
});
