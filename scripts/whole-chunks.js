import { isBuiltin } from 'node:module';
import { relative, resolve } from 'node:path';

/*
 * esbuild puts two files into one chunk if the same dynamic imports need both. Herald has more than a hundred dynamic
 * imports, so a command was spread over dozens of small chunks, and each one costs its start half a millisecond. Here
 * whatever is imported dynamically also imports what is loaded by then, or soon after, in any case. So the same dynamic
 * imports need all of that, and it is one chunk. Nothing is loaded that would not be loaded otherwise, except a few
 * constants that are smaller than a chunk of their own.
 */

/** What every command loads, with help. The first has what the start exports. */
const START = [
  'src/cli/start.ts',
  // The commands that are run most: validate, plan, apply.
  'src/cli/resources/declare.ts',
  'src/domain/allowance.ts',
  'src/domain/workspace.ts',
  // The shapes that are both of files and of the service. Help loads them with the lists.
  'src/domain/audience.ts',
  'src/domain/broadcast.ts',
  'src/domain/campaign.ts',
  'src/domain/kind.ts',
  'src/api/upload-file.ts',
];
/** What almost every command loads that is run: all that reads the files of a workspace. */
const FILES = [
  'src/workspace/state.ts',
  'src/workspace/load.ts',
  'src/library/load-options.ts',
  // A few lines. A file of its own costs more.
  'src/cli/resources/validate.ts',
];

/** The entry of the command line. */
export const START_ENTRY = 'the start';

/** What a dynamic import also imports. Help loads the declarations of all commands, and nothing else. */
function stagesFor(path) {
  return path.endsWith('/declare.ts') ? START : [...START, ...FILES];
}

/** For esbuild. */
export const wholeChunks = {
  name: 'whole-chunks',
  setup(build) {
    build.onResolve({ filter: /^the start$/ }, () => ({ path: 'start', namespace: 'whole-chunks-start' }));
    build.onLoad({ filter: /.*/, namespace: 'whole-chunks-start' }, () =>
      importing(START, `export * from './${START[0]}';`),
    );
    build.onResolve({ filter: /^\.\.?\/.*\.tsx?$/ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: relative('.', resolve(resolveDir, path)).replaceAll('\\', '/'), namespace: 'whole-chunks' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'whole-chunks' }, ({ path }) =>
      importing(stagesFor(path), `export * from './${path}';`),
    );
    build.onResolve({ filter: /^(?:@[\w-]+\/)?[\w-]+$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' && !isBuiltin(path) ? { path, namespace: 'whole-chunks-package' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'whole-chunks-package' }, ({ path }) =>
      importing(
        START,
        `import * as all from '${path}'; export * from '${path}'; export default Reflect.get(all, 'default');`,
      ),
    );
  },
};

function importing(stages, contents) {
  return {
    resolveDir: process.cwd(),
    contents: [...stages.map((stage) => `import './${stage}';`), contents].join('\n'),
  };
}

/** For esbuild. Leaves everything but the version to the built start. */
export const laterStart = (path) => ({
  name: 'later-start',
  setup(build) {
    build.onResolve({ filter: /\/cli\/start\.ts$/ }, () => ({ path, external: true }));
  },
});
