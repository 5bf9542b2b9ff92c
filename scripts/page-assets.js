import { resolve, dirname } from 'node:path';
import { build } from 'esbuild';

/*
 * The styles and the script of the page are files of their own in src/page. `import style from './page.css?page'` is
 * their text, bundled and minified, so that the page is one file.
 */

const QUERY = '?page';
const AS_TEXT = '.page-text.js';

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
  // Not the name of a style sheet, because vitest empties those.
  resolveId: (id, importer) =>
    id.endsWith(QUERY) ? `\0${resolve(dirname(importer), id.slice(0, -QUERY.length))}${AS_TEXT}` : null,
  load: async (id) =>
    id.startsWith('\0') && id.endsWith(AS_TEXT)
      ? `export default ${JSON.stringify(await textOf(id.slice(1, -AS_TEXT.length)))};`
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
