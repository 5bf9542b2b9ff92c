import { rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
  sourcemap: true,
};

// The command line carries its dependencies and is split, so that a command loads only what it uses.
await build({
  ...shared,
  entryPoints: { cli: 'src/cli.ts' },
  outdir: 'dist/bin',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
});

// The library leaves its dependencies to whoever installs it.
await build({ ...shared, entryPoints: { index: 'src/index.ts' }, outdir: 'dist/lib', packages: 'external' });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
