import { beforeEach, describe, expect, it } from 'vitest';
import { State, type StateLocation } from '../../src/state/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { aRun, begun, CREATE, PAUSE } from '../helpers/state-requests.ts';
import { kept, stateLocations } from '../helpers/states.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const LOCATIONS = stateLocations(sharedPostgres());

describe.each(Object.entries(LOCATIONS))('an export to and from %s', (_, make) => {
  let target: StateLocation;
  let lines: readonly string[];
  /** Requests on record after the import. */
  let rows: number;
  beforeEach(async () => {
    target = await make();
    lines = await exported();
  });
  const take = (location = target) => kept(State.take(aRun(location), 0));
  const imported = async (changed: readonly string[]) => {
    const state = await take();
    try {
      return await state.import({ name: 'state.ndjson', lines: changed });
    } finally {
      rows = (await state.history({ limit: 9 })).length;
      await state.close();
    }
  };

  it('brings over all rows, what is open, and the last number, and marks the workspace as cut', async () => {
    expect(await imported(lines)).toBe(5);
    const state = await take();
    const known = await state.known(['101']);
    expect(await state.begin(CREATE, { after_seq: known.seq, other_name: null })).toMatchObject({
      hindrance: { kind: 'open-start' },
    });
    expect(known).toMatchObject({ isCut: true, media: [{ media_id: '5' }], aliases: [{ alias: 'alice' }] });
    expect(known.objects).toMatchObject([{ live_id: '12', status_set: 'paused', status_by: 'hand' }]);
    expect((await begun(state, PAUSE, null)).seq).toBeGreaterThan(2);
    const again: string[] = [];
    for await (const line of state.export()) again.push(line);
    expect(again).toHaveLength(lines.length + 1);
  });

  it('is refused the second time', async () => {
    await imported(lines);
    const state = await take();
    await expect(state.import({ name: 'state.ndjson', lines })).rejects.toMatchObject({
      code: 'state-refused',
      message: expect.stringContaining('has rows of this workspace already') as string,
    });
  });

  it.each<[string, (all: readonly string[]) => readonly string[], string | RegExp]>([
    ['that is empty', () => [], 'state.ndjson:1: This line cannot be imported: '],
    [
      'without its last line',
      (all) => all.slice(0, -1),
      'state.ndjson:6: This line cannot be imported: it is not the end of an export with 4 rows',
    ],
    [
      'that was cut within a line',
      (all) => [...all.slice(0, 2), (all[2] ?? '').slice(0, 20)],
      'it is not the end of an export with 1 rows',
    ],
    [
      'with a row twice',
      (all) => [...all.slice(0, 2), ...all.slice(1, -1), '{"rows":6}'],
      /UNIQUE constraint failed|duplicate key/,
    ],
    [
      'with an unknown outcome',
      (all) => all.map((line) => line.replace('"outcome":"done"', '"outcome":"fine"')),
      'outcome: Invalid option',
    ],
    [
      'with a text that is not JSON where JSON is kept',
      (all) => all.map((line) => line.replace('"asked":"', '"asked":"{')),
      'asked: is not JSON',
    ],
    [
      'with a number that no next one can follow',
      (all) => all.map((line) => line.replace('"seq":1,', '"seq":9007199254740991,')),
      'seq: Too big',
    ],
    [
      'of a newer version',
      (all) => all.map((line) => line.replace('"schema":1', '"schema":8')),
      '(schema 8, this version knows 1). Nothing was changed or sent.',
    ],
  ])('%s brings over nothing', async (_case, change, words) => {
    await expect(imported(change(lines))).rejects.toThrow(words);
    expect(rows).toBe(0);
  });

  it('counts on from the highest number of a row, whatever its head says', async () => {
    await imported(lines.map((line) => line.replace('"seq":2,"cut"', '"seq":0,"cut"')));
    expect((await begun(await take(), PAUSE, null)).seq).toBeGreaterThan(2);
  });
});

it('an export of another workspace is refused', async () => {
  const state = await kept(State.take(aRun(await LOCATIONS.postgres()), 0));
  const lines = (await exported()).map((line) => line.replace('"workspace":"workspace"', '"workspace":"us"'));
  await expect(state.import({ name: 'us.ndjson', lines })).rejects.toMatchObject({
    code: 'state-refused',
    message:
      'us.ndjson is an export of the workspace "us", and herald.yaml names "agency-eu". Nothing was imported.',
  });
});

/** A confirmed stop and an unconfirmed create, an object, a media file and an account. */
async function exported(): Promise<readonly string[]> {
  const state = await kept(State.take(aRun({ kind: 'sqlite', directory: temporaryFolder() }), 0));
  const { entry, seq } = await begun(state, PAUSE, null);
  const object = { account_id: '101', kind: 'campaign', live_id: '12', name: 'Welcome' } as const;
  await state.end(entry, { outcome: 'done', answer: {} }, [
    { kind: 'status', object, status: 'paused', by: 'hand', why: null, seq },
  ]);
  await state.learn([
    { kind: 'media', account_id: '101', digest: 'm', media_id: '5' },
    { kind: 'alias', alias: 'alice', account_id: '101' },
  ]);
  await begun(state, CREATE, { after_seq: seq, other_name: null });
  const lines: string[] = [];
  for await (const line of state.export()) lines.push(line.trimEnd());
  return lines;
}
