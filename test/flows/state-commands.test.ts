import { DatabaseSync } from '@photostructure/sqlite';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itemShape, stateCheckShape, stateShape } from '../../src/cli/schemas.ts';
import type { NewRequest } from '../../src/state/shapes.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { createsSent, documentOf, errorOf, expectEnd } from '../helpers/flows.ts';
import { inState, MESSAGE, recorded } from './recorded.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { NOON } from '../helpers/flow-clock.ts';

const DAY_MS = 86_400_000;
const WHY = ['--because', 'seen on the service'];
const PAYOUT: Partial<NewRequest> = {
  operation: 'payouts.request',
  kind: 'payout',
  name: '201',
  account_id: '201',
  content: null,
};
const FILE = (scene: Scene) => join(scene.state.directory, '.herald/state.db');

async function shown(scene: Scene) {
  return documentOf(await scene.herald('state', 'show', '--format', 'json'), stateShape);
}

async function failed(scene: Scene, ...args: string[]): Promise<string> {
  const ran = await scene.herald('state', ...args, '--format', 'json');
  const { code, hint } = errorOf(ran);
  return `${ran.code} ${code}: ${hint ?? ''}`;
}

describe('herald state show', () => {
  it('shows an empty state, and creates nothing', async () => {
    const scene = aScene();
    const { stdout, code } = await scene.herald('state', 'show');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^State: .*\/\.herald\/state\.db\nService: simulator:.*\. 0 objects known\.\nLease: free\.\nNo request is unconfirmed\.\n$/,
      ),
    ]);
    expect(readdirSync(scene.state.directory)).toEqual([]);
  });

  it('names each unconfirmed request, and the command that finds out what happened', async () => {
    const scene = aScene();
    const entries = [await recorded(scene), await recorded(scene, MESSAGE), await recorded(scene, PAYOUT)];
    await recorded(scene, { ...MESSAGE, name: '101002' }, { outcome: 'done' });
    const { unconfirmed, lease, kind, cut } = await shown(scene);
    expect([lease, kind, cut]).toEqual([null, 'sqlite', false]);
    expect(unconfirmed.map(({ entry, what }) => `${entry} ${what}`)).toEqual([
      `${entries[0]} create alice/campaign/Welcome`,
      `${entries[1]} chat.send alice/message/101001`,
      `${entries[2]} payouts.request alice/payout/201`,
    ]);
    expect(unconfirmed.map(({ advice }) => advice)).toEqual([
      expect.stringContaining('herald apply --target alice/campaign/Welcome. '),
      expect.stringContaining('herald chat messages 101001 --account alice'),
      expect.stringContaining('herald payouts request'),
    ]);
    const { stdout } = await scene.herald('state', 'show');
    expect(stdout).toContain(`herald state close ${entries[1]} --because '…'`);
  });
});

it('the command of herald state show finds out about a request without its file, and sends nothing else', async () => {
  const other = campaign({ name: 'Other', messages: [{ text: 'Not to go out yet' }] });
  const scene = aScene({ files: declaring({ campaigns: [other] }) });
  await recorded(scene);
  expectEnd(await scene.herald('apply', '--yes', '--target', 'alice/campaign/Welcome'), 0);
  expect((await shown(scene)).unconfirmed).toEqual([]);
  expect(await createsSent(scene)).toBe(0);
});

describe('herald state close', () => {
  it('waits for the window of the request, and then nothing waits for it any more', async () => {
    const scene = aScene();
    const entry = await recorded(scene, PAYOUT);
    const ran = await scene.herald('state', 'close', entry, ...WHY, '--yes', '--format', 'json');
    expect(documentOf(ran, itemShape).item).toMatchObject({ entry, closed_by: 'tester' });
    expect(scene.clock.now() - NOON).toBeGreaterThanOrEqual(90_000);
    expect(ran.stderr).toContain('Waiting up to 90 s');
    expect(await scene.readState((state) => state.open())).toEqual([]);
    // The database lets one payout of an account be open.
    await recorded(scene, PAYOUT);
    const history = await scene.herald('history', '*/payout/*', '--columns', 'outcome,message');
    expect(history.stdout).toContain('closed   seen on the service');
  });

  it.each([
    ['no such entry', ['run-9', ...WHY], '1 unknown-entry: To list unconfirmed requests: herald state show'],
    ['no reason', ['run-9', '--because', ' '], '1 usage: See: herald --help'],
  ])('with %s says what to do', async (_title, args, words) => {
    expect(await failed(aScene(), 'close', ...args, '--yes')).toBe(words);
  });
});

