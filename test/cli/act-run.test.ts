import { describe, expect, it } from 'vitest';
import { endActs } from '../../src/cli/act-run.ts';
import type { Context } from '../../src/cli/context.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import { writesSent } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const FANS = { 'fans.csv': 'fan\n101001\n101002\n101003\n' };
const FOLLOW = ['fans', 'follow', '--from-file', 'fans.csv', '--account', 'alice', '--yes'];

describe('several acts', () => {
  it.each([
    [401, 1, 1],
    [404, 4, 3],
  ])('%i for the first one: exit %i, and %i are sent', async (status, code, number) => {
    const scene = aScene({ files: FANS });
    await scene.fault({ kind: 'refusal', operation: 'fans.follow', status, nth: 1 });
    const ran = await scene.herald(...FOLLOW, '--format', 'json');
    expect(ran.code, ran.stderr).toBe(code);
    expect(await writesSent(scene)).toHaveLength(number);
    const { items } = JSON.parse(ran.stdout) as { items: readonly { error: unknown }[] };
    expect(items.filter(({ error }) => error !== null)).toHaveLength(status === 401 ? 3 : 1);
  });

  it('end with an interrupt, and the others are named', async () => {
    const scene = aScene({ files: FANS });
    const running = scene.startAs(
      { onRecord: (what) => (what === 'end' && running.interrupt(), 'done') },
      ...FOLLOW,
    );
    const ran = await running.ran;
    expect([ran.code, ran.stdout.match(/Failed: Follow fan \d+/g)]).toEqual([
      130,
      ['Failed: Follow fan 101002', 'Failed: Follow fan 101003'],
    ]);
    expect(await writesSent(scene)).toHaveLength(1);
  });

  it.each([
    [[0, 0], 0],
    [[0, 3, 130], 3],
    [[0, 1, 130], 130],
    [[0, 1], 4],
    [[4, 1], 4],
    [[5, 5], 5],
    [[1, 5], 1],
    [[], 0],
  ] as const)('that end with %j exit with %i', (each, exit) => {
    const ends = each.map((one) => ({ exit: one }));
    expect(endActs({} as Context, ends)).toBe(exit);
  });
});

it('an act that was carried out and cannot be recorded says so, with exit 4', async () => {
  const scene = aScene();
  const full = new HeraldError('state-failed', 'the disk is full');
  const args = ['fans', 'follow', '101001', '--account', 'alice', '--yes'];
  const { ran } = scene.startAs({ onRecord: (what) => (what === 'end' ? full : 'done') }, ...args);
  const { code, stdout, stderr } = await ran;
  expect([code, stdout]).toEqual([4, expect.stringContaining('following fan 101001')]);
  expect(stderr).toContain(
    'warning: not-on-record: It was carried out, and the state could not record that:',
  );
});
