import { describe, expect, it } from 'vitest';
import { listShape } from '../../src/cli/schemas.ts';
import { altered } from '../helpers/altered.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { documentOf, expectEnd } from '../helpers/flows.ts';

const lines = (text: string) => text.trimEnd().split('\n');
const rowsOf = (text: string) => lines(text).slice(1);

/** The queries that were sent, as `--verbose` tells them. */
const queriesOf = (stderr: string) =>
  [...stderr.matchAll(/(?:GET) \S+?\/([a-z-]+)\?(\S+)/g)].map(([, list = '', query = '']) => ({
    list,
    query: new URLSearchParams(query),
  }));

async function sentBy(scene: Scene, ...args: readonly string[]) {
  const ran = await scene.herald('-v', ...args);
  expect(ran.code, ran.stderr).toBe(0);
  return queriesOf(ran.stderr);
}

const many = (flag: string, count: number, first = 1000) =>
  Array.from({ length: count }, (_, index) => [flag, String(first + index)]).flat();

it.each<[string[], string]>([
  [['revenue', 'transactions', '--from', 'monday'], 'Cannot read "--from monday"'],
  [['traffic', 'trial-link-users', '--from', '2030-01-01'], 'The range is empty'],
  [
    // READ-8
    ['team', 'metrics', ...many('--creator', 101)],
    'creator_ids: the service takes at most 100',
  ],
  [['team', 'metrics', '--creator', 'stranger'], 'No account, group or id is "stranger"'],
  [['traffic', 'tracking-link-users', '--account', 'alice', '--link-id', ''], '--link-id is empty.'],
  [['chat', 'messages', '..', '--account', 'alice'], 'chat_id: must not be "." or ".."'],
  [['revenue', 'transactions', '--account', 'alcie'], 'No account, group or id is "alcie"'],
  [['chat', 'messages', '7'], 'No account given.'],
  [['chat', 'messages', '7', '--account', 'alice', '--account', 'bob'], '--account takes one value'],
  [['campaigns', 'list', '--columns', 'id,nmae'], '--columns: unknown column "nmae".'],
  [['campaigns', 'list', '--columns', 'id,'], '--columns: unknown column "".'],
  [['campaigns', 'list', '--columns', 'messages..text'], 'unknown column "messages..text"'],
  [['campaigns', 'list', '--columns', 'id', '--format', 'json'], '--columns works with table and csv only'],
  [['team', 'members', '--columns', 'nmae'], 'Use one of: id, name, customName, email, createdAt, avatar.'],
  ...['0', '1.5', ''].map((limit): [string[], string] => [
    ['accounts', 'list', '--limit', limit],
    'Give a whole number from 1',
  ]),
  [['campaigns', 'list', '--format', 'xml'], 'Use one of: table, json, ndjson, csv.'],
])('what the service would refuse is refused here, and nothing is sent: %j', async (args, words) => {
  const scene = aScene();
  const ran = await scene.herald('-v', ...args);
  expect([ran.code, queriesOf(ran.stderr)]).toEqual([1, []]);
  expect(`${ran.stdout}${ran.stderr}`).toContain(words);
  expect(ran.stderr).not.toContain('.ts:');
});

describe('a range', () => {
  it('is the last 30 days of the service where it needs one, and says so', async () => {
    const ran = await aScene().herald('-v', 'revenue', 'chargebacks', '--account', 'alice');
    const [query] = queriesOf(ran.stderr).filter(({ list }) => list === 'chargebacks');
    const [start = '', end = ''] = ['start', 'end'].map((name) => query?.query.get(name) ?? '');
    expect([start, end]).toEqual([
      expect.stringMatching(/^2026-05-02T12:00:00\.\d{3}Z$/),
      expect.stringMatching(/^2026-06-01T12:00:00\.\d{3}Z$/),
    ]);
    expect(ran.stderr).toContain(
      `Chargebacks from ${start} to ${end}: 30 days, because --from was not given.`,
    );
  });

  // READ-4
  it('is only sent where it was given and the service needs none', async () => {
    const scene = aScene();
    const account = ['--account', 'alice'];
    const [all] = (await sentBy(scene, 'traffic', 'trial-link-users', ...account)).slice(-1);
    expect([...(all?.query.keys() ?? [])]).toEqual(['limit', 'cursor']);
    const some = await sentBy(scene, 'traffic', 'trial-link-users', ...account, '--to', '2026-05-31');
    expect(some.at(-1)?.query.get('collected_to')).toBe('2026-05-31T23:59:59.999Z');
    expect(some.at(-1)?.query.has('collected_from')).toBe(false);
  });
});

