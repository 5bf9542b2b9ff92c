import { createRequire } from 'node:module';

/*
 * Herald uses Node's own fetch; undici only lends it a dispatcher. The package's entry loads a second fetch, caches,
 * mocks and a WebAssembly parser as well, which takes twice as long as Node's own start. So the transport gets only the
 * modules that it uses. The entry also gives every dispatcher its methods; the proxy dispatcher needs one of them,
 * `connect`, to open its tunnels.
 */
const PARTS = {
  EnvHttpProxyAgent: 'undici/lib/dispatcher/env-http-proxy-agent.js',
  buildConnector: 'undici/lib/core/connect.js',
  Pool: 'undici/lib/dispatcher/pool.js',
};
const DISPATCHER = 'undici/lib/dispatcher/dispatcher.js';
const CONNECT = 'undici/lib/api/api-connect.js';

/** For esbuild. A name that the transport imports and that is missing here fails the build. */
export const leanUndici = {
  name: 'lean-undici',
  setup(build) {
    const require = createRequire(import.meta.url);
    const from = (path) => JSON.stringify(require.resolve(path));
    build.onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.replaceAll('\\', '/').endsWith('src/api/transport.ts')
        ? { path: 'parts', namespace: 'lean-undici' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'lean-undici' }, () => ({
      resolveDir: process.cwd(),
      contents: [
        `import Dispatcher from ${from(DISPATCHER)};`,
        `import connect from ${from(CONNECT)};`,
        'Dispatcher.prototype.connect = connect;',
        ...Object.entries(PARTS).map(([name, path]) => `export { default as ${name} } from ${from(path)};`),
      ].join('\n'),
    }));
  },
};
