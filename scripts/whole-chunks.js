import { relative, resolve } from 'node:path';

/*
 * esbuild puts two files into one chunk if the same dynamic imports need both. Herald has more than a hundred dynamic
 * imports, so a command was spread over dozens of small chunks, and each one costs its start half a millisecond. Here
 * whatever is imported dynamically also imports what is loaded by then, or soon after, in any case. So the same dynamic
 * imports need all of that, and it is one chunk. Nothing is loaded that would not be loaded otherwise.
 */

/** What every command loads. */
const START = 'src/cli/start.ts';
/** What every command loads that is run, and not only described. */
const RUN = 'src/cli/run-command.ts';
/** What almost every command loads that is run: all that reads the files of a workspace. */
const FILES = ['src/workspace/state.ts', 'src/workspace/load.ts', 'src/library/load-options.ts'];

/** What a dynamic import also imports. Help loads the declarations of all commands, and nothing else. */
function stagesFor(path) {
  if (path === RUN || path.endsWith('/declare.ts')) return [START];
  return [START, RUN, ...FILES];
}

/** For esbuild. */
export const wholeChunks = {
  name: 'whole-chunks',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.tsx?$/ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: relative('.', resolve(resolveDir, path)).replaceAll('\\', '/'), namespace: 'whole-chunks' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'whole-chunks' }, ({ path }) => ({
      resolveDir: process.cwd(),
      contents: [
        ...stagesFor(path).map((stage) => `import './${stage}';`),
        `export * from './${path}';`,
      ].join('\n'),
    }));
  },
};

/** For esbuild. Leaves everything but the version to the built start. */
export const laterStart = {
  name: 'later-start',
  setup(build) {
    build.onResolve({ filter: /\/cli\/start\.ts$/ }, () => ({ path: './start.js', external: true }));
  },
};
