import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, liveOn, statuses } from '../helpers/flows.ts';
import { fileOf, imported } from '../helpers/imports.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const FILE = 'live/all.yaml';

const welcome = (text: string, more: object = {}) =>
  declaring({ campaigns: [campaign({ messages: [{ text }], ...more })] });

type Operation = 'campaigns.create' | 'campaigns.set-status' | 'broadcasts.set-status';

/** A request that takes effect 60 s later, by a run that dies before that. */
async function late(scene: Scene, operation: Operation, args?: readonly string[]): Promise<void> {
  await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
  await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'), args);
}

/** Damages the line of the last request, and returns how messages name it. */
function damageLastRequest(scene: Scene): string {
  const lines = fileOf(scene, LEDGER_FILE).trimEnd().split('\n');
  const at = lines.findLastIndex((line) => line.includes('"type":"intent"'));
  expect(at).toBeGreaterThanOrEqual(0);
  scene.files.tree[LEDGER_FILE] =
    `${lines.with(at, (lines[at] ?? '').replace('"entry"', 'entry')).join('\n')}\n`;
  return `Herald cannot read ${LEDGER_FILE}:${at + 1}.`;
}

async function leftOut(scene: Scene, ...flags: string[]): Promise<string[]> {
  const { ran, report } = await imported(scene, ...flags);
  expect.soft(ran.code).toBe(0);
  expect.soft(report).toMatchObject({ files: [], imported: 0, updated: [] });
  return report.left_out.map(({ code, reason }) => `${code}: ${reason}`);
}

it.each([
  [
    'replace',
    'campaigns.create',
    welcome('Hey', { replace: 'create_first' }),
    welcome('New', { replace: 'create_first' }),
  ],
  ['declared pause', 'campaigns.set-status', welcome('Hey'), welcome('Hey', { status: 'paused' })],
] as const)(
  'import --update keeps an edit next to its damaged line: %s',
  async (_, operation, before, after) => {
    const scene = aScene({ files: before });
    await applied(scene);
    Object.assign(scene.files.tree, after);
    await late(scene, operation);
    const place = damageLastRequest(scene);
    const [reason, ...more] = await leftOut(scene, '--update');
    expect(more).toEqual([]);
    expect(reason).toContain(`kept-as-written: ${place}`);
    expect(reason).toContain('herald ledger check');
    expect(fileOf(scene, FILE)).toBe(after[FILE]);
  },
);

it('import --update writes the drift again once the line is repaired', async () => {
  const scene = aScene({ files: welcome('Hey') });
  await applied(scene);
  const [{ id } = { id: '' }] = await liveOn(scene, '101', 'campaign');
  await scene.service((control) => control.editCampaign('101', id, { messages: [{ text: 'Edited' }] }));
  const whole = fileOf(scene, LEDGER_FILE);
  scene.files.tree[LEDGER_FILE] = `${whole}nonsense\n`;
  expect(await leftOut(scene, '--update')).toEqual([expect.stringContaining('kept-as-written: ')]);
  scene.files.tree[LEDGER_FILE] = whole;
  await imported(scene, '--update');
  expect(fileOf(scene, FILE)).toContain('Edited');
});

describe.each([
  ['campaign', 'activate', 'active'],
  ['broadcast', 'resume', 'scheduled'],
] as const)('import next to an unconfirmed start of a %s', (kind, command, started) => {
  async function startedLate(): Promise<Scene> {
    const scene = aScene();
    await scene.service((control) => {
      const paused = { id: '77', name: 'Welcome', status: 'paused' } as const;
      if (kind === 'campaign') control.seedCampaign('101', paused);
      else control.seedBroadcast('101', { ...paused, scheduled_at: '2026-06-01T15:00:00.000Z' });
    });
    const args = [`${kind}s`, command, '77', '--account', 'alice', '--yes'];
    await late(scene, `${kind}s.set-status`, args);
    return scene;
  }

  it('does not declare it as paused, and declares it as it is after an apply', async () => {
    const scene = await startedLate();
    const [reason, ...more] = await leftOut(scene, '--out', 'live');
    expect(more).toEqual([]);
    expect(reason).toContain('unfinished: A status change of 77 on alice');
    expect(reason).toContain('may have succeeded. Run herald apply first.');
    scene.clock.move(70_000);
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual([started]);
    const { report } = await imported(scene, '--out', 'live');
    expect(report).toMatchObject({ imported: 1, left_out: [] });
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual([started]);
  });

  it('does not declare it as paused if the line of the start is damaged', async () => {
    const scene = await startedLate();
    const place = damageLastRequest(scene);
    expect(await leftOut(scene, '--out', 'live')).toEqual([expect.stringContaining(`unfinished: ${place}`)]);
    scene.clock.move(70_000);
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual([started]);
  });
});

it('import still declares what runs next to a damaged line', async () => {
  const scene = aScene({ files: { [LEDGER_FILE]: 'nonsense\n' } });
  await scene.service((control) => {
    control.seedCampaign('101', { id: '77', name: 'Runs', status: 'active' });
    control.seedCampaign('101', { id: '78', name: 'Stopped', status: 'paused' });
  });
  const { report } = await imported(scene, '--out', 'live');
  expect(report).toMatchObject({ imported: 1, left_out: [{ live_id: '78', code: 'unfinished' }] });
});
