import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf, outcomes, planned, writesSent } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

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
  it.each([['plan'], ['apply', '--yes'], ['drift'], ['import', '--account', 'alice']])(
    'blocks herald %s: nothing is created on the other account, and both ids are said',
    async (...args) => {
      const scene = aScene({ files: FILES });
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
    },
  );

  it('is left by stating the id of the account that is meant', async () => {
    const scene = aScene({ files: FILES });
    await applied(scene);
    await move(scene);
    scene.files.tree['herald.yaml'] = named('id: "101"');
    expect((await planned(scene)).plan.summary).toMatchObject({ keep: 1 });
    scene.files.tree['herald.yaml'] = named('id: "102"').replace(
      '  bob: { id: "102", vars',
      '  bob: { id: "103", vars',
    );
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    scene.files.tree['herald.yaml'] = named('username: alice_x').replace('id: "102"', 'id: "103"');
    expect((await planned(scene)).plan.summary, 'the last use counts').toMatchObject({ keep: 1 });
  });

  const changes = [
    { title: 'a chat message', args: ['chat', 'send', '101001', '--text', 'Hi', '--yes'] },
    { title: 'a payout', args: ['payouts', 'request', '--amount', '20', '--yes'] },
    { title: 'a label', args: ['fans', 'label', '101001', '--name', 'Tom', '--yes'] },
    { title: 'a follow', args: ['fans', 'follow', '101001', '--yes'] },
    { title: 'an upload', args: ['vault', 'upload', 'a.jpg'] },
  ];
  it.each(changes)('blocks $title', async ({ args }) => {
    const scene = aScene({ files: FILES });
    scene.bytes.blobs['a.jpg'] = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
    await applied(scene);
    await move(scene);
    const sent = await writesSent(scene);
    expect(await refusal(scene, ...args, '--account', 'alice')).toMatchObject({
      exit: 5,
      code: 'moved-account',
    });
    expect(await writesSent(scene)).toEqual(sent);
  });

  it('is a warning for what only reads', async () => {
    const scene = aScene({ files: FILES });
    await applied(scene);
    await move(scene);
    for (const args of [
      ['campaigns', 'list'],
      ['payouts', 'balances'],
      ['accounts', 'get', 'alice'],
      ['api', 'campaigns.list'],
      ['api', 'payouts.balances'],
    ]) {
      const ran = await scene.herald(...args, ...(args[0] === 'accounts' ? [] : ['--account', 'alice']));
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toContain('The output is about account 102.');
    }
    const doctor = await scene.herald('doctor', '--format', 'json');
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain('was account 101 in earlier runs');
  });
});
