import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aScene } from '../helpers/scene.ts';
import { expectEnd } from '../helpers/flows.ts';
import { NOON } from '../helpers/flow-clock.ts';

const DAY_MS = 86_400_000;
const at = (days: number) => new Date(NOON + days * DAY_MS).toISOString();

const WELCOME = `accounts: [alice]
campaigns:
  - name: Welcome
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages: [{ text: Hi }]
`;

const listed = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

describe('accounts list', () => {
  const args = ['accounts', 'list', '--format', 'yaml'];

  it('prints the block of herald.yaml, with the aliases that are there and usernames for the others', async () => {
    const { stdout } = await aScene({ files: {} }).herald(...args);
    expect(stdout).toContain(
      '\naccounts:\n  alice: { id: "101" }\n  bob: { id: "102" }\n  carol_x: { id: "103" }\n',
    );
  });

  it('never gives a declared alias to another account, and knows an account by whatever declares it', async () => {
    const workspace =
      'version: 1\nservice: { simulator: .herald/world.json }\naccounts: { vip: { username: bob_x }, carol_x: { id: "101" } }\n';
    const { stdout } = await aScene({ files: { 'herald.yaml': workspace } }).herald(...args);
    expect(stdout).toContain(
      '\naccounts:\n  carol_x: { id: "101" }\n  vip: { id: "102" }\n  carol_x-103: { id: "103" }\n',
    );
  });

  it('is the only list with that format, and takes no columns then', async () => {
    const scene = aScene({ files: {} });
    for (const [words, said] of [
      [['fans', 'list', '--format', 'yaml'], 'cannot print yaml'],
      [[...args, '--columns', 'id'], '--columns works with table and csv only'],
    ] as const)
      expect((await scene.herald(...words)).stderr).toContain(said);
  });
});

it('a place in a list is one of one account', async () => {
  const ran = await aScene().herald('payouts', 'list', '--marker', '5');
  expectEnd(ran, 1, 'belongs to the list of one account');
});

it('campaigns list shows which version equals the file, then the newest on record, without a request more', async () => {
  const scene = aScene({ files: { 'live/a.yaml': WELCOME } });
  await scene.service((control) =>
    control.seedCampaign('101', { id: '9', name: 'By hand', messages: [{ text: 'Other' }] }),
  );
  expectEnd(await scene.herald('apply', '--yes'), 0);
  await scene.files.writeAtomically('live/a.yaml', WELCOME.replace('Hi', 'Hello'));
  expectEnd(await scene.herald('apply', '--yes'), 0);
  const args = ['campaigns', 'list', '--account=alice', '--archived', '--format=csv'];
  const list = async () =>
    listed((await scene.herald(...args, '--columns=name,current,status')).stdout)
      .map((cells) => cells.join(' '))
      .toSorted();
  expect(await list()).toEqual(['By hand  active', 'Welcome  paused', 'Welcome file active']);
  await scene.files.writeAtomically('live/a.yaml', WELCOME.replace('Hi', 'Changed'));
  expect(await list()).toContain('Welcome newest active');
  await scene.files.writeAtomically('live/a.yaml', WELCOME);
  expect(await list()).toContain('Welcome file paused');
  const table = await scene.herald('campaigns', 'list', '--account', 'alice');
  expect(table.stdout).toMatch(/^account +id +name +status +current +created /);
});

it('campaigns list calls the version newest that the service made last, also if Herald saw an older one later', async () => {
  const scene = aScene({ files: { 'live/a.yaml': WELCOME } });
  expectEnd(await scene.herald('apply', '--yes'), 0);
  const old = { id: '9', name: 'Welcome', created_at: at(-9) };
  await scene.service((control) => control.seedCampaign('101', { ...old, messages: [{ text: 'Old' }] }));
  expectEnd(await scene.herald('campaigns', 'archive', '9', '--account=alice', '--yes'), 0);
  await scene.files.writeAtomically('live/a.yaml', WELCOME.replace('Hi', 'Changed'));
  const args = ['campaigns', 'list', '--account=alice', '--archived', '--format=csv'];
  const { stdout } = await scene.herald(...args, '--columns=current,status,name');
  expect(listed(stdout).map(([current, status]) => `${current} ${status}`)).toEqual([
    'newest active',
    ' archived',
  ]);
});

