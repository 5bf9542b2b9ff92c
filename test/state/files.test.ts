import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digest } from '../../src/domain/digest.ts';
import { COLUMNS, SCHEMA_VERSION } from '../../src/state/shapes.ts';
import { Sqlite } from '../../src/state/sqlite.ts';
import { State } from '../../src/state/state.ts';
import { stateProcesses } from '../helpers/state-process.ts';
import { aRun, begun, CREATE } from '../helpers/state-requests.ts';
import { kept } from '../helpers/states.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const start = stateProcesses();

const at = (directory: string) => ({ kind: 'sqlite', directory }) as const;
const take = (directory: string) => kept(State.take(aRun(at(directory)), 0));
const read = (directory: string) => kept(State.openToRead(aRun(at(directory))));

/** A folder with a state that has one confirmed create. */
async function recorded(): Promise<string> {
  const directory = temporaryFolder();
  const state = await take(directory);
  await state.end((await begun(state, CREATE)).entry, { outcome: 'done' });
  await state.close();
  return directory;
}

describe('the files of a state', () => {
  it('can be read and written by this user only', async () => {
    const directory = await recorded();
    const mode = (path: string) => (statSync(join(directory, '.herald', path)).mode & 0o777).toString(8);
    expect([mode('.'), mode('state.db'), mode('run-lock.db')]).toEqual(['700', '600', '600']);
  });

  it('that are links are refused', async () => {
    const directory = temporaryFolder();
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(directory, '.herald'));
    await expect(State.take(aRun(at(directory)), 0)).rejects.toThrow('.herald is a link to');
    await expect(State.openToRead(aRun(at(directory)))).rejects.toThrow('.herald is a link to');
    rmSync(join(directory, '.herald'));
    mkdirSync(join(directory, '.herald'));
    symlinkSync(join(elsewhere, 'state.db'), join(directory, '.herald/state.db'));
    await expect(State.join(aRun(at(directory)))).rejects.toThrow('outside the workspace');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it.each([
    ['a text', (path: string) => writeFileSync(path, 'milk, eggs\n'.repeat(100))],
    [
      'a database of another program',
      (path: string) => {
        const connection = new DatabaseSync(path);
        connection.exec('CREATE TABLE song (name TEXT)');
        connection.close();
      },
    ],
  ])('that are %s are left as they are', async (_case, write) => {
    const directory = temporaryFolder();
    const path = join(directory, '.herald/state.db');
    mkdirSync(join(directory, '.herald'));
    write(path);
    const before = readFileSync(path);
    for (const open of [State.join, State.openToRead])
      await expect(open(aRun(at(directory)))).rejects.toMatchObject({
        code: 'state-failed',
        message: expect.stringContaining(
          `${path} cannot be used: it is not a state of Herald. It was left as it is.`,
        ) as string,
        hint: expect.stringContaining(`mv ${path} ${path}.old`) as string,
      });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('that were lost after a run are cut, and new ones are not', async () => {
    const directory = await recorded();
    expect((await (await read(directory)).known([])).isCut).toBe(false);
    for (const file of ['state.db', 'state.db-wal', 'state.db-shm'])
      rmSync(join(directory, '.herald', file), { force: true });
    const stop = await kept(State.join(aRun(at(directory))));
    expect((await stop.known([])).isCut).toBe(true);
    const run = await take(directory);
    expect((await run.known([])).isCut).toBe(true);
    await run.endCut(9);
    expect((await run.known([])).isCut).toBe(false);
  });

  it('refuse a second start by their indexes, whatever was checked', async () => {
    const directory = await recorded();
    const database = await Sqlite.open(directory);
    const columns = [1, 'entry', 'run', null, 'apply', 'campaigns.create', 'alice', '101', 'campaign'];
    const rest = [null, null, null, 'digest', 'null', 0, 0, null, null, null, null];
    const insert = (entry: string, name: string, digest: string) =>
      database.transaction((query) =>
        query(
          database.statements.insertRequest,
          ['workspace', 'live', ...columns, name, ...rest].map((value) =>
            value === 'entry' ? entry : value === 'digest' ? digest : value,
          ),
        ),
      );
    await insert('1', 'Hello', 'a');
    await expect(insert('2', 'Hello', 'b')).rejects.toThrow('UNIQUE constraint failed');
    await expect(insert('3', 'Other', 'a')).rejects.toThrow('UNIQUE constraint failed');
    await insert('4', 'Other', 'b');
    await database.close();
  });
});

it('a disk that takes nothing more lets nothing be sent that is not recorded, and keeps what was', async () => {
  const location = at(temporaryFolder());
  const { code, stdout, stderr } = await start({
    location,
    run: 'full',
    does: 'requests',
    count: 500,
    pagesMax: 60,
  }).ran;
  expect(code).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'state-failed',
    message: `${location.directory}/.herald/state.db cannot be used: the disk is full. What was recorded before is kept, and nothing is sent that cannot be recorded.`,
    hint: 'Free some space, then look at what is unconfirmed: herald state show',
  });
  const sent = stdout.trimEnd().split('\n');
  const state = await take(location.directory);
  const names = (await state.history({ limit: 1_000 })).map(({ name }) => name);
  expect(sent.length).toBeGreaterThan(5);
  expect(names).toEqual(expect.arrayContaining(sent));
  await begun(state, CREATE);
});

it.each([
  ['folder', 0o555, 0o444, true],
  ['folder without a log', 0o555, 0o444, false],
  ['file', 0o777, 0o444, true],
])(
  'in a read-only %s, a reader reads and a stop cannot be recorded',
  async (_what, folderMode, fileMode, hasLog) => {
    const directory = await recorded();
    if (!hasLog) withoutLog(join(directory, '.herald/state.db'));
    const folder = join(directory, '.herald');
    chmodSync(directory, 0o755);
    for (const file of readdirSync(folder)) chmodSync(join(folder, file), fileMode);
    chmodSync(folder, folderMode);
    const { stdout, stderr } = await start({
      location: at(directory),
      run: 'other',
      does: 'look',
      asOther: true,
    }).ran;
    chmodSync(folder, 0o700);
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'state-read-only',
      message: expect.stringContaining(
        'state.db cannot be used: the file or its folder is read-only.',
      ) as string,
      hint: `Check who may write there: ls -ld ${folder} ${folder}/state.db`,
    });
    expect(stdout).toBe('1\n');
  },
);

