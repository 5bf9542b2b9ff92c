import { describe, expect, it } from 'vitest';
import { listShape } from '../../src/cli/schemas.ts';
import { planShape } from '../../src/domain/change.ts';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, errorOf, liveOn, statuses, writesSent, expectEnd, standing } from '../helpers/flows.ts';
import { aScene, type Scene, WORKSPACE } from '../helpers/scene.ts';

const BY_NAME = WORKSPACE.replace('id: "101"', 'username: alice_x').replace('id: "102"', 'username: bob_x');
const FILES = {
  ...declaring({ campaigns: [campaign()] }),
  'herald.yaml': WORKSPACE.replace('id: "101"', 'username: alice_x'),
};

/** Applied on alice. Then, on the platform, the name goes from account 101 to account 102. */
async function moved(): Promise<Scene> {
  const scene = await standing(FILES);
  await scene.service((_control, { accounts }) => {
    Object.assign(accounts['101']?.live ?? {}, { username: 'somebody_new' });
    Object.assign(accounts['102']?.live ?? {}, { username: 'alice_x' });
  });
  return scene;
}

describe('a username that moves to another account', () => {
  it.each([
    ['apply', '--yes'],
    ['import', '--account', 'alice'],
    ['chat', 'send', '101001', '--text', 'Hi', '--yes', '--account', 'alice'],
    ['payouts', 'request', '--amount', '20', '--yes', '--account', 'alice'],
    ['vault', 'upload', 'a.jpg', '--account', 'alice'],
  ])('blocks herald %s: nothing is created on the other account, and both ids are said', async (...args) => {
    const scene = await moved();
    scene.bytes.blobs['a.jpg'] = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
    const sent = await writesSent(scene);
    const ran = await scene.herald(...args, '--format', 'json');
    const error = errorOf(ran);
    expect([ran.code, error.code]).toEqual([5, 'moved-account']);
    expect(error.message).toContain(
      '"alice" (username "alice_x") was account 101 in earlier runs and is account 102 now',
    );
    expect(error.hint).toContain('alice: { id: "101" }');
    expect(error.hint).toContain('alice: { id: "102" }');
    expect(await writesSent(scene)).toEqual(sent);
  });

  it('is a warning for what only reads', async () => {
    const scene = await moved();
    for (const args of [
      ['accounts', 'get', 'alice'],
      ['api', 'payouts.balances', '--account', 'alice'],
    ]) {
      expectEnd(await scene.herald(...args), 0, 'The output is about account 102.');
    }
  });
});

const ON_ALICE = declaring({ campaigns: [campaign()], broadcasts: [broadcast()] }, ['alice']);
const ON_BOB = declaring({ campaigns: [campaign({ name: 'Bob only' })] }, ['bob']);

/** Applied on alice. Then the account is gone from the workspace. */
async function left(workspace: string): Promise<Scene> {
  const scene = await standing(ON_ALICE);
  for (const path of Object.keys(ON_ALICE)) delete scene.files.tree[path];
  Object.assign(scene.files.tree, ON_BOB, { 'herald.yaml': workspace });
  return scene;
}

const REMOVED = WORKSPACE.replace(/\n {2}alice: .*/, '').replaceAll('[alice, bob]', '[bob]');
const OTHER_ID = WORKSPACE.replace('id: "101"', 'id: "999"');

async function warnings(scene: Scene, ...command: readonly string[]) {
  const ran = await scene.herald(...command, '--format', 'json');
  const { diagnostics } = documentOf(ran, planShape);
  return diagnostics.filter(({ code }) => code === 'account-left').map(({ message }) => message);
}

