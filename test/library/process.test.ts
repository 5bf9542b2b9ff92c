import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderForFile } from '../helpers/temporary-folder.ts';

// Below node_modules, so that the built library finds its dependencies as it does where it is installed.
const built = mkdtempSync(resolve('node_modules', '.library-'));
const workspace = folderForFile();

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build.js', '--lib', join(built, 'lib')]);
  await build({
    entryPoints: ['examples/library/apply.ts'],
    outfile: join(built, 'apply.mjs'),
    format: 'esm',
    bundle: true,
    alias: { 'herald-campaigns': './lib/index.js' },
    external: ['./lib/index.js'],
    logLevel: 'warning',
  });
  cpSync('examples/quickstart', workspace, { recursive: true });
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

it('the example plans and applies on the simulator through the built library', () => {
  const run = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(built, 'apply.mjs'), workspace], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const first = run();
  expect(first).toMatchObject({ status: 0 });
  expect(first.stdout).toContain('alice/campaign/Welcome: applied');
  expect(first.stderr).toContain('1 of 2');
  const second = run();
  expect(second).toMatchObject({ status: 0, stderr: '' });
  expect(second.stdout).toContain('alice/campaign/Welcome: unchanged');
});
