import { readFileSync } from 'node:fs';
import { resolve, dirname } from 'node:path';
import { build } from 'esbuild';

/*
 * The styles and the script of the page are files of their own in src/page. `import style from './page.css?page'` is
 * their text, bundled and minified, so that the page is one file. `?text` is the text of a file as it is, such as a template.
 */

const KINDS = [
  // Not the name of a style sheet in vitest, because it empties those.
  { query: '?page', filter: /\?page$/, ending: '.page-text.js', read: bundleAsset },
  { query: '?text', filter: /\?text$/, ending: '.plain-text.js', read: (path) => readFileSync(path, 'utf8') },
];

const locate = (folder, id, query) => resolve(folder, id.slice(0, -query.length));

/** For esbuild. */
export const pageAssets = {
  name: 'page-assets',
  setup(into) {
    for (const { query, filter, read } of KINDS) {
      into.onResolve({ filter }, ({ path, resolveDir }) => ({
        path: locate(resolveDir, path, query),
        namespace: query,
      }));
      into.onLoad({ filter: /./, namespace: query }, async ({ path }) => ({
        contents: await read(path),
        loader: 'text',
      }));
    }
  },
};

/** For vitest, so that the tests see what is released. */
export const pageAssetsInTests = {
  name: 'page-assets',
  enforce: 'pre',
  resolveId: (id, importer) => {
    const kind = KINDS.find(({ query }) => id.endsWith(query));
    return kind === undefined ? null : `\0${locate(dirname(importer), id, kind.query)}${kind.ending}`;
  },
  load: async (id) => {
    const kind = KINDS.find(({ ending }) => id.startsWith('\0') && id.endsWith(ending));
    return kind === undefined
      ? null
      : `export default ${JSON.stringify(await kind.read(id.slice(1, -kind.ending.length)))};`;
  },
};

/** A script or a style sheet as one text that a browser runs as it is. */
async function bundleAsset(path) {
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
