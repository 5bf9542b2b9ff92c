import { describe, expect, it, type TestContext } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { builtHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld } from '../helpers/served.ts';
import { aProxy, CA_FILE, tlsInFrontOf, type Listening } from './proxies.ts';
import { expectEnd } from '../helpers/flows.ts';

const herald = builtHerald();

const CA = { NODE_EXTRA_CA_CERTS: CA_FILE };
/** The service as the world outside knows it; only a proxy can reach it. */
const OUTSIDE = { HERALD_BASE_URL: 'https://service.test', ...CA };

type Env = Readonly<Record<string, string>>;

const workspace = () =>
  herald.workspace({
    'herald.yaml': WORKSPACE,
    ...declaring({ campaigns: [campaign({ name: 'Welcome' })] }),
  });

/** A service for one test, with and without TLS. Most tests wait for retries, so they run at the same time. */
async function outside({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const served = await serveWorld();
  onTestFinished(() => served.close());
  /** Closes it at the end of the test. */
  const kept = async <L extends Listening>(made: Promise<L>): Promise<L> => {
    const one = await made;
    onTestFinished(() => one.close());
    return one;
  };
  const run = (args: readonly string[], env: Env) =>
    herald.start(workspace(), args, { ...served.env, ...env }).ran;
  return {
    served,
    tls: await kept(tlsInFrontOf(Number(new URL(served.env.HERALD_BASE_URL).port))),
    apply: (env: Env) => run(['apply', '--yes'], env),
    plan: (env: Env) => run(['plan'], env),
    madeCampaigns: () => Object.keys(served.simulator.world.accounts['101']?.campaigns ?? {}).length,
    kept,
  };
}

describe.concurrent('the built command line through a proxy', () => {
  it.for([
    ['HTTPS_PROXY over http', false, ''],
    ['HTTPS_PROXY over https with credentials', true, 'ana:s3cret@'],
  ] as const)('%s: reads and writes go through its tunnels', async ([_title, secure, credentials], test) => {
    const { tls, apply, madeCampaigns, kept } = await outside(test);
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
});

describe.concurrent('TLS in the built command line', () => {
  it('refuses an authority that it does not know, and says so', async (test) => {
    const { served, tls, plan } = await outside(test);
    const direct = { HERALD_BASE_URL: `https://localhost:${tls.port}` };
    expectEnd(await plan(direct), 1, /self-signed certificate|unable to (?:verify|get)/);
    expect(served.simulator.world.requests).toEqual([]);
  });

  it('refuses a certificate of another host, also behind a proxy', async (test) => {
    const { served, tls, plan, kept } = await outside(test);
    const proxy = await kept(aProxy(tls.port));
    const ran = await plan({
      ...CA,
      HERALD_BASE_URL: 'https://other.test',
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    });
    expectEnd(ran, 1, 'other.test');
    expect(served.simulator.world.requests).toEqual([]);
  });
});
