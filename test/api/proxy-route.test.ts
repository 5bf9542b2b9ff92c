import { describe, expect, it } from 'vitest';
import { proxyRoute, type ProxyRoute } from '../../src/api/proxy.ts';

const HTTP = 'http://service.example/base';
const HTTPS = 'https://service.example:8443';

function inWords(route: ProxyRoute): string {
  if (route.kind === 'direct') return `direct: ${route.why}`;
  return route.kind === 'proxy' ? `${route.variable}: ${route.address}` : `${route.variable} is broken`;
}

/** The rules of undici's EnvHttpProxyAgent, as its source of 7.30.2 has them. */
describe('the way to a service', () => {
  it.each([
    [HTTP, {}, 'direct: no proxy is set for it'],
    [HTTP, { HTTP_PROXY: 'http://p:3128' }, 'HTTP_PROXY: http://p:3128'],
    [HTTP, { http_proxy: 'http://low:1', HTTP_PROXY: 'http://up:1' }, 'http_proxy: http://low:1'],
    [HTTP, { http_proxy: '', HTTP_PROXY: 'http://up:1' }, 'direct: no proxy is set for it'],
    [HTTP, { HTTPS_PROXY: 'http://p:3128' }, 'direct: no proxy is set for it'],
    [HTTPS, { HTTPS_PROXY: 'https://p:3128' }, 'HTTPS_PROXY: https://p:3128'],
    [HTTPS, { HTTP_PROXY: 'http://p:3128' }, 'HTTP_PROXY: http://p:3128'],
    [HTTPS, { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:2' }, 'HTTPS_PROXY: http://b:2'],
    [HTTPS, { HTTPS_PROXY: 'http://mia:secret@p:3128/x?y' }, 'HTTPS_PROXY: http://***@p:3128'],
    [HTTPS, { HTTPS_PROXY: 'proxy:3128' }, 'HTTPS_PROXY is broken'],
    [HTTP, { HTTPS_PROXY: 'socks5://p:1080', HTTP_PROXY: 'http://p:1' }, 'HTTPS_PROXY is broken'],
    [HTTP, { HTTP_PROXY: 'http://p:1', NO_PROXY: '*' }, 'direct: NO_PROXY has *'],
    [
      HTTP,
      { HTTP_PROXY: 'http://p:1', NO_PROXY: 'x.test, service.example' },
      'direct: NO_PROXY has service.example',
    ],
    [HTTP, { HTTP_PROXY: 'http://p:1', NO_PROXY: 'EXAMPLE' }, 'direct: NO_PROXY has EXAMPLE'],
    [HTTP, { HTTP_PROXY: 'http://p:1', NO_PROXY: '*.example' }, 'direct: NO_PROXY has *.example'],
    [HTTP, { HTTP_PROXY: 'http://p:1', NO_PROXY: 'vice.example' }, 'HTTP_PROXY: http://p:1'],
    [HTTPS, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'service.example:443' }, 'HTTPS_PROXY: http://p:1'],
    [
      HTTPS,
      { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'service.example:8443' },
      'direct: NO_PROXY has service.example:8443',
    ],
    [HTTP, { HTTP_PROXY: 'http://p:1', no_proxy: '', NO_PROXY: '*' }, 'HTTP_PROXY: http://p:1'],
    ['http://10.1.2.3', { HTTP_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8' }, 'HTTP_PROXY is broken'],
    [
      'http://10.1.2.3',
      { HTTP_PROXY: 'http://p:1', NO_PROXY: '11.0.0.0/8, 10.0.0.0/99' },
      'HTTP_PROXY: http://p:1',
    ],
    [
      'http://10.1.2.3',
      { HTTP_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8,10.1.2.3' },
      'direct: NO_PROXY has 10.1.2.3',
    ],
    ['http://[fd00::1]', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'fd00::/8' }, 'HTTP_PROXY is broken'],
    [HTTP, { HTTP_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8' }, 'HTTP_PROXY: http://p:1'],
    ['http://[::1]:8080', { HTTP_PROXY: 'http://p:1', NO_PROXY: '[::1]' }, 'direct: NO_PROXY has [::1]'],
  ])('%s with %o: %s', (baseUrl, env, words) => {
    expect(inWords(proxyRoute(baseUrl, env))).toBe(words);
  });
});
