import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEND } from '../helpers/chats.ts';
import { listening } from '../helpers/listening.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { serveWorld } from '../helpers/served.ts';
import { WORKSPACE } from '../helpers/scene.ts';

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

it('a message that was accepted and blocked afterwards is blocked in history and drift', async () => {
  const served = await serveWorld({ modes: { chatDelaySec: 0 } });
  const files = { 'herald.yaml': WORKSPACE, 'live/all.yaml': 'campaigns: []\n' };
  const directory = herald.workspace(files);
  const run = (...args: readonly string[]) => heraldHere(directory, { args, env: served.env });
  const receiver = await listening(herald, directory, ['--reconcile-every', '0'], served.env);
  const entry = { url: receiver.url, envelope: 'nested' };
  await fetch(`${served.env['HERALD_BASE_URL'] ?? ''}/__sim/webhooks`, {
    method: 'POST',
    body: JSON.stringify(entry),
  });

  const sent = await run(...SEND, '--text', 'This is guarded.', '--yes');
  expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining('queued, not delivered')]);
  const [, sendId = ''] = /send_id ([\w-]+)/.exec(sent.stdout) ?? [];
  while ((await run('events', 'list', '--format', 'ndjson')).stdout === '') await wait(10);

  const history = await run('history', '--format', 'ndjson');
  expect(JSON.parse(history.stdout)).toMatchObject({ outcome: 'blocked', live_id: sendId });
  const drift = await run('drift');
  expect([drift.code, drift.stdout]).toEqual([2, expect.stringContaining('1 message stopped by the guard')]);

  receiver.run.kill('SIGTERM');
  expect((await receiver.run.ran).code).toBe(0);
  await served.close();
});
