import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pageAssets } from './page-assets.js';

// Runs a TypeScript program of this repository: node scripts/run.js ENTRY [ARG …]
const [entry, ...args] = process.argv.slice(2);

// Next to the dependencies, so that the bundle finds them.
const folder = mkdtempSync(join('node_modules', '.run-'));
try {
  const outfile = join(folder, 'main.mjs');
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [pageAssets],
    outfile,
  });
  const result = spawnSync(process.execPath, [outfile, ...args], { stdio: 'inherit' });
  process.exitCode = result.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
