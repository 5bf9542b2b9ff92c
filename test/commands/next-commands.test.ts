import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { editLive, expectEnd, liveOn, standing } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

/** The arguments of the last command that a run printed on a line of its own. Its words have no quotes. */
function lastCommand(stdout: string): string[] {
  const [, command = ''] = /\n {2}herald (.*)\n$/.exec(stdout) ?? [];
  return command.split(' ');
}

it('the commands that allow a change end, also where it needs one allowance after the other', async () => {
  const scene = await standing(declaring({ campaigns: [campaign()] }));
  await editLive(scene, 'campaign', { status: 'paused' });
  rmSync(join(scene.state.directory, '.herald'), { recursive: true });
  let ran = await scene.herald('apply', '--yes');
  for (let left = 2; left > 0; left -= 1) ran = await scene.herald(...lastCommand(ran.stdout), '--yes');
  expect([ran.code, await liveOn(scene, '101', 'campaign')], ran.stdout).toMatchObject([
    0,
    [{ status: 'active' }],
  ]);
});

it('a plan names the command for the rest, and the one that allows what is blocked', async () => {
  const scene = await standing(declaring({ campaigns: [campaign()] }));
  await editLive(scene, 'campaign', { status: 'paused' });
  const both = [campaign(), campaign({ name: 'Other', messages: [{ text: 'Another one' }] })];
  Object.assign(scene.files.tree, declaring({ campaigns: both }));
  const only = '--target alice/campaign/Welcome';
  expectEnd(
    await scene.herald('plan', '--allow', 'adopt'),
    5,
    `Next: herald apply --allow adopt\nTo allow the blocked change:\n  herald apply --allow adopt --allow resume ${only}\n`,
  );
});

it('after a saved plan that failed, the command plans the same resources again', async () => {
  const other = campaign({ name: 'Other', messages: [{ text: 'Not to go out yet' }] });
  const scene = aScene({ files: declaring({ campaigns: [campaign(), other] }) });
  const limits = [
    '--allow',
    'resume',
    '--target',
    'alice/campaign/Welcome',
    '--exclude',
    'alice/campaign/Other',
  ];
  await scene.herald('plan', ...limits, '--out', 'plan.json');
  await scene.fault({ kind: 'refusal', status: 400, operation: 'campaigns.create', nth: 1 });
  const ran = await scene.herald('apply', 'plan.json', '--yes');
  expect(lastCommand(ran.stdout)).toEqual(['plan', ...limits, '--out', 'plan.json']);
});

it('what changed while an apply asked is applied with the same flags', async () => {
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
  scene.answer = async () => {
    await scene.service((control) => control.seedCampaign('101', { name: 'Welcome' }));
    return true;
  };
  const flags = ['--allow', 'resume', '--target', 'alice/campaign'];
  expectEnd(await scene.herald('apply', ...flags), 5, `Run herald apply ${flags.join(' ')} again.`);
});

it('a start by hand without an answer is tried again with the flags that it had', async () => {
  const scene = aScene();
  const set = { id: '5501', name: 'News', status: 'paused', scheduled_at: '2026-06-01T12:03:00Z' };
  await scene.service((control) => control.seedBroadcast('101', { ...set, messages: [{ text: 'Hey' }] }));
  await scene.fault({
    kind: 'broken_answer',
    when: 'before_commit',
    how: '502',
    operation: 'broadcasts.set-status',
  });
  const start = 'broadcasts resume 5501 --account alice --force';
  const ran = await scene.herald(...start.split(' '), '--yes');
  expect([ran.code, ran.stdout]).toEqual([3, expect.stringContaining(`To try it again: herald ${start}.`)]);
});

it('the command that shows the chat stands next to a message without an answer', async () => {
  const scene = aScene();
  await scene.fault({ kind: 'broken_answer', when: 'before_commit', how: 'timeout', operation: 'chat.send' });
  const ran = await scene.herald('chat', 'send', '101001', '--account', 'alice', '--text', 'Hi', '--yes');
  expectEnd(ran, 3, '\nCheck the chat: herald chat messages 101001 --account alice. A message may');
});

it('the file of --api-key-file is named in each next command', async () => {
  const scene = aScene({ files: { ...declaring({ campaigns: [campaign()] }), key: 'sim-key' } });
  const ran = await scene.herald('--api-key-file', 'key', 'plan');
  expectEnd(ran, 0, 'Next: herald --api-key-file key apply\n');
});
