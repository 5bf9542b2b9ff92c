import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorReportShape, planShape } from '../../src/domain/change.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf, liveOn, statuses, writesSent, expectEnd, standing } from '../helpers/flows.ts';
import { aScene, type Scene, WORKSPACE } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const named = (selector: string) => WORKSPACE.replace('id: "101"', selector);
const FILES = { ...declaring({ campaigns: [campaign()] }), 'herald.yaml': named('username: alice_x') };

function rename(scene: Scene, accountId: string, username: string): Promise<void> {
  return scene.service((_control, world) => {
    const account = world.accounts[accountId];
    if (account !== undefined) account.live.username = username;
  });
}

/** On the platform, the name goes from account 101 to account 102. */
async function move(scene: Scene): Promise<void> {
  await rename(scene, '101', 'somebody_new');
  await rename(scene, '102', 'alice_x');
}

async function refusal(scene: Scene, ...args: string[]) {
  const ran = await scene.herald(...args, '--format', 'json');
  return { exit: ran.code, ...documentOf(ran, errorReportShape) };
}

describe('a username that moves to another account', () => {
  it.each([
    ['apply', '--yes'],
    ['import', '--account', 'alice'],
    ['chat', 'send', '101001', '--text', 'Hi', '--yes', '--account', 'alice'],
    ['payouts', 'request', '--amount', '20', '--yes', '--account', 'alice'],
    ['vault', 'upload', 'a.jpg', '--account', 'alice'],
  ])('blocks herald %s: nothing is created on the other account, and both ids are said', async (...args) => {
    const scene = aScene({ files: FILES });
    scene.bytes.blobs['a.jpg'] = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
    await applied(scene);
    await move(scene);
    const sent = await writesSent(scene);
    const error = await refusal(scene, ...args);
    expect({ exit: error.exit, code: error.code }).toEqual({ exit: 5, code: 'moved-account' });
    expect(error.message).toContain(
      '"alice" (username "alice_x") was account 101 in earlier runs and is account 102 now',
    );
    expect(error.hint).toContain('alice: { id: "101" }');
    expect(error.hint).toContain('alice: { id: "102" }');
    expect(await writesSent(scene)).toEqual(sent);
  });

  it('is a warning for what only reads', async () => {
    const scene = aScene({ files: FILES });
    await applied(scene);
    await move(scene);
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
