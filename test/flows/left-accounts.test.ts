import { describe, expect, it } from 'vitest';
import { planShape } from '../../src/domain/change.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf, liveOn, statuses } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

const ON_ALICE = declaring({ campaigns: [campaign()], broadcasts: [broadcast()] }, ['alice']);
const ON_BOB = declaring({ campaigns: [campaign({ name: 'Bob only' })] }, ['bob']);

/** Applied on alice. Then the account is gone from the workspace, in one of three ways. */
async function left(workspace: string, files = ON_BOB): Promise<Scene> {
  const scene = aScene({ files: ON_ALICE });
  expect((await applied(scene)).code).toBe(0);
  for (const path of Object.keys(ON_ALICE)) delete scene.files.tree[path];
  Object.assign(scene.files.tree, files, { 'herald.yaml': workspace });
  return scene;
}

const REMOVED = WORKSPACE.replace(/\n {2}alice: .*/, '').replaceAll('[alice, bob]', '[bob]');
const OTHER_ID = WORKSPACE.replace('id: "101"', 'id: "999"');

async function warnings(scene: Scene, ...command: readonly string[]) {
  const ran = await scene.herald(...command, '--format', 'json');
  const { diagnostics } = documentOf(ran, planShape);
  return diagnostics.filter(({ code }) => code === 'account-left').map(({ message }) => message);
}

describe.each([
  ['is removed from herald.yaml', REMOVED],
  ['has another id in herald.yaml', OTHER_ID],
])('what runs on an account that %s', (_, workspace) => {
  it('is named by plan and drift, with a command that stops it', async () => {
    const scene = await left(workspace);
    const [id = ''] = (await liveOn(scene, '101', 'campaign')).map((live) => live.id);
    const stop = `herald campaigns pause ${id} --account 101`;
    for (const command of ['plan', 'drift']) {
      const messages = await warnings(scene, command);
      expect(messages, command).toHaveLength(2);
      expect(messages.join('\n'), command).toContain(stop);
    }
    const comment = await scene.herald('plan', '--format', 'markdown');
    expect(comment.stdout).toContain(stop);
    const stopped = await scene.herald(...stop.split(' ').slice(1), '--yes');
    expect([stopped.code, await statuses(scene, 'campaign', '101')]).toEqual([0, ['paused']]);
    expect((await warnings(scene, 'plan')).join('\n')).not.toContain(stop);
  });

  it('is stopped by --allow prune, and nothing else of that account is', async () => {
    const scene = await left(workspace);
    await scene.service((control) => control.seedCampaign('101', { name: 'Of others', status: 'active' }));
    expect((await applied(scene, '--allow', 'prune', '--allow', 'large')).code).toBe(0);
    expect((await statuses(scene, 'campaign', '101')).toSorted()).toEqual(['active', 'archived']);
    expect(await statuses(scene, 'broadcast', '101')).toEqual(['paused']);
  });
});

it('an account by username that nothing is declared for any more is still read', async () => {
  const byName = WORKSPACE.replace('id: "101"', 'username: alice_x');
  const scene = aScene({ files: { ...ON_ALICE, 'herald.yaml': byName } });
  expect((await applied(scene)).code).toBe(0);
  for (const path of Object.keys(ON_ALICE)) delete scene.files.tree[path];
  Object.assign(scene.files.tree, ON_BOB);
  const { changes } = documentOf(await scene.herald('plan', '--format', 'json'), planShape);
  expect(changes.map(({ address, action }) => `${action} ${address.account}`)).toEqual([
    'unmanaged alice',
    'unmanaged alice',
    'create bob',
  ]);
});

it('an account that the key does not see any more is named as not seen', async () => {
  const scene = await left(REMOVED);
  await scene.service((control) => control.addKey({ key: 'sim-key', permissions: 'all', accounts: ['102'] }));
  const ran = await scene.herald('plan', '--format', 'json');
  const codes = documentOf(ran, planShape).diagnostics.map(({ code }) => code);
  expect(codes).toContain('account-not-seen');
});
