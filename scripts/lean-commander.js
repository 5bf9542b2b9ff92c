/*
 * commander loads `child_process`, and with it Node's sockets, for commands that are programs of their own. Herald has
 * none, so it gets a module without anything in it.
 */

/** For esbuild. */
export const leanCommander = {
  name: 'lean-commander',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[/\\]node_modules[/\\]commander[/\\]/.test(importer)
        ? { path: 'child_process', namespace: 'lean-commander' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'lean-commander' }, () => ({ contents: '' }));
  },
};