describe('what runs on an account', () => {
  it('that has another id in herald.yaml is named', async () => {
    expect(await warnings(await left(OTHER_ID), 'plan')).toHaveLength(2);
  });

  it('that is removed from herald.yaml is named by plan and drift, with a command that stops it', async () => {
    const scene = await left(REMOVED);
    const [id = ''] = (await liveOn(scene, '101', 'campaign')).map((live) => live.id);
    const stop = `herald campaigns pause ${id} --account 101`;
    for (const command of ['plan', 'drift']) {
      const messages = await warnings(scene, command);
      expect(messages, command).toHaveLength(2);
      expect(messages.join('\n'), command).toContain(stop);
    }
    const drift = await scene.herald('drift');
    expect([drift.code, drift.stdout]).toEqual([2, expect.not.stringContaining('No drift')]);
    const comment = await scene.herald('plan', '--format', 'markdown');
    expect(comment.stdout).toContain(stop);
    const stopped = await scene.herald(...stop.split(' ').slice(1), '--yes');
    expect([stopped.code, await statuses(scene, 'campaign', '101')]).toEqual([0, ['paused']]);
    expect((await warnings(scene, 'plan')).join('\n')).not.toContain(stop);
  });
});

const ON_BOTH = declaring({ campaigns: [campaign()] }, ['alice', 'bob']);

const KEY_FOR_ALICE = { key: 'sim-key', permissions: 'all', accounts: ['101'] } as const;

/** A key for one account. The service refuses the other one with 403 or 404 (ACCOUNT-9). */
async function withKeyForAlice(yaml: string, scopeStatus: 403 | 404): Promise<Scene> {
  const scene = aScene({ files: { ...ON_BOTH, 'herald.yaml': yaml } });
  await scene.service((control) => {
    control.addKey(KEY_FOR_ALICE);
    control.setModes({ scopeStatus });
  });
  return scene;
}

describe.each([
  ['ids', WORKSPACE, 404],
  ['names', BY_NAME, 403],
] as const)('a key for one of two accounts, given by their %s: %#', (_, yaml, scopeStatus) => {
  it.each(['revenue transactions', 'fans list'])(
    '%s has the rows of the one, names the other, and exits 4',
    async (list) => {
      const scene = await withKeyForAlice(yaml, scopeStatus);
      const ran = await scene.herald(...list.split(' '), '--format', 'json');
      const { items, complete } = documentOf(ran, listShape);
      const accounts = new Set(items.map((item) => (item as { account: string }).account));
      expect([ran.code, complete, [...accounts]]).toEqual([4, false, ['alice']]);
      expect(ran.stderr).toMatch(/error: bob: .*(?:Give the key access to it|no access to this account)/);
    },
  );

  it('plan shows what it sees, and blocks the rest', async () => {
    const scene = await withKeyForAlice(yaml, scopeStatus);
    const ran = await scene.herald('plan', '--format', 'json');
    const { changes } = documentOf(ran, planShape);
    expect([ran.code, changes.map(({ address, action }) => [address.account, action])]).toEqual([
      5,
      [
        ['alice', 'create'],
        ['bob', 'blocked'],
      ],
    ]);
    expect(changes[1]?.reasons[0]).toMatch(/Give the key access to .* herald plan --exclude bob$/);
  });

  it('apply carries out what it may', async () => {
    const scene = await withKeyForAlice(yaml, scopeStatus);
    expect((await scene.herald('apply', '--yes')).code).toBe(5);
    expect((await liveOn(scene, '101', 'campaign')).map(({ name }) => name)).toEqual(['Welcome']);
    expect(await liveOn(scene, '102', 'campaign')).toEqual([]);
    const rest = await scene.herald('plan', '--exclude', 'bob');
    expect([rest.code, rest.stdout]).toEqual([0, expect.not.stringContaining('blocked')]);
  });
});

it('a key that is narrowed in the middle of an apply leaves a request without an answer unknown', async () => {
  let creates = 0;
  const { scene, simulator } = altered(
    async (request, answer) => {
      const response = await answer();
      if (request.method !== 'POST' || !request.url.includes('/102/')) return response;
      creates += 1;
      simulator.control.addKey(KEY_FOR_ALICE);
      throw new TypeError('fetch failed');
    },
    { files: ON_BOTH },
  );
  const ran = await scene.herald('apply', '--yes');
  expect([ran.code, creates]).toEqual([3, 1]);
  expect((await scene.herald('apply', '--yes')).code).not.toBe(0);
  expect(creates).toBe(1);
});

