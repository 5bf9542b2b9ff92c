import { describe, expect, it } from 'vitest';
import { errorReportShape } from '../../src/domain/change.ts';
import { errorOf } from '../helpers/chats.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

// ACCOUNT-5: account 201 (dora_y) is on the secondary platform.
const BY_ID = '{ id: "201" }';
const BY_NAME = '{ username: dora_y }';
const STATED = '{ id: "201", platform: secondary }';

function withCarl(carl: string, files: Readonly<Record<string, string>> = {}): Scene {
  const yaml = WORKSPACE.replace('  bob: { id: "102", vars: { first_name: Bob } }', `  carl: ${carl}`);
  return aScene({ files: { ...files, 'herald.yaml': yaml } });
}

const SELECTORS = [
  ['by its id', BY_ID],
  ['by its username', BY_NAME],
  ['with its platform stated', STATED],
] as const;

describe.each(SELECTORS)('an account of the second platform, %s', (_, carl) => {
  it.each([['campaigns list'], ['broadcasts list'], ['fans list'], ['vault folders'], ['vault uploads']])(
    '%s leaves it out and says so, and is complete',
    async (list) => {
      const scene = withCarl(carl);
      await scene.service((control) => control.seedCampaign('101', { name: 'Welcome' }));
      const ran = await scene.herald(...list.split(' '), '--format', 'json');
      expect(ran.code, ran.stderr).toBe(0);
      expect(JSON.parse(ran.stdout)).toMatchObject({ complete: true });
      expect(ran.stderr).toMatch(
        /Left out: Account .*carl.* is on platform_b; this works on platform_a only\./,
      );
    },
  );

  it('is refused with the same sentence when it is named', async () => {
    const ran = await withCarl(carl).herald('campaigns', 'list', '--account', 'carl', '--format', 'json');
    expect(ran.code).toBe(1);
    expect(errorOf(ran).code).toBe('unknown-account');
    expect(errorOf(ran).message).toContain('is on platform_b; this works on platform_a only.');
  });

  it('has transactions', async () => {
    const scene = withCarl(carl);
    const ran = await scene.herald('revenue', 'transactions', '--account', 'carl', '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
  });

  it('does not stop an import of the others', async () => {
    const scene = withCarl(carl);
    await scene.service((control) => control.seedCampaign('101', { name: 'Welcome' }));
    const ran = await scene.herald('import');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/Left out: .*carl.*platform/);
    expect(Object.keys(scene.files.tree).some((file) => file.includes('alice'))).toBe(true);
  });

  it('is a warning of the doctor, or nothing', async () => {
    const ran = await withCarl(carl).herald('doctor');
    expect(ran.code, ran.stdout).toBe(0);
    expect(ran.stdout).toContain('account carl: 201 (dora_y) on platform_b');
  });

  it('is refused by a plan that declares something on it, with its place', async () => {
    const scene = withCarl(carl, declaring({ campaigns: [campaign()] }, ['alice', 'carl']));
    const ran = await scene.herald('plan', '--format', 'json');
    const error = documentOf(ran, errorReportShape);
    expect([ran.code, error.code]).toEqual([1, 'unresolved-accounts']);
    expect(error.details).toMatchObject({
      diagnostics: [{ file: 'herald.yaml', line: 5, message: expect.stringContaining('platform') }],
    });
  });
});

describe('a call for one account of the second platform', () => {
  const UPLOAD = '11111111-1111-4111-8111-111111111111';

  it.each([
    'fans label 9001 --name x --yes',
    'fans follow 9001 --yes',
    'chat send 9001 --text Hi --yes',
    'campaigns get 77',
    'broadcasts get 77',
    `vault uploads --id ${UPLOAD}`,
    'vault thumbnail 5 --out x.jpg',
    `vault retry ${UPLOAD} --yes`,
    'vault upload a.jpg --yes',
    'payouts request --amount 50 --yes',
    'api fans.list',
  ])('%s is not made, and the answer names the account, its platform and what works', async (command) => {
    const scene = withCarl('{ id: "201", platform_account_id: "9201" }');
    scene.bytes.blobs['a.jpg'] = Uint8Array.of(0xff, 0xd8, 0xff);
    const ran = await scene.herald(
      ...command.split(' '),
      '--account',
      'carl',
      '--format',
      'json',
      '--verbose',
    );
    expect([ran.code, errorOf(ran).message]).toEqual([
      1,
      'Account 201 ("carl") is on platform_b; this works on platform_a only. Works on both platforms: herald revenue transactions',
    ]);
    expect(ran.stderr.match(/\w+ \S+ -> \d+/g)).toEqual([
      expect.stringMatching(/^GET .*accounts\/201 -> 200$/),
    ]);
  });

  it('is made where the key may not read the account', async () => {
    const scene = withCarl('{ id: "102" }');
    await scene.service((control) => control.addKey({ key: 'sim-key', permissions: ['onlyfans.messages'] }));
    const fans = await scene.herald('fans', 'list', '--account', 'carl', '--format', 'ndjson');
    const [fan = ''] = fans.stdout.match(/\d{4,}/) ?? [];
    const ran = await scene.herald('fans', 'label', fan, '--name', 'x', '--account', 'carl', '--yes');
    expect(ran.code, ran.stderr).toBe(0);
  });
});

// ACCOUNT-8
describe('a key without accounts.view', () => {
  const BOTH_IDS = WORKSPACE.replace(
    'alice: { id: "101",',
    'alice: { id: "101", platform_account_id: "9101",',
  ).replace(/ {2}bob:.*\n/, '');

  function keyed(yaml: string, permissions: readonly string[]): Scene {
    const world = { keys: [{ key: 'sim-key', permissions }] } as never;
    return aScene({ files: { 'herald.yaml': yaml }, world });
  }

  it('reads traffic and campaigns with both ids stated', async () => {
    const scene = keyed(BOTH_IDS, ['traffic_metrics.view', 'auto_messages.view']);
    for (const list of ['traffic subscriptions', 'campaigns list']) {
      const ran = await scene.herald(...list.split(' '), '--format', 'json');
      expect([list, ran.code, ran.stderr]).toEqual([list, 0, expect.any(String)]);
    }
  });

  it('learns from the doctor what to write', async () => {
    const scene = keyed(BOTH_IDS.replace(' platform_account_id: "9101",', ''), ['auto_messages.view']);
    const ran = await scene.herald('doctor');
    expect(ran.stdout).toContain('write both ids: alice: { id: "101", platform_account_id: "…" }');
    expect(ran.stdout).toContain('permission settings.view: not tested. No command of Herald uses it.');
  });

  it('two ids of different accounts are refused where the list can be read', async () => {
    const yaml = WORKSPACE.replace(
      'alice: { id: "101",',
      'alice: { id: "101", platform_account_id: "9102",',
    ).replace('bob: { id: "102",', 'bob: { username: bob_x,');
    const scene = aScene({ files: { 'herald.yaml': yaml } });
    const ran = await scene.herald('traffic', 'subscriptions', '--format', 'json');
    expect([ran.code, errorOf(ran).message]).toEqual([
      1,
      expect.stringContaining('has the id 9101 on its platform, and herald.yaml says 9102'),
    ]);
    expect((await scene.herald('doctor')).stdout).toContain('herald.yaml says 9102');
  });
});
