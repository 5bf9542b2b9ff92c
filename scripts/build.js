import { readFileSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { chunkFiles } from './chunk-files.js';
import { eagerYaml } from './eager-yaml.js';
import { leanCommander } from './lean-commander.js';
import { leanUndici } from './lean-undici.js';
import { pageAssets } from './page-assets.js';
import { shortNames } from './short-names.js';
import { smallZod } from './small-zod.js';
import { laterStart, START_ENTRY, wholeChunks } from './whole-chunks.js';

// Builds everything into dist, or with `--bin DIR` the command line, with `--lib DIR` the library into another folder.
const [flag, folder] = process.argv.slice(2);

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
  sourcemap: true,
};

/** It loads its binary from its own folder, so it stays a package of its own. */
const WITH_BINARY = ['@photostructure/sqlite'];

if (flag === '--bin') await buildCommandLine(folder);
else if (flag === '--lib') await buildLibrary(folder);
else {
  rmSync('dist', { recursive: true, force: true });
  await buildCommandLine('dist/bin');
  await buildLibrary('dist/lib');
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}

/**
 * The command line carries its dependencies, except the one that finds its binary next to itself. The version is printed by one
 * small file. Everything else is split, so that a command loads only what it uses.
 */
async function buildCommandLine(outdir) {
  const external = ['@photostructure/sqlite'];
  const small = { ...shared, outdir, external, minifySyntax: true, minifyWhitespace: true };
  let start = '';
  await build({
    ...small,
    entryPoints: { start: START_ENTRY },
    external: WITH_BINARY,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [
      eagerYaml,
      leanCommander,
      leanUndici,
      smallZod,
      pageAssets,
      wholeChunks,
      chunkFiles((path) => (start = path)),
      shortNames,
    ],
    write: false,
  });
  await build({
    ...small,
    entryPoints: { cli: 'src/cli.ts' },
    plugins: [laterStart(start)],
    banner: { js: '#!/usr/bin/env node' },
  });
}

/**
 * The library leaves its dependencies to the project that installs it, except the YAML parser: there is one parser, the
 * one that the command line has.
 */
async function buildLibrary(outdir) {
  await build({
    ...shared,
    entryPoints: { index: 'src/index.ts' },
    outdir,
    external: Object.keys(dependencies).filter((name) => name !== 'yaml'),
    plugins: [eagerYaml, pageAssets],
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  });
}
