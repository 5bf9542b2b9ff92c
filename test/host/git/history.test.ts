import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitRepository } from '../../../src/host/git.ts';
import { aRepository } from '../../helpers/git-repository.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** A branch of two commits, from the first of three on main. */
function branched() {
  const origin = aRepository();
  const base = origin.commit({ 'a.txt': '1' });
  origin.git('checkout', '--quiet', '-b', 'feature');
  origin.commit({ 'b.txt': '1' });
  const head = origin.commit({ 'b.txt': '2' });
  origin.git('checkout', '--quiet', 'main');
  origin.commit({ 'c.txt': '1' });
  const main = origin.commit({ 'c.txt': '2' });
  return { origin, base, head, main };
}

it('knows commits, their parents and their common history', async () => {
  const { origin, base, head, main } = branched();
  const repository = await origin.open();
  expect(repository.folder).toBe('');
  expect(await repository.commitOf('feature')).toBe(head);
  expect(await repository.commitOf('0'.repeat(40))).toBeNull();
  expect(await repository.mergeBase(main, head)).toBe(base);
  expect(await repository.isAncestor(base, head)).toBe(true);
  expect(await repository.isAncestor(main, head)).toBe(false);
  origin.git('merge', '--quiet', '--no-edit', 'feature');
  expect(await repository.parentsOf('HEAD')).toEqual([main, head]);
  expect(await repository.parentsOf(base)).toEqual([]);
});

it('names the folder of a workspace that is not at the top', async () => {
  const origin = aRepository();
  origin.commit({ 'teams/eu/herald.yaml': '' });
  expect((await origin.open('teams/eu')).folder).toBe('teams/eu');
});

it('finds the common commit of a shallow, detached checkout by fetching history', async () => {
  const { origin, base, head, main } = branched();
  const clone = origin.clone('--depth=1');
  clone.git('fetch', '--quiet', '--depth=1', 'origin', head);
  clone.git('checkout', '--quiet', '--detach', 'FETCH_HEAD');
  const repository = await clone.open();
  expect(await repository.commitOf(base)).toBeNull();
  expect(await repository.mergeBase(main, head)).toBe(base);
  expect(await repository.isAncestor(base, head)).toBe(true);
  expect(clone.git('rev-parse', 'HEAD')).toBe(head);
  expect(clone.git('status', '--porcelain')).toBe('');
});

it('says which line to add if a commit cannot be fetched', async () => {
  const { origin } = branched();
  const repository = await origin.clone('--depth=1').open();
  const gone = repository.fetchCommit('1'.repeat(40));
  await expect(gone).rejects.toMatchObject({
    code: 'git-commit-missing',
    hint: expect.stringMatching(/fetch-depth: 0.*GIT_DEPTH: "0"/),
  });
  await expect(gone).rejects.toThrow(/^Commit 111111111111 cannot be fetched: /);
});

it('takes no option in place of a commit', async () => {
  const { origin, head } = branched();
  const repository = await origin.open();
  expect(await repository.commitOf('--all')).toBeNull();
  await expect(repository.mergeBase('--all', head)).rejects.toMatchObject({ code: 'git-commit-missing' });
});

it('says whether the repository, the folder or git is missing', async () => {
  const directory = temporaryFolder();
  const env = { ...process.env, GIT_DIR: '/nowhere' };
  await expect(GitRepository.open({ directory, env })).rejects.toMatchObject({ code: 'git-no-repository' });
  await expect(GitRepository.open({ directory, env: { PATH: directory } })).rejects.toMatchObject({
    code: 'git-missing',
    hint: expect.stringContaining('git --version'),
  });
});

it('passes on how git trusts a folder of another user', async () => {
  const directory = temporaryFolder();
  const says = "printf 'fatal: dubious ownership\\nTo add an exception, call:\\n\\n\\tgit config x\\n' >&2";
  writeFileSync(join(directory, 'git'), `#!/bin/sh\n${says}\nexit 128\n`, { mode: 0o755 });
  const env = { PATH: `${directory}:${process.env['PATH']}` };
  await expect(GitRepository.open({ directory, env })).rejects.toThrow('exception, call: git config x.');
});

it('shows no token of a remote in a message', async () => {
  const origin = aRepository();
  origin.commit();
  origin.git('remote', 'add', 'origin', 'https://job:secret-token@127.0.0.1:1/a/b.git');
  const repository = await origin.open();
  const failed = await repository.fetchCommit('1'.repeat(40)).catch((error: Error) => error.message);
  expect(failed).toContain('127.0.0.1');
  expect(failed).not.toContain('secret-token');
});

describe('the commits since an older one', () => {
  /** Main has three commits since `base`; the middle one merges a branch of two. */
  function merged() {
    const { origin, base, head, main } = branched();
    origin.git('merge', '--quiet', '--no-edit', 'feature');
    const merge = origin.git('rev-parse', 'HEAD');
    const tip = origin.commit({ 'c.txt': '3' });
    return { origin, base, head, main, merge, tip };
  }

  it('are those of the branch itself, without what a merge brought in', async () => {
    const { origin, base, main, merge, tip } = merged();
    const repository = await origin.open();
    expect(await repository.commitsSince(main, tip, 9)).toEqual([tip, merge]);
    expect((await repository.commitsSince(base, tip, 9)).length).toBe(4);
    expect(await repository.commitsSince(base, tip, 3)).toEqual([tip, merge, main]);
    expect(await repository.commitsSince(tip, main, 9)).toEqual([]);
  });

  it('end where the older one was merged into them, as by a person who pulled', async () => {
    const { origin, head, main } = branched();
    origin.git('checkout', '--quiet', 'feature');
    origin.git('merge', '--quiet', '--no-edit', 'main');
    const tip = origin.git('rev-parse', 'HEAD');
    const found = await (await origin.open()).commitsSince(main, tip, 9);
    expect(found.slice(0, 2)).toEqual([tip, head]);
    expect(found.length).toBe(3);
  });
});

describe('the tip of a branch', () => {
  it('is that of the remote, also after others have pushed, and is fetched', async () => {
    const origin = aRepository();
    const first = origin.commit({ 'a.txt': '1' });
    const clone = await origin.clone('--depth=1').open();
    const newer = origin.commit({ 'a.txt': '2' });
    expect(await clone.remoteTip(null)).toEqual({ branch: 'main', commit: newer });
    expect(await clone.commitOf(newer)).toBe(newer);
    expect(await clone.commitOf('HEAD')).toBe(first);
    const job = await GitRepository.open({ directory: origin.checkOut(first), env: process.env });
    expect(await job.remoteTip(null)).toMatchObject({ commit: newer });
  });

  it('is not known without a remote, or for a branch that the remote does not have', async () => {
    const origin = aRepository();
    origin.commit({ 'a.txt': '1' });
    await expect((await origin.open()).remoteTip(null)).rejects.toThrow('no remote named origin');
    await expect((await origin.clone().open()).remoteTip('gone')).rejects.toThrow('has no branch gone');
  });
});
