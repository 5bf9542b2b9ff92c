import { BlockList, isIP } from 'node:net';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Env, Fetch, PutBytes } from '../domain/ports.ts';
import { isLoopback } from '../domain/service-identity.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { ApiKey } from './key.ts';

/** What a connection asks its program for. */
export interface ConnectPorts {
  readonly env: Env;
  /** Replaces the network. Without it, requests use sockets. */
  readonly network?: Fetch;
  /** The API key, or undefined. Called once, and not for an embedded simulator. */
  readonly readKey: () => Promise<string | undefined>;
  /** True if the operator allows this origin to get the key. Called if only herald.yaml names it. */
  readonly mayReceiveKey: (origin: string) => Promise<boolean>;
}

/** Checks who gets the key, and how the way there is, and connects over HTTP. Sends nothing. Throws `HeraldError`. */
export async function connectOverHttp(ports: ConnectPorts, service: ServiceSettings, baseUrl: string) {
  await requireTrustedOrigin(ports, service, new URL(baseUrl));
  refuseBrokenProxy(ports.env, new URL(baseUrl));
  const key = new ApiKey((await ports.readKey()) ?? '');
  refuseKeyInAddress(key, baseUrl);
  const fetch = ports.network ?? (await import('./transport.ts')).createTransport();
  const { authHeader } = service;
  return { address: baseUrl, baseUrl, key, authHeader, fetch, putBytes: putOverSockets() };
}

/**
 * Throws unless the operator allows the service to get the key. Anyone who can open a pull request can change
 * `herald.yaml`, so its address alone is not enough.
 */
async function requireTrustedOrigin(
  { env, mayReceiveKey }: ConnectPorts,
  { identity }: ServiceSettings,
  url: URL,
): Promise<void> {
  if (identity.source !== 'herald.yaml' || isLoopback(url)) return;
  const allowed = (env['HERALD_ALLOWED_ORIGINS'] ?? '').split(/[\s,]+/).filter((text) => URL.canParse(text));
  if (allowed.some((text) => new URL(text).origin === url.origin)) return;
  if (await mayReceiveKey(url.origin)) return;
  throw new HeraldError(
    'untrusted-origin',
    `The API key was not sent to ${url.origin}, because you have not trusted this address yet.`,
    `If the address is correct, run ${formatCommand('trust', url.origin)}. In CI, set HERALD_ALLOWED_ORIGINS=${url.origin} or HERALD_BASE_URL.`,
  );
}

/** Plans and messages show the address, so it must not have the key. */
function refuseKeyInAddress(key: ApiKey, baseUrl: string): void {
  // A key that is too short for the mask is found as it is.
  if (!baseUrl.includes(key.reveal()) && key.maskIn(baseUrl) === baseUrl) return;
  throw new HeraldError(
    'key-in-address',
    'The address of the service contains the API key.',
    'Remove it from service.base_url or HERALD_BASE_URL: Herald sends the key in a header. Nothing was sent.',
  );
}

const FIX_PROXY = 'Fix its value, or unset it. Nothing was sent.';

/** The transport would fail with a stack trace. It opens both proxies, whichever is used, and knows no ranges of addresses. */
function refuseBrokenProxy(env: Env, { host, hostname }: URL): void {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name] ?? '';
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY'].filter((name) => read(name) !== '');
  for (const name of proxies)
    if (!/^https?:\/\//i.test(read(name)) || !URL.canParse(read(name)))
      throw new HeraldError(
        'bad-proxy',
        `${name} cannot be used: it is not an address such as http://host:port.`,
        FIX_PROXY,
      );
  const entries = read('NO_PROXY').split(/[,\s]+/);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (proxies.length === 0 || entries.some((entry) => ['*', host, hostname].includes(entry))) return;
  const range = entries.find((entry) => isRangeWith(entry, address));
  if (range !== undefined)
    throw new HeraldError(
      'bad-proxy',
      `NO_PROXY has ${range}, and a range of addresses has no effect. Write ${hostname} itself.`,
      FIX_PROXY,
    );
}

/** Whether `10.0.0.0/8` is about this address. */
function isRangeWith(entry: string, address: string): boolean {
  const version = isIP(address);
  const [, network = '', bits = ''] = /^(.+)\/(\d+)$/.exec(entry) ?? [];
  if (version === 0 || isIP(network) !== version || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, Number(bits), family);
  return range.check(address, family);
}

/** Loaded with the first put, because most runs do not need it. */
function putOverSockets(): PutBytes {
  let transport: Promise<PutBytes> | null = null;
  return async (put) => {
    transport ??= import('./transport.ts').then((loaded) => loaded.createPresignedTransport());
    return (await transport)(put);
  };
}