// ACCOUNT-5
it('accounts of the other platform have transactions and nothing else', async () => {
  const scene = aScene();
  const dora = ['--account', '201', '--from', '60d'];
  const { code, stdout } = await scene.herald('revenue', 'transactions', ...dora);
  expect([code, rowsOf(stdout).length > 10]).toEqual([0, true]);
  const refused = await scene.herald('revenue', 'chargebacks', ...dora);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('is on platform_b; this works on platform_a only.');
});

async function listed(scene: Scene, ...words: string[]) {
  const ran = await scene.herald(...words, '--format', 'json');
  expect(ran.code, ran.stderr + ran.stdout).toBe(0);
  return documentOf(ran, listShape);
}

const TRAFFIC = ['traffic', 'subscriptions', '--account', 'alice', '--from', '2020-01-01'] as const;

// LIST-1
it('a list that --limit ended has the cursor to go on, and goes on there', async () => {
  const scene = aScene();
  const all = await listed(scene, ...TRAFFIC, '--limit', '20');
  const first = await listed(scene, ...TRAFFIC, '--limit', '10');
  const [page] = first.pages ?? [];
  expect(page).toEqual({ account: 'alice', next_cursor: expect.any(String) });
  const rest = await listed(scene, ...TRAFFIC, '--limit', '10', '--cursor', String(page?.next_cursor));
  expect([...first.items, ...rest.items]).toEqual(all.items);
  const { stderr } = await scene.herald(...TRAFFIC, '--limit', '10');
  expect(stderr).toContain(
    `There may be more rows of alice. To go on: --cursor ${String(page?.next_cursor)}`,
  );
});

it('the creators of team metrics may be aliases, groups and ids, with commas', async () => {
  const scene = aScene();
  scene.files.tree['herald.yaml'] += 'groups: { both: [alice, bob] }\n';
  const url = async (...flags: string[]) => {
    const ran = await scene.herald('team', 'metrics', '--from', '7d', ...flags, '-v');
    expect(ran.code, ran.stderr).toBe(0);
    return /creator_ids=\S+?(?=&from|&to|&limit|&offset| )/.exec(ran.stderr)?.[0];
  };
  expect(await url('--creator', '101,102')).toBe('creator_ids=101&creator_ids=102');
  expect(await url('--creator', 'alice', '--creator', '103')).toBe('creator_ids=103&creator_ids=101');
  expect(await url('--creator', 'both')).toBe('creator_ids=101&creator_ids=102');
  const [query] = (await sentBy(scene, 'team', 'metrics', '--group', '5', '--role', '6')).slice(-1);
  expect([query?.query.get('account_group_id'), query?.query.get('role_id')]).toEqual(['5', '6']);
});

// READ-10
it.each([
  ['repeat', 'creator_ids=101&creator_ids=102'],
  ['brackets', 'creator_ids%5B%5D=101&creator_ids%5B%5D=102'],
  ['comma', 'creator_ids=101%2C102'],
])('service.list_style: %s writes lists in queries as %s', async (style, words) => {
  const scene = aScene();
  const yaml = scene.files.tree['herald.yaml'] as string;
  scene.files.tree['herald.yaml'] = yaml.replace('.json }', `.json, list_style: ${style} }`);
  const ran = await scene.herald('team', 'metrics', '--from', '7d', '--creator', '101,102', '-v');
  expect(ran.stderr).toContain(words);
});

/** A directory without files, and a service at an address. */
function nowhere(): Scene {
  const { scene } = altered();
  delete scene.files.tree['herald.yaml'];
  return scene;
}

describe('without a workspace, the environment alone is enough', () => {
  it.each<[string[], string]>([
    [['accounts', 'get', '101'], 'alice_x'],
    [['campaigns', 'list', '--account', '101'], 'id'],
  ])('to read: %s', async (words, shown) => {
    const ran = await nowhere().herald(...words);
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(ran.stdout).toContain(shown);
  });

  it('not to change something', async () => {
    const ran = await nowhere().herald('campaigns', 'pause', '1', '--account', '101', '--yes');
    expectEnd(ran, 1, 'herald.yaml: workspace-missing: No herald.yaml in this directory.');
  });
});
