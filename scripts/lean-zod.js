import { readFile } from 'node:fs/promises';

/*
 * zod has its JSON schemas in the lists of what it exports, so esbuild puts them next to all of zod that a start loads.
 * Only the full dialect makes JSON schemas, and it takes them from their own files.
 */
const LISTS = /[/\\]node_modules[/\\]zod[/\\]v4[/\\](?:core[/\\]index|mini[/\\]external)\.js$/;
const JSON_SCHEMA =
  /^export .* from "[./]*(?:core)?\/(?:to-json-schema|json-schema-processors|json-schema-generator)\.js";$/gm;

/** For esbuild. */
export const leanZod = {
  name: 'lean-zod',
  setup(build) {
    build.onLoad({ filter: LISTS }, async ({ path }) => {
      const whole = await readFile(path, 'utf8');
      const contents = whole.replace(JSON_SCHEMA, '');
      if (contents === whole) throw new Error(`${path} exports JSON schemas in another way`);
      return { contents };
    });
  },
};
