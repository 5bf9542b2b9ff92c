import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { NODE_LEAST } from '../../src/commands/doctor.ts';
import { altered } from '../helpers/altered.ts';
import { doctorShape } from '../../src/cli/schemas.ts';
import { PERMISSIONS } from '../../src/api/catalogue.ts';
import type { Control } from '../../src/simulator/control.ts';
import type { KeySeed } from '../../src/simulator/world.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, errorOf } from '../helpers/flows.ts';
import { begun, CREATE } from '../helpers/state-requests.ts';
import { inState } from '../flows/recorded.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

const BOTH = declaring({ campaigns: [campaign()], broadcasts: [broadcast()] });

type Looked = Awaited<ReturnType<typeof doctor>>;

/** What it found, with lines such as `fail key: answered 401 …`, one a check. */
async function doctor(scene: Scene) {
  const ran = await scene.herald('doctor', '--format', 'json');
  const report = documentOf(ran, doctorShape);
  const lines = report.checks.map(({ name, status, message }) => `${status} ${name}: ${message}`);
  return { code: ran.code, report, lines };
}

async function withKey(key: Partial<KeySeed>, files = BOTH): Promise<Scene> {
  const scene = aScene({ files });
  await scene.service((control) => control.addKey({ key: 'sim-key', permissions: 'all', ...key }));
  return scene;
}

/** A service that does not answer as a simulator, and a workspace that goes there. */
function served() {
  const yaml = WORKSPACE.replace('simulator: .herald/world.json', 'base_url: "https://api.service.example"');
  const { scene, simulator } = altered(undefined, { files: { ...BOTH, 'herald.yaml': yaml } });
  scene.env['HERALD_BASE_URL'] = 'https://api.service.example';
  return { scene, simulator };
}

/** The lines that are not simply fine. */
function troubles({ lines }: Looked): readonly string[] {
  return lines.filter((line) => !line.startsWith('ok ') && !line.startsWith('skip clock'));
}

function hintOf({ report }: Looked, name: string): string {
  return report.checks.find((check) => check.name === name)?.hint ?? '';
}

it('herald doctor where everything is fine names what each permission opens, and sends one small read for each', async () => {
  const { scene, simulator } = served();
  const looked = await doctor(scene);
  expect(looked.code).toBe(0);
  expect(looked.report.summary).toMatchObject({ warn: 0, fail: 0 });
  expect(looked.lines).toContain('ok account alice: 101 (alice_x) on platform_a');
  expect(looked.lines).toContain(
    'ok permission auto_messages.view: granted. It is for campaigns.get, campaigns.list.',
  );
  expect(looked.lines).toContain(
    'skip permission auto_messages.edit: not tested (needs a write). It is for campaigns.create, campaigns.set-status, campaigns.unsend.',
  );
  const { requests } = simulator.world;
  expect(requests.every(({ method, status }) => method === 'GET' && status === 200)).toBe(true);
  expect(requests.length, 'the accounts, and nine reads').toBe(10);
  expect(scene.files.written).toEqual([]);
});

describe('herald doctor and the key', () => {
  it('reports a key that is not accepted, and asks nothing more with it', async () => {
    const { scene, simulator } = served();
    simulator.control.addKey({ key: 'sim-key', permissions: 'all', revoked: true });
    const looked = await doctor(scene);
    expect(looked.code).toBe(1);
    expect(troubles(looked)).toEqual([expect.stringMatching(/^fail key: .*answered 401/)]);
    expect(hintOf(looked, 'key')).toContain('HERALD_API_KEY');
    expect(simulator.world.requests.length).toBe(1);
  });

  it('fails where what is declared needs a permission that the key lacks, and only warns elsewhere', async () => {
    const without = new Set(['priority_mass_messages.view', 'traffic_metrics.view']);
    const permissions = PERMISSIONS.filter((permission) => !without.has(permission));
    const looked = await doctor(await withKey({ permissions }));
    expect(looked.code).toBe(1);
    const found = looked.lines.filter((line) => line.includes('not granted'));
    expect(found.map((line) => line.split(':')[0])).toEqual([
      'warn permission traffic_metrics.view',
      'fail permission priority_mass_messages.view',
    ]);
    const campaignsOnly = declaring({ campaigns: [campaign()] });
    expect((await doctor(await withKey({ permissions }, campaignsOnly))).code).toBe(0);
  });

  it('reports an alias that finds nothing, and one of the other platform', async () => {
    const scene = aScene({ files: BOTH });
    scene.files.tree['herald.yaml'] = WORKSPACE.replace(
      'bob: { id: "102"',
      'bob: { username: "stranger"',
    ).replace('  alice:', '  dora: { id: "201" }\n  alice:');
    const looked = await doctor(scene);
    expect(looked.code).toBe(1);
    expect(troubles(looked).slice(0, 2)).toEqual([
      'warn account dora: 201 (dora_y) on platform_b',
      expect.stringContaining('fail account bob: The key sees no account with username "stranger"'),
    ]);
    expect(hintOf(looked, 'account bob')).toContain('herald.yaml:6');
  });
});

it('herald doctor reports a connection that cannot be made', async () => {
  const scene = aScene({ files: BOTH });
  const how = { how: 'connect ECONNREFUSED', when: 'before_commit' } as const;
  await scene.fault({ kind: 'broken_answer', operation: 'accounts.list', ...how });
  const looked = await doctor(scene);
  expect(looked.code).toBe(1);
  expect(troubles(looked)[0]).toContain('fail service: ');
  expect(hintOf(looked, 'service')).toContain('network');
});