it('herald state forget forgets an object, with the reason in the history', async () => {
  const scene = aScene();
  const object = { account_id: '101', kind: 'campaign', live_id: '77', name: 'Welcome', ours: 1 } as const;
  const alias = { kind: 'alias', alias: 'alice', account_id: '101' } as const;
  await inState(scene, (state) => state.learn([alias, { kind: 'object', object }]));
  expect((await shown(scene)).objects).toBe(1);
  const ran = await scene.herald('state', 'forget', '77', ...WHY, '--yes');
  expect(ran).toMatchObject({ code: 0, stdout: 'Forgot campaign 77 of alice. Next: herald plan\n' });
  expect((await shown(scene)).objects).toBe(0);
  expect(await scene.requests()).toMatchObject([{ account: 'alice', because: 'seen on the service' }]);
});

describe('herald state prune', () => {
  it('deletes what ended long ago, and keeps what is unconfirmed', async () => {
    const scene = aScene();
    await recorded(scene, MESSAGE, { outcome: 'done' });
    await recorded(scene);
    scene.clock.move(100 * DAY_MS);
    await recorded(scene, MESSAGE, { outcome: 'done' });
    const ran = await scene.herald('state', 'prune', '--before', '90d');
    expect(ran.stdout).toMatch(/^Deleted 1 request that ended before 2026-06-11T/);
    expect((await scene.requests()).map(({ kind }) => kind)).toEqual(['campaign', 'message']);
  });

  it.each(['3d', 'yesterday', '2030-01-01'])('refuses --before %s', async (before) => {
    expect(await failed(aScene(), 'prune', '--before', before)).toMatch(/^1 bad-flag: .*herald state prune/);
  });
});

describe('herald state export and import', () => {
  it('bring a state to an empty one, which then counts as cut', async () => {
    const scene = aScene();
    await recorded(scene, {}, { outcome: 'done', live_id: '77' });
    const wrote = await scene.herald('state', 'export', 'state.ndjson');
    expect(wrote.stdout).toMatch(/^Wrote 1 row of .*state\.db to state\.ndjson\.\n$/);
    const before = await scene.requests();
    rmSync(scene.state.directory, { recursive: true });
    expect(await failed(scene, 'export', 'state.ndjson')).toBe('1 files-exist: Name a new file.');
    const read = await scene.herald('state', 'import', 'state.ndjson');
    expect(read.stdout).toMatch(/^Imported 1 row .*\nNext: herald plan\n$/);
    expect([await scene.requests(), (await shown(scene)).cut]).toEqual([before, true]);
    expect(await failed(scene, 'import', 'state.ndjson')).toMatch(
      /^1 state-refused: Import into an empty state/,
    );
  });

  it('read a file in while herald.yaml is wrong in another place', async () => {
    const scene = aScene();
    await recorded(scene, {}, { outcome: 'done', live_id: '77' });
    await scene.herald('state', 'export', 'state.ndjson');
    rmSync(scene.state.directory, { recursive: true });
    scene.files.tree['herald.yaml'] += 'typo: 1\n';
    expect((await scene.herald('state', 'import', 'state.ndjson')).stdout).toMatch(/^Imported 1 row /);
  });
});

it('herald state unlock ends the lease of a run that was killed, and the next run waits', async () => {
  const scene = aScene();
  expect((await scene.herald('state', 'unlock')).stdout).toMatch(/^No lease is on record\..*end its process/);
  await inState(scene, async () => {
    expect(await failed(scene, 'unlock')).toBe('1 needs-yes: Check that the run has ended, then add --yes.');
    const ran = await scene.herald('state', 'unlock', '--yes');
    expect(ran.stdout).toMatch(/^The lease of mia, process 1 has ended.* process still exists, end it, too/);
  });
  expect(await shown(scene)).toMatchObject({ lease: null, cut: true });
  const label = await scene.herald('fans', 'label', '5', '--account', 'alice', '--name', 'Tom', '--yes');
  expect(label.stderr).toContain('Waiting up to 90 s');
  // It is waited for once.
  expect(await shown(scene)).toMatchObject({ cut: false });
  const { stderr } = await scene.herald('apply', '--yes');
  expect(stderr).not.toContain('Waiting');
});

it('herald state check finds what a person must act on, and exits with 1', async () => {
  const scene = aScene();
  await recorded(scene);
  const young = await scene.herald('state', 'check');
  expect([young.code, young.stdout]).toEqual([0, expect.stringContaining('is unconfirmed. To find out')]);
  expect(young.stdout).not.toContain('No problems found');
  scene.clock.move(2 * DAY_MS);
  scene.files.tree['herald.yaml'] = 'version: 1\nservice: { base_url: https://api.service.example }\n';
  const ran = await scene.herald('state', 'check', '--format', 'json');
  const { healthy, findings, services } = documentOf(ran, stateCheckShape);
  expect([ran.code, healthy, services]).toMatchObject([0, true, [{ rows: 1 }]]);
  expect(findings).toMatchObject([
    { severity: 'warning', code: 'state-unconfirmed', message: expect.stringContaining('on simulator:') },
  ]);
});

