import { expect, it } from 'vitest';
import { chatTruth, errorOf, sent } from '../helpers/chats.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const LABEL = ['fans', 'label', '101001', '--account', 'alice', '--yes', '--name'] as const;

/** A label that lands a minute after its answer was lost, and of which no one can read the line. */
async function hiddenLabel(set: (scene: Scene) => Promise<{ readonly code: number }>): Promise<Scene> {
  const scene = aScene();
  await scene.fault({ kind: 'late_commit', operation: 'fans.label', after_sec: 60, how: 'reset', times: 4 });
  expect((await set(scene)).code).toBe(3);
  const lines = (scene.files.tree[LEDGER_FILE] ?? '').split('\n');
  const at = lines.findIndex((line) => line.includes('"type":"act"'));
  const hidden = lines.with(at, (lines[at] ?? '').replace('"entry"', 'entry'));
  scene.files.tree[LEDGER_FILE] = hidden.join('\n');
  return scene;
}

async function labelLater(scene: Scene) {
  scene.clock.move(130_000);
  return (await chatTruth(scene)).labels['101001'];
}

it('a label next to a line that no one can read waits until an earlier one can no longer land', async () => {
  const scene = await hiddenLabel((one) => one.herald(...LABEL, 'Tom'));
  const startedMs = scene.clock.now();
  const ran = await scene.herald(...LABEL, 'Ada');
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/Waiting \d+ s/);
  expect(scene.clock.now() - startedMs).toBeGreaterThan(65_000);
  expect(await labelLater(scene)).toMatchObject({ custom_name: 'Ada' });
});

it('a label with a readable ledger waits for nothing', async () => {
  const scene = aScene();
  const ran = await scene.herald(...LABEL, 'Ada');
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('Waiting')]);
});

it('a raw label next to a line that no one can read is refused', async () => {
  const label = (scene: Scene, note: string) => {
    scene.input = JSON.stringify({ note });
    const target = ['--account', 'alice', '--param', 'fan_id=101001'];
    return scene.herald('api', 'fans.label', ...target, '--yes', '--body', '-', '--format', 'json');
  };
  const scene = await hiddenLabel((one) => label(one, 'Tom'));
  const before = await sent(scene, 'fans.label');
  const ran = await label(scene, 'Ada');
  expect([ran.code, errorOf(ran).code], ran.stderr).toEqual([5, 'damaged-ledger']);
  expect(await sent(scene, 'fans.label')).toBe(before);
  expect(await labelLater(scene)).toMatchObject({ note: 'Tom' });
});

it('a raw label waits for a copy of another value that was repeated and may still land', async () => {
  const note = ['fans', 'label', '101001', '--account', 'alice', '--yes', '--note'] as const;
  const raw = ['api', 'fans.label', '--account', 'alice', '--param', 'fan_id=101001', '--yes', '--body', '-'];
  const scene = aScene();
  await scene.fault({ kind: 'late_commit', operation: 'fans.label', after_sec: 60, how: 'reset', times: 1 });
  expect((await scene.herald(...note, 'Tom')).code, 'its second copy was answered').toBe(0);
  scene.input = JSON.stringify({ note: 'Tom' });
  const same = await scene.herald(...raw);
  expect([same.code, same.stderr]).toEqual([0, expect.not.stringContaining('Waiting')]);
  scene.input = JSON.stringify({ note: 'Ada' });
  const ran = await scene.herald(...raw);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/Waiting \d+ s/);
  expect(await labelLater(scene)).toMatchObject({ note: 'Ada' });
});
