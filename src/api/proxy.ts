import { BlockList, isIP } from 'node:net';

/** The route of requests to an address. Addresses in it contain no password. */
export type ProxyRoute =
  | { readonly kind: 'direct'; readonly why: string }
  /** `variable` names it; `address` has its credentials masked. */
  | { readonly kind: 'proxy'; readonly variable: string; readonly address: string }
  | { readonly kind: 'broken'; readonly variable: string; readonly why: string };

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The way that the transport takes: HTTPS_PROXY for https, or HTTP_PROXY where that is not set; the lower-case names
 * go first, and NO_PROXY before all. The rules are those of undici's EnvHttpProxyAgent, which the transport is made of.
 */
export function proxyRoute(baseUrl: string, env: Env): ProxyRoute {
  const url = new URL(baseUrl);
  const http = findVariable(env, 'http_proxy');
  const secure = url.protocol === 'https:' ? findVariable(env, 'https_proxy') : null;
  // Both are opened, whichever is used.
  for (const found of [http, findVariable(env, 'https_proxy')]) {
    const why = found === null ? null : findFault(found.value);
    if (found !== null && why !== null) return { kind: 'broken', variable: found.name, why };
  }
  const chosen = secure ?? http;
  if (chosen === null) return { kind: 'direct', why: 'no proxy is set for it' };
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  const excluded = excludedBy(url, noProxy);
  if (excluded !== null) return { kind: 'direct', why: `NO_PROXY has ${excluded}` };
  const range = rangeAround(url, noProxy);
  const why = `NO_PROXY has ${range}, and ranges of addresses have no effect there; write the address itself`;
  if (range !== undefined) return { kind: 'broken', variable: chosen.name, why };
  return { kind: 'proxy', variable: chosen.name, address: masked(new URL(chosen.value)) };
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** An empty one in lower case hides the one in upper case. */
function findVariable(env: Env, name: 'http_proxy' | 'https_proxy'): Variable | null {
  const upper = name.toUpperCase();
  const found = env[name] === undefined ? upper : name;
  const value = env[found] ?? '';
  return value === '' ? null : { name: found, value };
}

function findFault(value: string): string | null {
  if (!URL.canParse(value)) return 'it is not an address; write http://host:port';
  const { protocol } = new URL(value);
  if (protocol === 'http:' || protocol === 'https:') return null;
  return `${protocol.replace(':', '')} is not a kind of proxy that Herald can use; write http://host:port`;
}

/** The entry of NO_PROXY that matches the address; null if there is none. */
function excludedBy(url: URL, noProxy: string): string | null {
  if (noProxy === '*') return '*';
  const host = url.host.replace(/:\d*$/, '').toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const found = noProxy.split(/[,\s]/).find((entry) => {
    const [, named = entry, namedPort = ''] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const wanted = named.replace(/^\*?\./, '').toLowerCase();
    if (entry === '' || (namedPort !== '' && namedPort !== port)) return false;
    return host === wanted || host.endsWith(`.${wanted}`);
  });
  return found ?? null;
}

/** The range in NO_PROXY that has the address, such as 127.0.0.0/8: the agent would use the proxy all the same. */
function rangeAround(url: URL, noProxy: string): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version === 0) return undefined;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return noProxy.split(/[,\s]/).find((entry) => {
    const [network = '', bits = ''] = entry.split('/');
    if (isIP(network) !== version || !/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128))
      return false;
    const list = new BlockList();
    list.addSubnet(network, Number(bits), family);
    return list.check(host, family);
  });
}

function masked({ protocol, username, password, host }: URL): string {
  return `${protocol}//${username === '' && password === '' ? '' : '***@'}${host}`;
}
