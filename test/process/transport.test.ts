import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { LEDGER_FILE, WORKSPACE, type Ran } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';
import { aProxy, CA_FILE, hangingUp, tlsInFrontOf, type Listening } from './proxies.ts';

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

let served: Served;
let tls: Listening;
let plainPort: number;
const open: Listening[] = [];

beforeEach(async () => {
  served = await serveWorld();
  plainPort = Number(new URL(served.env['HERALD_BASE_URL'] ?? '').port);
  tls = await kept(tlsInFrontOf(plainPort));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  await served.close();
});

async function kept<L extends Listening>(made: Promise<L>): Promise<L> {
  const one = await made;
  open.push(one);
  return one;
}

const CA = { NODE_EXTRA_CA_CERTS: CA_FILE };
/** The service as the world outside knows it; only a proxy can reach it. */
const OUTSIDE = { HERALD_BASE_URL: 'https://service.test', ...CA };

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const directory = herald.workspace({
    'herald.yaml': WORKSPACE,
    ...declaring({ campaigns: [campaign({ name: 'Welcome' })] }),
  });
  return herald.start(directory, args, { ...served.env, ...env }).ran;
}
const apply = (env: Readonly<Record<string, string>>) => run(['apply', '--yes'], env);
const plan = (env: Readonly<Record<string, string>>) => run(['plan'], env);

const madeCampaigns = () => Object.keys(served.simulator.world.accounts['101']?.campaigns ?? {}).length;

describe('the built command line through a proxy', () => {
  it.each([
    ['HTTPS_PROXY over http', false, ''],
    ['HTTPS_PROXY over http with credentials', false, 'ana:s3cret@'],
    ['HTTPS_PROXY over https', true, ''],
    ['HTTPS_PROXY over https with credentials', true, 'ana:s3cret@'],
  ])('%s: reads and writes go through its tunnels', async (_title, secure, credentials) => {
    const proxy = await kept(aProxy(tls.port, { secure }));
    const url = `${secure ? 'https' : 'http'}://${credentials}localhost:${proxy.port}`;
    const ran = await apply({ ...OUTSIDE, HTTPS_PROXY: url });
    expect(ran.code, ran.stderr).toBe(0);
    expect(madeCampaigns()).toBe(1);
    expect(new Set(proxy.asked.map(({ to }) => to))).toEqual(new Set(['service.test:443']));
    const expected = credentials === '' ? undefined : `Basic ${btoa('ana:s3cret')}`;
    expect(new Set(proxy.asked.map((one) => one.credentials))).toEqual(new Set([expected]));
    expect(ran.stdout + ran.stderr).not.toContain('s3cret');
  });

  it('HTTP_PROXY serves an address without TLS', async () => {
    const proxy = await kept(aProxy(plainPort));
    const ran = await plan({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect(ran.code, ran.stderr).toBe(0);
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  it('NO_PROXY keeps hosts away from the proxy', async () => {
    const proxy = await kept(aProxy(tls.port));
    const ran = await plan({
      ...CA,
      HERALD_BASE_URL: `https://localhost:${tls.port}`,
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      NO_PROXY: 'localhost',
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    ['refuses the tunnel', { refuse: 403 }, 'Proxy response (403)'],
    ['asks for credentials', { refuse: 407 }, 'Proxy response (407)'],
  ])('that %s proves that nothing was sent', async (_title, options, words) => {
    const proxy = await kept(aProxy(tls.port, options));
    const ran = await plan({ ...OUTSIDE, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).not.toMatch(/bug in Herald|\n {4}at /);
  });
});

describe('TLS in the built command line', () => {
  const direct = () => ({ HERALD_BASE_URL: `https://localhost:${tls.port}` });

  it('trusts the authorities of NODE_EXTRA_CA_CERTS', async () => {
    const ran = await apply({ ...CA, ...direct() });
    expect(ran.code, ran.stderr).toBe(0);
    expect(madeCampaigns()).toBe(1);
  });

  it('refuses an authority that it does not know, and says so', async () => {
    const ran = await plan(direct());
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(
      /its certificate is self-signed|does not trust the authority that issued its certificate/,
    );
    expect(served.simulator.world.requests).toEqual([]);
  });

  it('refuses a certificate of another host, also behind a proxy', async () => {
    const proxy = await kept(aProxy(tls.port));
    const ran = await plan({
      ...CA,
      HERALD_BASE_URL: 'https://other.test',
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('other.test');
    expect(served.simulator.world.requests).toEqual([]);
  });

  it('a server that hangs up in the handshake is reported without a stack trace', async () => {
    const rude = await kept(hangingUp());
    const ran = await plan({ ...CA, HERALD_BASE_URL: `https://localhost:${rude.port}` });
    expect(ran.code).toBe(1);
    expect(ran.stderr).not.toMatch(/bug in Herald|\n {4}at /);
  });
});

describe('a mistake of the program in the transport of the built command line', () => {
  /** Runs before the command line, and breaks the connections of everything that changes something. */
  const broken = `
    import net from 'node:net';
    const [fetch, connect] = [globalThis.fetch, net.connect];
    let writing = false;
    globalThis.fetch = (request, options) => {
      writing ||= request.method !== 'GET';
      return fetch(request, options);
    };
    net.connect = (...args) => (writing ? undefined.socket : connect(...args));`;

  it('is reported as a bug, and counts as not sent', async () => {
    const directory = herald.workspace({
      'herald.yaml': WORKSPACE,
      ...declaring({ campaigns: [campaign({ name: 'Welcome' })] }),
    });
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(broken)}`;
    const args = ['apply', '--yes', '--format=json'];
    const ran = await herald.start(directory, args, { ...served.env, NODE_OPTIONS }).ran;
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('This is a bug in Herald');
    expect(ran.stdout + ran.stderr).not.toMatch(/\n {4}at /);
    expect(madeCampaigns()).toBe(0);
    const ledger = readFileSync(join(directory, LEDGER_FILE), 'utf8');
    expect(ledger).toContain('"outcome":"not_sent"');
    expect(ledger).not.toContain('"outcome":"unknown"');
  });
});
