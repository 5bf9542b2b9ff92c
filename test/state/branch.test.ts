import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import type { RunGit } from '../../src/state/git-branch.ts';
import { State } from '../../src/state/state.ts';
import { aRepository, type TestRepository } from '../helpers/git-repository.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { aRun, begun, CREATE, FROM_START, PAUSE } from '../helpers/state-requests.ts';
import { kept } from '../helpers/states.ts';

/** Time passes only where something waits for it. */
function quickClock() {
  let passedMs = 0;
  return {
    now: () => Date.now() + passedMs,
    monotonicMs: () => passedMs,
    sleep: (ms: number) => {
      passedMs += ms;
      return systemClock.sleep(1);
    },
  };
}

describe('a state on a branch', () => {
  let remote: string;
  let checkout: TestRepository;
  let folder: string;
  beforeEach(() => {
    remote = temporaryFolder();
    checkout = aRepository();
    checkout.commit({ 'herald.yaml': 'version: 1\n' });
    checkout.git('init', '--quiet', '--bare', remote);
    checkout.git('remote', 'add', 'origin', `file://${remote}`);
    checkout.git('push', '--quiet', 'origin', 'main');
    folder = 'teams/eu';
  });

  const at = (directory = checkout.directory, git = gitIn(directory)) =>
    ({ kind: 'branch', git, remote: 'origin', branch: 'herald-state', folder }) as const;
  const take = (location: ReturnType<typeof at> = at(), waitMs = 0, onWait?: (holder: string) => void) =>
    kept(State.take(aRun(location, { clock: quickClock() }), waitMs, onWait));
  const read = () => kept(State.openToRead(aRun(at())));
  const onBranch = (...args: readonly string[]) => checkout.git('--git-dir', remote, ...args);

  it('is taken with one push and returned with one, and a second run finds the rows, without a pipeline for either', async () => {
    const run = await take();
    expect(onBranch('show', 'herald-state:teams/eu/lease.json')).toContain('"holder":"ana, run-');
    const { entry } = await begun(run, CREATE);
    await run.close();
    expect(onBranch('ls-tree', '-r', '--name-only', 'herald-state')).toBe('teams/eu/state.ndjson');
    expect(onBranch('rev-list', '--count', 'herald-state')).toBe('2');
    expect(onBranch('log', '--format=%b', 'herald-state').split(/\n+/)).toEqual(['[skip ci]', '[skip ci]']);
    expect(await (await take()).open()).toMatchObject([{ entry }]);
  });

  it('is that of no other branch with the same end of its name', async () => {
    const run = await take();
    const { entry } = await begun(run, CREATE);
    await run.close();
    checkout.git('push', '--quiet', 'origin', 'main:refs/heads/a/refs/heads/herald-state');
    expect(await (await take()).open()).toMatchObject([{ entry }]);
  });

  it('keeps the other files of the branch, also those of other workspaces', async () => {
    await (await take()).close();
    folder = 'teams/us';
    await (await take()).close();
    folder = '';
    await (await take()).close();
    expect(onBranch('ls-tree', '-r', '--name-only', 'herald-state').split('\n')).toEqual([
      'state.ndjson',
      'teams/eu/state.ndjson',
      'teams/us/state.ndjson',
    ]);
  });

  it('is returned although another workspace of the branch has returned its own meanwhile', async () => {
    const run = await take();
    await begun(run, CREATE);
    folder = 'teams/us';
    await (await take()).close();
    folder = 'teams/eu';
    await run.close();
    const next = await read();
    expect([(await next.open()).length, await next.leaseRecord()]).toEqual([1, null]);
  });

  it('names the run that has it, and waits for its end', async () => {
    const first = await take();
    await expect(take()).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/active: ana, run-\d+ since 20/) as string,
    });
    let closing: Promise<void> | null = null;
    const second = await take(at(), 600_000, () => {
      closing ??= first.close();
    });
    expect(closing).not.toBeNull();
    await begun(second, CREATE);
  });

  it('is read elsewhere: a stop by hand works and leaves no trace, and a start is refused', async () => {
    const run = await take();
    await begun(run, CREATE);
    await run.close();
    const before = checkout.git('for-each-ref');
    const elsewhere = await kept(State.join(aRun(at())));
    await begun(elsewhere, PAUSE, null);
    expect(await elsewhere.open()).toHaveLength(2);
    expect(await elsewhere.begin(CREATE, FROM_START)).toMatchObject({ hindrance: { kind: 'lease-lost' } });
    await elsewhere.close();
    expect(await (await read()).open()).toHaveLength(1);
    expect(checkout.git('for-each-ref')).toBe(before);
    expect(checkout.git('rev-parse', '--is-shallow-repository')).toBe('false');
  });

  it('is read in a shallow checkout of one commit', async () => {
    const run = await take();
    await begun(run, CREATE);
    await run.close();
    const shallow = temporaryFolder();
    checkout.git('clone', '--quiet', '--depth=1', `file://${remote}`, shallow);
    const again = await take(at(shallow));
    expect(await again.open()).toHaveLength(1);
    await again.close();
    expect(onBranch('rev-list', '--count', 'herald-state')).toBe('4');
  });

  it('that is missing reads as an empty one, and counts as cut', async () => {
    const state = await read();
    expect([await state.open(), (await state.known([])).isCut]).toEqual([[], true]);
  });

  it.each(['before any run returned it', 'later'])('is cut after an unlock, %s', async (when) => {
    if (when === 'later') {
      const first = await take();
      await first.endCut(9);
      await first.close();
      expect((await (await read()).known([])).isCut).toBe(false);
    }
    await take();
    const reader = await read();
    expect(await reader.leaseRecord()).toMatchObject({ expires_at: null });
    expect(await State.unlock(aRun(at()))).toMatch(/^ana, run-/);
    expect(await State.unlock(aRun(at()))).toBeNull();
    expect((await (await take()).known([])).isCut).toBe(true);
  });

  it('that was pushed by force during a run takes back nothing, and says so', async () => {
    const run = await State.take(aRun(at(), { clock: quickClock() }), 0);
    await begun(run, CREATE);
    onBranch('update-ref', 'refs/heads/herald-state', 'main');
    await expect(run.close()).rejects.toMatchObject({
      code: 'state-lease-lost',
      message: expect.stringContaining(
        'The branch herald-state has changed since this run took its lease',
      ) as string,
      hint: expect.stringContaining('herald plan') as string,
    });
  });

  it('with a damaged file is refused, and its lease is given back', async () => {
    const run = await take();
    await begun(run, CREATE);
    await run.close();
    const work = temporaryFolder();
    checkout.git('clone', '--quiet', '--branch', 'herald-state', `file://${remote}`, work);
    const path = 'teams/eu/state.ndjson';
    spawnSync('sed', ['-i', '$d', `${work}/${path}`]);
    await gitIn(work)(['-c', 'user.name=x', '-c', 'user.email=x@example.test', 'commit', '-qam', 'cut']);
    await gitIn(work)(['push', '--quiet', 'origin', 'herald-state']);
    await expect(take()).rejects.toMatchObject({
      message: expect.stringMatching(
        /^the branch herald-state:\d: This line cannot be imported: .* Nothing was imported\.$/,
      ) as string,
      hint: expect.stringContaining('git push origin --delete refs/heads/herald-state') as string,
    });
    expect(onBranch('ls-tree', '-r', '--name-only', 'herald-state')).toBe(path);
  });

  it('has the lease although the answer to the push was lost', async () => {
    let isLost = false;
    const git = gitIn(checkout.directory);
    const losing: RunGit = async (args, input) => {
      const answer = await git(args, input);
      if (!args.includes('push') || isLost) return answer;
      isLost = true;
      return { exitCode: 128, stdout: '', stderr: 'fatal: the remote end hung up unexpectedly' };
    };
    const run = await take(at(checkout.directory, losing));
    await begun(run, CREATE);
    expect(isLost).toBe(true);
  });
});

function gitIn(directory: string): RunGit {
  return (args, input = '') => {
    const env = { ...process.env, LC_ALL: 'C' };
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: directory,
      input,
      env,
      encoding: 'utf8',
    });
    return Promise.resolve({ exitCode: status ?? -1, stdout, stderr });
  };
}