// ACCOUNT-5: account 201 (dora_y) is on the secondary platform.
const CARL_BY_NAME = '{ username: dora_y }';
const ID_ALONE = '{ id: "201" }';
const STATED = '{ id: "201", platform: secondary }';

function withCarl(carl: string, files: Readonly<Record<string, string>> = {}): Scene {
  const yaml = WORKSPACE.replace('  bob: { id: "102", vars: { first_name: Bob } }', `  carl: ${carl}`);
  return aScene({ files: { ...files, 'herald.yaml': yaml } });
}

describe('an account of the second platform', () => {
  it.each([
    ['campaigns list', CARL_BY_NAME],
    ['vault uploads', CARL_BY_NAME],
    ['campaigns list', STATED],
    ['vault uploads', STATED],
    ['payouts balances', ID_ALONE],
    ['traffic subscriptions', ID_ALONE],
    ['revenue chargebacks', ID_ALONE],
  ] as const)('is left out of %s where the file says %s, which is complete', async (list, carl) => {
    const ran = await withCarl(carl).herald(...list.split(' '), '--format', 'json');
    expectEnd(ran, 0, /Left out: Account .*carl.* is on platform_b; this works on platform_a only\./);
    expect(JSON.parse(ran.stdout)).toMatchObject({ complete: true });
  });

  it('is an error where it is named, and where it is the only one', async () => {
    const named = ['payouts', 'balances', '--account', 'alice', '--account', 'carl'];
    expect(await withCarl(ID_ALONE).herald(...named)).toMatchObject({ code: 1, stdout: '' });
    const alone = withCarl(ID_ALONE);
    alone.files.tree['herald.yaml'] = alone.files.tree['herald.yaml']?.replace(/ {2}alice: .*\n/, '') ?? '';
    const none = await alone.herald('payouts', 'balances');
    expectEnd(none, 1, 'is on platform_b; this works on platform_a only.');
  });

  it.each([CARL_BY_NAME, STATED])('is refused by a plan that declares something on %s', async (carl) => {
    const scene = withCarl(carl, declaring({ campaigns: [campaign()] }, ['alice', 'carl']));
    const error = errorOf(await scene.herald('plan', '--format', 'json'));
    expect(error.code).toBe('unresolved-accounts');
    expect(error.details).toMatchObject({
      diagnostics: [{ file: 'herald.yaml', line: 5, message: expect.stringContaining('platform') }],
    });
  });
});

// An id alone does not tell the platform: the service refuses the request, and nothing is sent to anyone.
describe('an account of the second platform of which the file has the id alone', () => {
  it.each(['campaigns list', 'fans label 9001 --name x --yes', 'chat send 9001 --text Hi --yes'])(
    '%s says what the service answered',
    async (command) => {
      const ran = await withCarl(ID_ALONE).herald(...command.split(' '), '--account', 'carl');
      expectEnd(ran, 1, 'not available for this platform');
    },
  );

  it('is a warning of the doctor, which says what to write', async () => {
    const ran = await withCarl(ID_ALONE).herald('doctor');
    expect(ran.stdout).toContain('Write `platform: secondary` next to its id');
  });
});

// ACCOUNT-8
it('a key without accounts.view reads traffic and campaigns where both ids are stated', async () => {
  const bothIds = WORKSPACE.replace('id: "101",', 'id: "101", platform_account_id: "9101",');
  const scene = aScene({ files: { 'herald.yaml': bothIds.replace(/ {2}bob:.*\n/, '') } });
  const permissions = ['traffic_metrics.view', 'auto_messages.view'] as const;
  await scene.service((control) => control.addKey({ key: 'sim-key', permissions: [...permissions] }));
  for (const list of ['traffic subscriptions', 'campaigns list'])
    expect((await scene.herald(...list.split(' '))).code, list).toBe(0);
});
