import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeFiles } from '../../helpers/folders.ts';
import { aCi, aFolderWithStubs, VARIANTS, writeCi } from './variants.ts';

/** Runs the script next to stand-ins for npm and Herald, with a file that was committed. The apply fails. */
async function run(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  const { root, env } = aFolderWithStubs({
    npm: 'echo "npm $* next to $(ls herald-out 2>/dev/null)"',
    npx: `echo "npx $* to $HERALD_ALLOWED_ORIGINS with key $HERALD_API_KEY and state $HERALD_STATE_URL"\n[ "$4" != apply ] || exit 4`,
  });
  const settings = aCi({ database: 'HERALD_STATE_URL' });
  const script = await writeCi('generic', settings);
  writeFiles(root, { 'herald-ci.sh': script, 'herald-out/planted.html': '' });
  const secrets = { HERALD_API_KEY: 'writes', HERALD_STATE_URL: 'writes' };
  const views = { HERALD_VIEW_KEY: 'reads', HERALD_STATE_VIEW_URL: 'reads' };
  // From another folder, as a runner may call it.
  const { status, stdout, stderr } = spawnSync('bash', [join(root, 'herald-ci.sh'), ...args], {
    cwd: tmpdir(),
    env: { ...env, ...secrets, ...views },
    encoding: 'utf8',
    input: '',
  });
  return { code: status, said: `${stdout}${stderr}` };
}

it('ends with the exit code of the apply', async () => {
  const { code, said } = await run('apply', '--plan', 'herald-out/herald-plan.json');
  expect([code, said]).toEqual([
    4,
    expect.stringContaining(
      'ci apply --provider generic --branch main --plan herald-out/herald-plan.json to https://api.service.example with key writes and state writes',
    ),
  ]);
});

it.each(['plan', 'drift'])('has a job for the %s, with what can only read', async (job) => {
  const { code, said } = await run(job);
  expect([code, said]).toEqual([0, expect.stringContaining(`ci ${job} --provider generic`)]);
  expect(said).toContain('with key reads and state reads');
});

it('keeps a plan without what was committed in its folder, and removes nothing else', async () => {
  expect((await run('plan')).said).toContain('npm ci --ignore-scripts next to \n');
  expect((await run('apply')).said).toContain('npm ci --ignore-scripts next to planted.html\n');
});

it.each([[], ['deploy']])('does nothing for a job that it does not have: %j', async (...args) => {
  const { code, said } = await run(...args);
  expect([code, said]).toEqual([64, 'Usage: bash herald-ci.sh plan|apply|drift\n']);
});

it.each(VARIANTS)('is a script that bash can read, with %s', async (_title, settings) => {
  const { status, stderr } = spawnSync('bash', ['-n'], {
    input: await writeCi('generic', settings),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
