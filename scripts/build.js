import { readFileSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { eagerYaml } from './eager-yaml.js';
import { leanUndici } from './lean-undici.js';
import { pageAssets } from './page-assets.js';

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

/** The command line carries its dependencies and is split, so that a command loads only what it uses. */
async function buildCommandLine(outdir) {
  await build({
    ...shared,
    entryPoints: { cli: 'src/cli.ts' },
    outdir,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [eagerYaml, leanUndici, pageAssets],
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
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
