import { resolve, dirname } from 'node:path';
import { build } from 'esbuild';

/*
 * The styles and the script of the page are files of their own in src/page. `import style from './page.css?page'` is
 * their text, bundled and minified, so that the page is one file.
 */

const QUERY = '?page';

/** For esbuild. */
export const pageAssets = {
  name: 'page-assets',
  setup(into) {
    into.onResolve({ filter: /\?page$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -QUERY.length)),
      namespace: 'page-asset',
    }));
    into.onLoad({ filter: /./, namespace: 'page-asset' }, async ({ path }) => ({
      contents: await textOf(path),
      loader: 'text',
    }));
  },
};

/** For vitest, so that the tests see what is released. */
export const pageAssetsInTests = {
  name: 'page-assets',
  enforce: 'pre',
  resolveId: (id, importer) => (id.endsWith(QUERY) ? `\0${resolve(dirname(importer), id)}` : null),
  load: async (id) =>
    id.startsWith('\0') && id.endsWith(QUERY)
      ? `export default ${JSON.stringify(await textOf(id.slice(1, -QUERY.length)))};`
      : null,
};

/** A script or a style sheet as one text that a browser runs as it is. */
async function textOf(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    logLevel: 'warning',
    outdir: 'page',
  });
  return outputFiles[0].text.trim();
}
