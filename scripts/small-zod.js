import { dirname, resolve } from 'node:path';
import { withShortNames } from './short-names.js';

/*
 * esbuild puts a file into one chunk, with everything that any command uses of it. The full dialect of zod needs all of
 * the core, the small one half of it, and every start would load all. So the small dialect gets a copy of zod's files, of
 * which only what it uses is left. The dialects can still be nested: shapes know each other by their traits, and the
 * settings and the help of shapes are global.
 */

/** What `src` imports of the small dialect, and the file of each. */
const ENTRIES = {
  'zod/mini': 'mini/index.js',
  'zod/locales': 'locales/index.js',
  'zod/v4/core': 'v4/core/index.js',
};

/** For esbuild. */
export const smallZod = {
  name: 'small-zod',
  setup(build) {
    const small = (path) => ({ path, namespace: 'small-zod', sideEffects: false });
    build.onResolve({ filter: /^zod\// }, ({ path }) =>
      Object.hasOwn(ENTRIES, path) ? small(resolve('node_modules/zod', ENTRIES[path])) : undefined,
    );
    build.onResolve({ filter: /^\./, namespace: 'small-zod' }, ({ path, importer }) =>
      small(resolve(dirname(importer), path)),
    );
    build.onLoad({ filter: /.*/, namespace: 'small-zod' }, async ({ path }) => ({
      contents: await withShortNames(path, build.initialOptions.target),
    }));
  },
};
