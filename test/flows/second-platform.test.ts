import { describe, expect, it } from 'vitest';
import { errorReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

// ACCOUNT-5: account 201 (dora_y) is on the secondary platform.
const BY_NAME = '{ username: dora_y }';
const STATED = '{ id: "201", platform: secondary }';

function withCarl(carl: string, files: Readonly<Record<string, string>> = {}): Scene {
  const yaml = WORKSPACE.replace('  bob: { id: "102", vars: { first_name: Bob } }', `  carl: ${carl}`);
  return aScene({ files: { ...files, 'herald.yaml': yaml } });
}

const SELECTORS = [
  ['by its username', BY_NAME],
  ['with its platform stated', STATED],
] as const;

describe.each(SELECTORS)('an account of the second platform, %s', (_, carl) => {
  it.each([['campaigns list'], ['vault uploads']])(
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

// An id alone does not tell the platform: the service refuses the request, and nothing is sent to anyone.
describe('an account of the second platform of which the file has the id alone', () => {
  it.each(['campaigns list', 'fans label 9001 --name x --yes', 'chat send 9001 --text Hi --yes'])(
    '%s says what the service answered',
    async (command) => {
      const ran = await withCarl('{ id: "201" }').herald(...command.split(' '), '--account', 'carl');
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain('not available for this platform');
    },
  );

  it('is a warning of the doctor, which says what to write', async () => {
    const ran = await withCarl('{ id: "201" }').herald('doctor');
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
