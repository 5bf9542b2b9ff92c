import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/*
 * Node 20 reads each source again at every start, and dependencies are half of what `validate` loads. Shorter names
 * inside of them save a millisecond or two of its processor time. Herald's own names stay: the stack of a bug report is
 * read by people, and ends in Herald's own code. They would save nothing that could be measured.
 */
const DEPENDENCY = /[/\\]node_modules[/\\].*\.[cm]?js$/;

/** For esbuild. The last of the plugins, because the others look at sources as they are published. */
export const shortNames = {
  name: 'short-names',
  setup(build) {
    build.onLoad({ filter: DEPENDENCY }, async ({ path }) => ({
      contents: await withShortNames(path, build.initialOptions.target),
    }));
  },
};

/** The source of a dependency. */
export async function withShortNames(path, target) {
  const { code } = await transform(await readFile(path, 'utf8'), {
    target,
    minifyIdentifiers: true,
    legalComments: 'none',
  });
  return code;
}
