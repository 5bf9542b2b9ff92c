import { createRequire } from 'node:module';

/*
 * The service is asked through the fetch of Node, to which undici only lends a dispatcher. The package's entry loads
 * a fetch of its own, caches, mocks and a parser of WebAssembly besides, which takes twice as long as Node itself
 * takes to start; so the transport gets the two modules that it uses.
 */
const PARTS = {
  EnvHttpProxyAgent: 'undici/lib/dispatcher/env-http-proxy-agent.js',
  buildConnector: 'undici/lib/core/connect.js',
};

/** For esbuild. A name that the transport imports and that is missing here fails the build. */
export const leanUndici = {
  name: 'lean-undici',
  setup(build) {
    const require = createRequire(import.meta.url);
    build.onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.replaceAll('\\', '/').endsWith('src/api/transport.ts')
        ? { path: 'parts', namespace: 'lean-undici' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'lean-undici' }, () => ({
      resolveDir: process.cwd(),
      contents: Object.entries(PARTS)
        .map(([name, path]) => `export { default as ${name} } from ${JSON.stringify(require.resolve(path))};`)
        .join('\n'),
    }));
  },
};
