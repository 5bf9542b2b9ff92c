import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { errorOf, expectEnd } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

// ACCOUNT-5: account 201 (dora_y) is on the secondary platform.
const BY_NAME = '{ username: dora_y }';
const ID_ALONE = '{ id: "201" }';
const STATED = '{ id: "201", platform: secondary }';

function withCarl(carl: string, files: Readonly<Record<string, string>> = {}): Scene {
  const yaml = WORKSPACE.replace('  bob: { id: "102", vars: { first_name: Bob } }', `  carl: ${carl}`);
  return aScene({ files: { ...files, 'herald.yaml': yaml } });
}

const LISTS = [
  ['campaigns list', BY_NAME],
  ['vault uploads', BY_NAME],
  ['campaigns list', STATED],
  ['vault uploads', STATED],
  ['payouts balances', ID_ALONE],
  ['traffic subscriptions', ID_ALONE],
  ['revenue chargebacks', ID_ALONE],
] as const;

describe('an account of the second platform', () => {
  it.each(LISTS)('is left out of %s where the file says %s, which is complete', async (list, carl) => {
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

  it.each([BY_NAME, STATED])('is refused by a plan that declares something on %s', async (carl) => {
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
