import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/*
 * What is done to the chunks of the command line before they are written, because each file and each `require` costs its
 * start a part of a millisecond:
 *
 * - For a dynamic import of a file that is in a larger chunk, esbuild makes a second file, which only exports what the
 *   chunk has. The import gets the chunk instead.
 * - Packages in CommonJS load modules of Node with `require`. esbuild passes them all through one helper, so only the
 *   chunk of that helper gets a `require`.
 */

/** A file that only exports what one chunk has, under the same names. Its other imports are those of the chunk. */
const FACADE =
  /^import\{([^}]*)\}from"(\.\/(?:chunks\/)?chunk-\w+\.js)";(?:import"[^"]+";)*export\{\1\};\n(?:\/\/#.*\n)?$/;

const HELPER = 'typeof require<"u"?require:';
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

/** For esbuild. Writes the files itself, so `write` has to be false. Gives the path of the chunk that has the entry. */
export const chunkFiles = (onEntry) => ({
  name: 'chunk-files',
  setup(build) {
    build.onEnd(({ errors, outputFiles }) => {
      if (errors.length > 0) return;
      const scripts = outputFiles.filter(({ path }) => path.endsWith('.js'));
      const chunkOf = new Map(
        scripts.flatMap(({ path, text }) => {
          const [, names, chunk] = FACADE.exec(text) ?? [];
          return names === undefined || names.includes(' as ') ? [] : [[basename(path), chunk]];
        }),
      );
      const helpers = scripts.filter(({ text }) => text.includes(HELPER));
      if (helpers.length !== 1)
        throw new Error(`${helpers.length} chunks have the helper of require, not one`);
      for (const { path, contents } of outputFiles) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, contents);
      }
      for (const { path, text } of scripts) {
        const direct = text.replace(/import\("\.\/([\w.-]+\.js)"\)/g, (found, name) =>
          chunkOf.has(name) ? `import("${chunkOf.get(name)}")` : found,
        );
        writeFileSync(path, path === helpers[0].path ? `${REQUIRE}${direct}` : direct);
      }
      onEntry(chunkOf.get('start.js') ?? './start.js');
    });
  },
});
