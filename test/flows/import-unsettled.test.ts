import { expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, liveOn } from '../helpers/flows.ts';
import { fileOf, imported } from '../helpers/imports.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const FILE = 'live/all.yaml';

const welcome = (text: string, more: object = {}) =>
  declaring({ campaigns: [campaign({ messages: [{ text }], ...more })] });

type Operation = 'campaigns.create' | 'campaigns.set-status';

/** A request that takes effect 60 s later, by a run that dies before that. */
async function late(scene: Scene, operation: Operation): Promise<void> {
  await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
  await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
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
