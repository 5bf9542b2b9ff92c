import { readFileSync } from 'node:fs';
import { resolve, dirname } from 'node:path';
import { build } from 'esbuild';

/*
 * The styles and the script of the page are files of their own in src/page. `import style from './page.css?page'` is
 * their text, bundled and minified, so that the page is one file. `?text` is the text of a file as it is, such as a template.
 */

const QUERY = '?page';
const PLAIN = '?text';
const AS_TEXT = '.page-text.js';

/** For esbuild. */
export const pageAssets = {
  name: 'page-assets',
  setup(into) {
    into.onResolve({ filter: /\?page$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -QUERY.length)),
      namespace: 'page-asset',
    }));
    into.onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -PLAIN.length)),
      namespace: 'plain-text',
    }));
    into.onLoad({ filter: /./, namespace: 'plain-text' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'text',
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
    id.endsWith(QUERY) || id.endsWith(PLAIN) ? `\0${resolve(dirname(importer), id)}${AS_TEXT}` : null,
  load: async (id) =>
    id.startsWith('\0') && id.endsWith(AS_TEXT)
      ? `export default ${JSON.stringify(await assetOf(id.slice(1, -AS_TEXT.length)))};`
      : null,
};

function assetOf(id) {
  const path = id.slice(0, -QUERY.length);
  return id.endsWith(PLAIN) ? readFileSync(path, 'utf8') : textOf(path);
}

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