/** What is wrong with the place of the state, and the code and next command that each command answers with. */
const BAD: readonly (readonly [string, (scene: Scene) => void, RegExp])[] = [
  [
    'a file that is damaged',
    (scene) => {
      const bytes = readFileSync(FILE(scene));
      for (const end of ['', '-wal', '-shm']) rmSync(`${FILE(scene)}${end}`, { force: true });
      // All pages but the head.
      writeFileSync(FILE(scene), bytes.fill(0xff, 100), { mode: 0o600 });
    },
    /^1 state-failed: Move it away: mv .*\.old.*herald state import FILE/,
  ],
  [
    'a file of a newer version',
    (scene) => {
      const database = new DatabaseSync(FILE(scene));
      database.exec('PRAGMA user_version = 99');
      database.close();
    },
    /^1 state-newer: Update Herald/,
  ],
  [
    'a database that is down',
    (scene) => useDatabase(scene, 'postgres://herald:s3cret@127.0.0.1:1/herald'),
    /^1 state-unreachable: Check that the database server runs.*herald state check/,
  ],
  [
    'an address with a line break in it',
    (scene) => useDatabase(scene, 'postgres://herald:s3cret@127.0.0.1:1/her\nald'),
    /^1 state-url: Write it as postgres:/,
  ],
];

const withState = madeOnce(async () => {
  const scene = aScene({ files: { 'in.ndjson': '' } });
  await recorded(scene, {}, { outcome: 'done' });
  return scene;
});

function useDatabase(scene: Scene, url: string): void {
  scene.files.tree['herald.yaml'] +=
    'state: { postgres: "${HERALD_STATE_URL}", workspace: eu, retry_sec: 0 }\n';
  scene.env['HERALD_STATE_URL'] = url;
}

describe.each(BAD)('with %s', (_title, harm, words) => {
  it.each([['show'], ['check'], ['close', 'run-1', ...WHY, '--yes'], ['import', 'in.ndjson'], ['unlock']])(
    'herald state %s says what happened and the next command',
    async (...args) => {
      const scene = await withState();
      harm(scene);
      const ran = await scene.herald('state', ...args, '--format', 'json');
      const { code, hint, message } = errorOf(ran);
      expect(`${ran.code} ${code}: ${hint ?? ''}`, message).toMatch(words);
      expect(message).not.toContain('s3cret');
      expect(ran.stderr).not.toContain('    at ');
    },
  );
});

describe('herald state show names', () => {
  it.each<[string, Partial<NewRequest>, RegExp]>([
    [
      'what to look at after a recall of a broadcast',
      { operation: 'broadcasts.unsend', kind: 'broadcast', live_id: '5501', target: null },
      /^Check whether it was recalled: herald broadcasts get 5501 --account alice\. Once you know/,
    ],
    [
      'the upload that finds out',
      { operation: 'vault.upload-export', kind: 'upload', name: 'a.jpg' },
      /^Upload the same file again: it looks for the earlier upload first\./,
    ],
    [
      'that a label may be set again',
      { operation: 'fans.label', kind: 'label', name: '101001' },
      /^Send the same once more, which is harmless\./,
    ],
  ])('%s', async (_title, request, advice) => {
    const scene = aScene();
    await recorded(scene, { content: null, purpose: null, ...request });
    expect((await shown(scene)).unconfirmed).toMatchObject([{ advice: expect.stringMatching(advice) }]);
  });

  it('the run that has the lease, and how it ends', async () => {
    const scene = aScene();
    const { stdout } = await inState(scene, () => scene.herald('state', 'show'));
    expect(stdout).toContain('Lease: mia, process 1. If that process has ended, the next run takes it.\n');
  });
});

it('herald state forget takes the account or the kind where several have an id', async () => {
  const scene = aScene();
  const object = { live_id: '77', name: 'welcome', ours: 1 } as const;
  await inState(scene, (state) =>
    state.learn([
      { kind: 'object', object: { ...object, account_id: '101', kind: 'campaign' } },
      { kind: 'object', object: { ...object, account_id: '101', kind: 'broadcast' } },
      { kind: 'object', object: { ...object, account_id: '102', kind: 'campaign' } },
    ]),
  );
  const forget = ['forget', '77', '--because', 'deleted by support', '--yes'];
  expect(await failed(scene, ...forget)).toBe('1 ambiguous-name: Add --account or --kind.');
  expect((await scene.herald('state', ...forget, '--kind', 'broadcast')).code).toBe(0);
  expect((await scene.herald('state', ...forget, '--account', '102')).code).toBe(0);
  expect((await scene.herald('state', ...forget)).stdout).toContain('Forgot campaign 77 of 101.');
});
