import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listening } from '../helpers/listening.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';

import { serveWorld } from '../helpers/served.ts';

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

it('gives each event to the workspace with its account, and those of no account to the first', async () => {
  const served = await serveWorld();
  const only = (alias: string, id: string) =>
    `version: 1\nservice: { simulator: .herald/world.json }\naccounts:\n  ${alias}: { id: "${id}" }\n`;
  const directory = herald.workspace({
    'herald.yaml': only('alice', '101'),
    'eu/herald.yaml': only('alice', '101'),
    'us/herald.yaml': only('bob', '102'),
  });
  const flags = ['--workspace', 'eu', '--workspace', 'us', '--reconcile-every', '0'];
  const { run, url, counts } = await listening(herald, directory, flags, served.env);
  const post = async (body: object) =>
    (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).status;
  // An account is unknown only once those of both workspaces are known.
  for (let number = 1; (await counts())['unknown_account'] === 0; number += 1) {
    await post({ event_id: `other-${number}`, account_id: 999 });
    await wait(20);
  }
  expect((await counts())['unknown_kind']).toBeGreaterThan(0);
  const statuses = [
    await post({ event_id: 'of-alice', account_id: 101 }),
    await post({ event_id: 'of-bob', account_id: 102 }),
  ];
  run.kill('SIGTERM');
  expect([statuses, (await run.ran).code]).toEqual([[200, 200], 0]);
  const idsIn = async (folder: string) => {
    const args = ['-C', folder, 'events', 'list', '--format', 'ndjson'];
    const { stdout } = await herald.start(directory, args, served.env).ran;
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines
      .map((line) => (JSON.parse(line) as { id: string }).id)
      .filter((id) => !id.startsWith('other-'));
  };
  expect([await idsIn('eu'), await idsIn('us')]).toEqual([['of-alice'], ['of-bob']]);
  const first = await herald.start(directory, ['-C', 'eu', 'events', 'list', '--account', '999'], served.env)
    .ran;
  expect(first.stdout).toContain('webhook');
  await served.close();
});
