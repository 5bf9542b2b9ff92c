import { rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { eagerYaml } from './eager-yaml.js';
import { leanUndici } from './lean-undici.js';

// Builds everything into dist, or with `--bin DIR` the command line alone into another folder.
const [flag, folder] = process.argv.slice(2);
const onlyBin = flag === '--bin' ? folder : undefined;

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
  sourcemap: true,
};

if (onlyBin === undefined) {
  rmSync('dist', { recursive: true, force: true });
  await buildCommandLine('dist/bin');
  await buildLibrary('dist/lib');
} else {
  await buildCommandLine(onlyBin);
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
    plugins: [eagerYaml, leanUndici],
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  });
}

/** The library leaves its dependencies to whoever installs it. */
async function buildLibrary(outdir) {
  await build({ ...shared, entryPoints: { index: 'src/index.ts' }, outdir, packages: 'external' });
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}
