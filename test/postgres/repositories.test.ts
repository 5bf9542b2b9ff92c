import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { teamOf } from '../helpers/postgres-team.ts';
import { heraldWithPostgres } from '../helpers/herald-with-postgres.ts';

const real = heraldWithPostgres();

/** Makes a clone of a repository with this address from a folder. */
function cloned<Folder extends { readonly directory: string }>(folder: Folder, url: string): Folder {
  mkdirSync(join(folder.directory, '.git'));
  writeFileSync(join(folder.directory, '.git/config'), `[remote "origin"]\n\turl = ${url}\n`);
  return folder;
}

describe('a workspace of the database', () => {
  it('is shared by the clones of one repository, and refused to another one until that takes it over', async () => {
    const { runner, writes, live } = await teamOf(real);
    const ana = cloned(runner(), 'git@github.com:acme/ads.git');
    const ci = cloned(runner(), 'https://token:hidden-pass@github.com/Acme/ads');
    const other = cloned(runner(), 'git@github.com:acme/other.git');
    expect((await ana.run('state', 'init')).code).toBe(0);
    expect((await ana.run('apply', '--yes')).code).toBe(0);
    expect((await ci.run('apply', '--yes')).code).toBe(0);
    const sent = writes();
    for (const args of [['plan'], ['apply', '--yes'], ['state', 'init'], ['state', 'unlock', '--yes']]) {
      const refused = await other.run(...args);
      expect([refused.code, refused.stderr], args.join(' ')).toEqual([
        1,
        expect.stringMatching(/acme\/ads[\s\S]*herald state init --adopt-state/),
      ]);
      expect(refused.stdout + refused.stderr).not.toContain('hidden-pass');
    }
    expect(writes()).toBe(sent);
    expect((await other.run('state', 'init', '--adopt-state')).code).toBe(0);
    expect((await other.run('plan', '--detailed-exitcode')).code).toBe(0);
    const left = await ci.run('plan');
    expect([left.code, left.stderr]).toEqual([1, expect.stringContaining('acme/other')]);
    expect(live()).toEqual(['Welcome active']);
  });

  it('is that of the first repository with git that has the lease, if it was set up without', async () => {
    const { runner } = await teamOf(real);
    const plain = runner();
    expect((await plain.run('state', 'init')).code).toBe(0);
    const ana = cloned(runner(), 'git@github.com:acme/ads.git');
    expect((await ana.run('apply', '--yes')).code).toBe(0);
    expect((await plain.run('plan', '--detailed-exitcode')).code).toBe(0);
    const other = cloned(runner(), 'git@github.com:acme/other.git');
    expect((await other.run('plan')).code).toBe(1);
  });
});
