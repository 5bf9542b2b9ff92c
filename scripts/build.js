import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { pageAssets } from './page-assets.js';

// Builds everything into dist, or with `--bin DIR` the command line, with `--lib DIR` the library into another folder.
const [flag, folder] = process.argv.slice(2);

/** Its binary is next to its code, so it is installed, and never a part of a bundle. */
const SQLITE = '@photostructure/sqlite';

/** Its build for browsers. The other one asks the environment of the process at each token, which is a fifth of the time. */
const YAML = './node_modules/yaml/browser/dist/index.js';

if (flag === '--bin') await buildCommandLine(folder);
else if (flag === '--lib') await buildLibrary(folder);
else {
  rmSync('dist', { recursive: true, force: true });
  await buildCommandLine('dist/bin');
  await buildLibrary('dist/lib');
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--checkers', '1'];
  execFileSync(process.execPath, tsc, { stdio: 'inherit' });
}

/** The command line carries its dependencies. Whatever is imported dynamically is a chunk that only its users load. */
function buildCommandLine(outdir) {
  return bundle({
    entryPoints: { cli: 'src/cli.ts' },
    outdir,
    external: [SQLITE],
    alias: { yaml: YAML },
    minifySyntax: true,
    minifyWhitespace: true,
    // Dependencies in CommonJS load modules of Node with it.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

/** The library leaves its dependencies to the project that installs it. */
function buildLibrary(outdir) {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  return bundle({ entryPoints: { index: 'src/index.ts' }, outdir, external: Object.keys(dependencies) });
}

function bundle(options) {
  return build({
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [pageAssets],
    ...options,
  });
}