describe('herald doctor and the workspace', () => {
  it('asks the service all the same where a resource file does not hold', async () => {
    const looked = await doctor(aScene({ files: { 'live/all.yaml': 'campaigns: [{ nam: x }]\n' } }));
    expect(looked.code).toBe(1);
    expect(troubles(looked)[0]).toMatch(/^fail workspace: live\/all\.yaml:1:\d+: /);
    expect(looked.lines).toContain('ok key: accepted');
    expect(looked.lines).toContain('skip clock: not compared: the embedded simulator has its own clock');
  });

  it.each([
    ['is not there', undefined],
    ['is not YAML', 'version: [\n'],
  ])('says what it knows where herald.yaml %s', async (_title, text) => {
    const scene = aScene();
    if (text === undefined) delete scene.files.tree['herald.yaml'];
    else scene.files.tree['herald.yaml'] = text;
    const looked = await doctor(scene);
    expect(looked.code).toBe(1);
    expect(looked.lines.map((line) => line.split(':')[0]).join(', ')).toBe(
      'ok node, fail workspace, ok state, ok lease, skip service',
    );
  });

  it('shows what has been unconfirmed for more than a day, which a person has to close', async () => {
    const { scene } = served();
    // The service is live, so the rows are not of a simulator.
    await inState(scene, (state) => begun(state, CREATE), 'live');
    scene.clock.move(2 * 86_400_000);
    const looked = await doctor(scene);
    expect(looked.code).toBe(1);
    expect(looked.lines[2]).toContain(
      'fail state: state-unconfirmed: create alice/campaign/Welcome, sent at',
    );
    expect(hintOf(looked, 'state')).toBe('For details: herald state check');
  });

  it('shows who holds the lease, also where the rest of the state cannot be read', async () => {
    const { scene } = served();
    const lines = await inState(scene, async () => {
      const database = new DatabaseSync(join(scene.state.directory, '.herald/state.db'));
      database.exec('DROP TABLE object');
      database.close();
      return (await doctor(scene)).lines;
    });
    expect(lines.slice(2, 4)).toEqual([
      expect.stringMatching(/^fail state: .*no such table: object/),
      'warn lease: held by mia, process 1',
    ]);
  });
});

const withoutAccounts = PERMISSIONS.filter((permission) => permission !== 'accounts.view');

it.each<[string, string, (scene: Scene, control: Control) => void]>([
  [
    'a Node that is too old',
    'fail node: Node v18.20.0 is older than 20.19',
    (scene) => (scene.nodeVersion = 'v18.20.0'),
  ],
  [
    'a clock that is behind',
    "warn clock: this machine's clock is 3601 s behind the service's",
    (_, control) => control.setModes({ serverClocksSec: [3600] }),
  ],
  [
    'a workspace without accounts',
    'warn accounts: herald.yaml names no account',
    ({ files }) => {
      const text = files.tree['herald.yaml'] ?? '';
      files.tree['herald.yaml'] = text.replace(/accounts:[^]*?files:/, 'accounts: {}\nfiles:');
      delete files.tree['live/all.yaml'];
    },
  ],
  [
    'a key that may not list accounts',
    'skip accounts: not checked: the key may not list accounts',
    (_, control) => control.addKey({ key: 'sim-key', permissions: withoutAccounts }),
  ],
  [
    'a permission of which the answer does not tell',
    'warn permission auto_messages.view: not known: answered 404',
    (_, control) => control.addFault({ kind: 'refusal', operation: 'campaigns.list', status: 404 }),
  ],
])('herald doctor shows %s', async (_title, line, arrange) => {
  const { scene, simulator } = served();
  arrange(scene, simulator.control);
  const { lines } = await doctor(scene);
  expect(lines).toContainEqual(expect.stringContaining(line));
});

it('the oldest Node is the one of package.json', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NODE_LEAST.join('.')}`);
});

const PROXIED = { HTTP_PROXY: 'http://127.0.0.1:9', HERALD_BASE_URL: 'http://127.0.0.1:1' };

function listAccounts(env: Readonly<Record<string, string>>) {
  const scene = aScene({ network: () => Promise.reject(new Error('no network')) });
  Object.assign(scene.env, { HERALD_API_KEY: 'k', ...env });
  return scene.herald('accounts', 'list', '--format', 'json');
}

it.each([
  ['127.0.0.0/8', '127.0.0.1'],
  ['localhost, 10.0.0.0/8 127.0.0.1/32', '127.0.0.1'],
  ['::/64', '[::1]'],
])('NO_PROXY=%s, which has no effect, is refused for %s', async (ranges, host) => {
  const ran = await listAccounts({ ...PROXIED, HERALD_BASE_URL: `http://${host}:1`, NO_PROXY: ranges });
  const range = ranges.split(' ').at(-1);
  expect([ran.code, errorOf(ran)]).toMatchObject([
    1,
    { code: 'bad-proxy', message: expect.stringContaining(`NO_PROXY has ${range}`) },
  ]);
});

it.each(['10.0.0.0/8', '*.example', '127.0.0.0/99', '::/0', '127.0.0.1', '127.0.0.1:1, 127.0.0.0/8'])(
  'NO_PROXY=%s is not refused for 127.0.0.1',
  async (entry) => {
    const ran = await listAccounts({ ...PROXIED, NO_PROXY: entry });
    expect(errorOf(ran).code).not.toBe('bad-proxy');
  },
);

it('a proxy that cannot exist is reported by every command, without a stack', async () => {
  const ran = await listAccounts({ HERALD_BASE_URL: 'https://service.example', HTTPS_PROXY: 'mia:s3cret' });
  expect([ran.code, errorOf(ran).code]).toEqual([1, 'bad-proxy']);
  expect(ran.stdout + ran.stderr).not.toContain('s3cret');
});
