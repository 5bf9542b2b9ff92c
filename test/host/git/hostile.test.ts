import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aRepository, type TestRepository } from '../../helpers/git-repository.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { runGit } from '../../../src/host/git.ts';
import { writeFiles } from '../../helpers/folders.ts';

/** A program that leaves a file behind if it runs. */
function trap(): { readonly program: string; readonly wasRun: () => boolean } {
  const folder = temporaryFolder();
  const [program, mark] = [join(folder, 'trap.sh'), join(folder, 'ran')];
  writeFiles(folder, { 'trap.sh': `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat > /dev/null\nexit 1\n` });
  return { program, wasRun: () => existsSync(mark) };
}

/** Settings that name a program. */
const PROGRAMS = `core.fsmonitor core.sshCommand core.pager core.askPass core.gitProxy
  core.alternateRefsCommand credential.helper diff.external pager.log remote.origin.uploadpack
  uploadpack.packObjectsHook filter.x.smudge diff.x.textconv`.split(/\s+/);
const HOOKS = [
  'post-checkout',
  'reference-transaction',
  'pre-auto-gc',
  'post-index-change',
  'fsmonitor-watchman',
];

function setTraps({ git, directory }: TestRepository, program: string): void {
  for (const name of PROGRAMS) git('config', name, program);
  git('config', 'alias.fetch', `!${program}`);
  git('config', 'core.hooksPath', join(directory, 'hooks'));
  git('config', 'gc.auto', '1');
  for (const hook of HOOKS)
    for (const folder of ['hooks', '.git/hooks'])
      writeFiles(directory, { [`${folder}/${hook}`]: `#!/bin/sh\nexec '${program}'\n` });
  writeFiles(directory, { '.gitattributes': '* filter=x diff=x\n' });
}

it('runs no program that the configuration of a repository names', async () => {
  const origin = aRepository();
  const base = origin.commit({ 'a.yaml': '1' });
  origin.git('checkout', '--quiet', '-b', 'feature');
  const head = origin.commit({ 'a.yaml': '2' });
  const clone = origin.clone('--depth=1');
  const { program, wasRun } = trap();
  setTraps(clone, program);
  const repository = await clone.open();
  expect(await repository.mergeBase(base, head)).toBe(base);
  const tree = await repository.treeOf(base);
  expect(await tree.files.readText('a.yaml')).toBe('1');
  for await (const _piece of tree.bytes.readBytes('a.yaml', { start: 0, length: 1 }));
  expect(wasRun()).toBe(false);
});

it.each([
  ['ext::', (program: string) => `ext::${program}`],
  ['git://', () => 'git://127.0.0.1:1/a/b'],
  ['ssh', () => 'ssh://127.0.0.1:1/a/b'],
  ['an option', (program: string) => `--upload-pack=${program}`],
])('runs no program for a remote of %s', async (_title, urlOf) => {
  const origin = aRepository();
  origin.commit();
  const { program, wasRun } = trap();
  setTraps(origin, program);
  origin.git('config', 'remote.origin.url', urlOf(program));
  const repository = await origin.open();
  await expect(repository.fetchCommit('1'.repeat(40))).rejects.toMatchObject({ code: 'git-commit-missing' });
  expect(wasRun()).toBe(false);
});

it.each([
  ['core.fsmonitor', ['status']],
  ['core.hooksPath', ['update-ref', 'refs/heads/new', 'HEAD']],
  ['core.editor', ['commit', '--allow-empty']],
  ['core.askPass', ['credential', 'fill']],
  ['credential.helper', ['credential', 'fill']],
  ['diff.external', ['diff', 'HEAD~', 'HEAD']],
])('overrides %s, which git itself obeys', async (name, args) => {
  const { directory, git, commit } = aRepository();
  for (const a of ['1', '2']) commit({ a });
  const { program, wasRun } = trap();
  const hooks = { 'hooks/reference-transaction': `#!/bin/sh\nexec '${program}'\n` };
  if (name === 'core.hooksPath') writeFiles(directory, hooks);
  for (const key of ['user.name', 'user.email']) git('config', key, 'tester');
  git('config', name, name === 'core.hooksPath' ? join(directory, 'hooks') : program);
  const input = 'protocol=https\nhost=a.example\n\n';
  await runGit({ directory, env: process.env }, args, input);
  expect(wasRun()).toBe(false);
  spawnSync('git', args, { cwd: directory, input });
  expect(wasRun()).toBe(true);
});

it('gives git neither the API key nor what would move it elsewhere', async () => {
  const directory = temporaryFolder();
  const env = {
    ...process.env,
    HERALD_API_KEY: 'secret',
    GITHUB_TOKEN: 'secret',
    GIT_DIR: '/elsewhere',
    GIT_EXTERNAL_DIFF: 'x',
    GIT_SSH_COMMAND: 'x',
  };
  const { stdout } = await runGit({ directory, env }, ['-c', 'alias.show-env=!env', 'show-env']);
  const seen = stdout.toString('utf8');
  expect(seen).toContain('GIT_TERMINAL_PROMPT=0');
  for (const name of ['secret', 'GIT_DIR=', 'GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND'])
    expect(seen).not.toContain(name);
});
