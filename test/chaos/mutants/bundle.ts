import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { pageAssets } from '../../../scripts/page-assets.js';
import { withFault, type Mutant } from './mutant.ts';

const ENTRY = 'test/chaos/main.ts';

/** Builds the chaos run into the folder, with the fault in it or, for null, as it is. */
export async function bundleWith(mutant: Mutant | null, folder: string, name: string): Promise<URL> {
  const outfile = join(folder, `${name}.mjs`);
  const mutation = mutant === null ? null : mutationOf(mutant);
  await build({
    entryPoints: [ENTRY],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    outfile,
    plugins: mutation === null ? [pageAssets] : [pageAssets, mutation.plugin],
  });
  if (mutation?.wasLoaded() === false)
    throw new Error(
      `The mutant "${mutant?.name ?? ''}" changes nothing: the chaos run does not load its file.`,
    );
  return pathToFileURL(resolve(outfile));
}

function mutationOf(mutant: Mutant): { readonly plugin: Plugin; readonly wasLoaded: () => boolean } {
  const path = resolve(mutant.file);
  let wasLoaded = false;
  const plugin: Plugin = {
    name: 'mutant',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, async (file) => {
        if (file.path !== path) return undefined;
        wasLoaded = true;
        return { contents: withFault(mutant, await readFile(path, 'utf8')), loader: 'ts' };
      });
    },
  };
  return { plugin, wasLoaded: () => wasLoaded };
}
