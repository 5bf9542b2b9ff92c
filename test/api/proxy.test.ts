import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWebFetch } from '../../src/api/transport.ts';
import { aProxy } from '../process/proxies.ts';
import { callOf, CAMPAIGN, inWords, wordsOf } from './client-scene.ts';
import { aClosedPort, anHttpServer, aWire } from './wire.ts';

/** A proxy that is closed after the test. */
async function aProxyTo(port: number, options: Parameters<typeof aProxy>[1] = {}) {
  const proxy = await aProxy(port, options);
  onTestFinished(() => proxy.close());
  return { proxyUrl: `http://127.0.0.1:${proxy.port}`, asked: proxy.asked };
}

/** A service, and a proxy that opens tunnels to it. */
async function aProxiedService() {
  const { url } = await anHttpServer((request, response) => {
    request.resume();
    response.writeHead(request.method === 'GET' ? 200 : 201).end(JSON.stringify(CAMPAIGN));
  });
  const { proxyUrl, asked } = await aProxyTo(Number(new URL(url).port));
  return { url, proxyUrl, tunnels: () => asked.map(({ to }) => to) };
}

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('proxies of the environment', () => {
  it('HTTP_PROXY is used for reads and writes', async () => {
    const { proxyUrl, tunnels } = await aProxiedService();
    vi.stubEnv('HTTP_PROXY', proxyUrl);
    const { client } = aWire('http://service.test');
    expect(inWords(await callOf(client, 'read'))).toBe('done');
    expect(inWords(await callOf(client, 'once'))).toBe('done');
    expect(inWords(await callOf(client, 'once'))).toBe('done');
    // One kept tunnel for reads, a fresh one for each write.
    expect(tunnels()).toEqual(['service.test:80', 'service.test:80', 'service.test:80']);
  });

  it('HTTP_PROXY is used for other sites than the service, too', async () => {
    const { proxyUrl, tunnels } = await aProxiedService();
    vi.stubEnv('HTTP_PROXY', proxyUrl);
    expect((await createWebFetch()('http://site.test/x', {})).status).toBe(200);
    expect(tunnels()).toEqual(['site.test:80']);
  });

  it('NO_PROXY leaves hosts out', async () => {
    const { url, tunnels } = await aProxiedService();
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${await aClosedPort()}`);
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    expect(inWords(await callOf(aWire(url).client, 'once'))).toBe('done');
    expect(tunnels()).toEqual([]);
  });

  it('a proxy that is down, or that refuses the tunnel, proves that nothing was sent', async () => {
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${await aClosedPort()}`);
    expect(inWords(await callOf(aWire('http://service.test').client, 'once'))).toBe('not sent');
    const { proxyUrl } = await aProxyTo(await aClosedPort(), { refuse: 403 });
    vi.stubEnv('HTTP_PROXY', proxyUrl);
    const result = await callOf(aWire('http://service.test').client, 'once');
    expect(inWords(result)).toBe('not sent');
    expect(wordsOf(result)).toContain('Proxy response (403)');
  });
});
