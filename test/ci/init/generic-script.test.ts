import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ciFile } from '../../../src/ci/init/file.ts';
import { aCi, VARIANTS } from './variants.ts';

/** A checkout with the script, and stand-ins for npm and Herald. The apply writes a ledger and fails. */
function aCheckout(): { readonly root: string; readonly origin: string } {
  const home = mkdtempSync(join(tmpdir(), 'herald-generic-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [root, origin] = [join(home, 'ads'), join(home, 'origin.git')];
  execFileSync('git', ['init', '--quiet', '--bare', origin]);
  execFileSync('git', ['clone', '--quiet', origin, root], { stdio: 'pipe' });
  mkdirSync(join(home, 'bin'));
  const stubs = {
    npm: 'echo "npm $*"',
    npx: `echo "npx $* to $HERALD_ALLOWED_ORIGINS"
[ "$4" != apply ] || { mkdir -p .herald && echo '{"line":1}' > .herald/ledger.ndjson; exit 4; }`,
  };
  for (const [name, text] of Object.entries(stubs)) {
    writeFileSync(join(home, 'bin', name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(home, 'bin', name), 0o755);
  }
  const file = ciFile('generic', aCi(), null);
  writeFileSync(join(root, 'herald-ci.sh'), file.kind === 'text' ? file.text : '');
  return { root, origin };
}

function run(
  root: string,
  ...args: readonly string[]
): { readonly code: number | null; readonly said: string } {
  const env = { ...process.env, PATH: `${join(root, '../bin')}:${process.env['PATH'] ?? ''}` };
  // From another folder, as a runner may call it.
  const { status, stdout, stderr } = spawnSync('bash', [join(root, 'herald-ci.sh'), ...args], {
    cwd: tmpdir(),
    env,
    encoding: 'utf8',
    input: '',
  });
  return { code: status, said: `${stdout}${stderr}` };
}

it('keeps the ledger after a failed apply, and ends with the exit code of the apply', () => {
  const { root, origin } = aCheckout();
  const { code, said } = run(root, 'apply', '--plan', 'herald-out/herald-plan.json');
  expect([code, said]).toEqual([
    4,
    expect.stringContaining(
      'ci apply --provider generic --branch main --plan herald-out/herald-plan.json to https://api.service.example',
    ),
  ]);
  const shown = ['-C', origin, 'show', 'herald-state:.herald/ledger.ndjson'];
  expect(execFileSync('git', shown, { encoding: 'utf8' })).toBe('{"line":1}\n');
});

it('plans and looks for drift with the ledger of the last apply', () => {
  const { root } = aCheckout();
  run(root, 'apply');
  for (const job of ['plan', 'drift']) {
    rmSync(join(root, '.herald'), { recursive: true });
    const { code, said } = run(root, job);
    expect([code, said]).toEqual([0, expect.stringContaining(`ci ${job} --provider generic`)]);
    expect(execFileSync('cat', [join(root, '.herald/ledger.ndjson')], { encoding: 'utf8' })).toBe(
      '{"line":1}\n',
    );
  }
});

it.each([[], ['deploy']])('does nothing for a job that it does not have: %j', (...args) => {
  const { root } = aCheckout();
  const { code, said } = run(root, ...args);
  expect([code, said]).toEqual([64, 'Usage: bash herald-ci.sh plan|apply|drift\n']);
});

it.each(VARIANTS)('is a script that bash can read, with %s', (_title, settings) => {
  const file = ciFile('generic', settings, null);
  const { status, stderr } = spawnSync('bash', ['-n'], {
    input: file.kind === 'text' ? file.text : '',
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