describe('broadcasts list', () => {
  const aScheduled = async () => {
    const scene = aScene();
    await scene.service((control) => {
      control.seedBroadcast('101', { name: 'Next', scheduled_at: at(3) });
      control.seedBroadcast('101', { name: 'Later', scheduled_at: at(30) });
      control.seedBroadcast('101', { name: 'Halted', scheduled_at: at(4), status: 'paused' });
      control.seedBroadcast('101', { name: 'Sent', status: null, scheduled_at: null, created_at: at(-2) });
      control.seedBroadcast('101', { name: 'Never left', status: 'archived', scheduled_at: at(-9) });
    });
    return scene;
  };
  const names = async (scene: Awaited<ReturnType<typeof aScheduled>>, ...flags: readonly string[]) => {
    const args = ['broadcasts', 'list', '--account=alice', '--format=csv', '--columns=name,state', ...flags];
    return listed((await scene.herald(...args)).stdout).map((cells) => cells.join(' '));
  };

  it('has a word for what is finished, and filters by it', async () => {
    const scene = await aScheduled();
    expect(await names(scene, '--state=finished')).toEqual(['Sent finished']);
    expect(await names(scene, '--state=archived')).toEqual(['Never left archived']);
    expect(await names(scene, '--state=paused')).toEqual(['Halted paused']);
    expect((await names(scene, '--state=waiting')).toSorted()).toEqual(['Later waiting', 'Next waiting']);
    expect(await names(scene, '--state=waiting', '--limit=1')).toHaveLength(1);
  });

  it('filters by the hour, or by the day of a create where the hour is gone', async () => {
    const scene = await aScheduled();
    expect((await names(scene, '--from=2026-06-02', '--to=2026-06-10')).toSorted()).toEqual([
      'Halted paused',
      'Next waiting',
    ]);
    expect(await names(scene, '--from=2026-06-20')).toEqual(['Later waiting']);
    expect(await names(scene, '--from=7d', '--to=2026-06-01')).toEqual(['Sent finished']);
  });

  it('counts only the rows that it shows as those of --limit', async () => {
    const scene = await aScheduled();
    expect(await names(scene, '--archived', '--from=2026-06-20', '--limit=1')).toEqual(['Later waiting']);
    expect(await names(scene, '--to=2026-05-25', '--archived', '--limit=1')).toEqual(['Never left archived']);
  });

  it('folds the paused copy of a broadcast that was moved, and says so; the plan says what moves', async () => {
    const news = (hour: string) => `accounts: [alice]
broadcasts:
  - name: News
    scheduled_at: ${hour}
    audience: everyone
    messages: [{ text: Soon }]
`;
    const scene = aScene({ files: { 'live/b.yaml': news('2026-06-03T18:00:00Z') } });
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    await scene.files.writeAtomically('live/b.yaml', news('2026-06-04T19:00:00Z'));
    expect((await scene.herald('plan')).stdout).toContain('Moved from Wed 3 Jun 2026');
    const moved = await scene.herald('apply', '--yes', '--allow=replace');
    expect(moved.code, moved.stderr).toBe(0);
    for (const flags of [[], ['--columns=id,name'], ['--limit=1']]) {
      const table = await scene.herald('broadcasts', 'list', '--account=alice', ...flags);
      expect(table.stdout.match(/News/g)).toHaveLength(1);
      expect(table.stderr).toContain('1 paused copy of broadcasts that were moved or changed: left out.');
    }
    expect((await names(scene)).toSorted()).toEqual(['News replaced', 'News waiting']);
    expect(await names(scene, '--state=replaced')).toEqual(['News replaced']);
  });

  it('says that what was recalled by hand is recalled', async () => {
    const scene = await aScheduled();
    await scene.herald('broadcasts', 'recall', 'alice/broadcast/Next', '--yes');
    expect(await names(scene, '--state=recalled')).toEqual(['Next recalled']);
    const json = await scene.herald('broadcasts', 'list', '--state=recalled', '--format=ndjson');
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'Next', state: 'recalled' });
  });
});

it('chat messages --from ends at the first message that is older, and asks for no page after it', async () => {
  const scene = aScene();
  await scene.service((control) => {
    control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101001', messages: 230 } });
    control.seed({
      account_id: '101',
      kind: 'chat_message',
      set: { chat_id: '101001', text: 'New', from_me: false },
    });
  });
  const args = ['chat', 'messages', '101001', '--account=alice', '--format=ndjson'];
  const list = (...flags: readonly string[]) => scene.herald('--verbose', ...args, ...flags);
  const all = (await list()).stdout.trimEnd().split('\n');
  const cut = (JSON.parse(all[10] ?? '{}') as { created_at: string }).created_at;
  const some = await list(`--from=${cut}`);
  expect(some.stdout.trimEnd().split('\n')).toEqual(all.slice(0, 11));
  expect(some.stderr.match(/^GET /gm)).toHaveLength(1);
});

it('shows the figures of a team also where the names of its members cannot be read', async () => {
  const scene = aScene();
  await scene.service((control) => control.setData({ members: 3 }));
  await scene.fault({ kind: 'refusal', operation: 'team.members', status: 403 });
  const ran = await scene.herald('team', 'metrics');
  expectEnd(ran, 0, 'warning: service-warning: The names of members could not be read: answered 403');
});

it('shows broadcasts and campaigns also where the state cannot be read', async () => {
  const scene = aScene({ files: { 'live/a.yaml': WELCOME } });
  expect((await scene.herald('apply', '--yes')).code).toBe(0);
  const file = join(scene.state.directory, '.herald/state.db');
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  writeFileSync(file, 'no database');
  const ran = await scene.herald('campaigns', 'list', '--format', 'csv', '--columns', 'name,current');
  expect([ran.code, ran.stdout], ran.stderr).toEqual([0, 'name,current\nWelcome,\n']);
});