describe('a network file system', () => {
  it.each([
    [0x6969, 'NFS'],
    [0xff534d42 - 2 ** 32, 'CIFS'],
  ])('of the kind %s keeps no state, because it is %s', async (type, name) => {
    const { statfsSync } = fs;
    onTestFinished(() => {
      fs.statfsSync = statfsSync;
      syncBuiltinESMExports();
    });
    fs.statfsSync = ((path: string) => Object.assign(statfsSync(path), { type })) as typeof statfsSync;
    syncBuiltinESMExports();
    const directory = temporaryFolder();
    for (const opening of [State.join(aRun(at(directory))), State.take(aRun(at(directory)), 0)])
      await expect(opening).rejects.toMatchObject({
        code: 'state-refused',
        message: expect.stringContaining(`is on a network file system (${name})`) as string,
        hint: expect.stringContaining(
          'state: { postgres: "${HERALD_STATE_URL}", workspace: NAME }',
        ) as string,
      });
    expect(readdirSync(join(directory, '.herald'))).toEqual([]);
  });
});

/** As the last connection leaves the file. */
function withoutLog(path: string): void {
  const connection = new DatabaseSync(path);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
}

it('a state that exists has these columns: other ones need a higher number of the schema, and a way to it', () => {
  expect([SCHEMA_VERSION, digest(COLUMNS)]).toEqual([1, '474cd6927b4802b227fa7d6097dd8e7a']);
});
