import { expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, dieWithLateCreate, liveOn } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const files = (more: object) => declaring({ campaigns: [campaign({ replace: 'create_first', ...more })] });
const running = async (scene: Scene) =>
  (await liveOn(scene, '101', 'campaign'))
    .filter(({ status }) => status === 'active')
    .map(({ text }) => text);

/** A is renamed to A2 with other words; the process dies before it pauses A. */
async function cutShort(die: (scene: Scene) => Promise<void>): Promise<Scene> {
  const scene = aScene({ files: files({ name: 'A', messages: [{ text: 'a' }] }) });
  await applied(scene);
  Object.assign(scene.files.tree, files({ name: 'A2', renamed_from: 'A', messages: [{ text: 'a2' }] }));
  await die(scene);
  return scene;
}

const DEATHS = [
  ['before the pause', (scene: Scene) => dieBefore(scene, (line) => line.includes('"call":"status"'))],
  ['at the create, which is carried out later', dieWithLateCreate],
] as const;

it.each(DEATHS)('finishes the replace, although renamed_from is gone; killed %s', async (_, die) => {
  const scene = await cutShort(die);
  Object.assign(scene.files.tree, files({ name: 'A2', messages: [{ text: 'a2' }] }));
  await applied(scene);
  await applied(scene);
  expect(await running(scene)).toEqual(['a2']);
});

it.each(DEATHS)('finishes the replace, although it has the next name; killed %s', async (_, die) => {
  const scene = await cutShort(die);
  Object.assign(scene.files.tree, files({ name: 'A3', renamed_from: 'A2', messages: [{ text: 'a3' }] }));
  await applied(scene);
  await applied(scene);
  expect(await running(scene)).toEqual(['a3']);
});

it('stops all of it when the new name is declared paused', async () => {
  const scene = await cutShort(DEATHS[0][1]);
  Object.assign(scene.files.tree, files({ name: 'A2', status: 'paused', messages: [{ text: 'a2' }] }));
  await applied(scene);
  expect(await running(scene)).toEqual([]);
});

it('starts no third name next to the second one, although the rename in between was never applied', async () => {
  const scene = await cutShort(DEATHS[0][1]);
  Object.assign(scene.files.tree, files({ name: 'A2', renamed_from: 'A', messages: [{ text: 'a2' }] }));
  await applied(scene);
  Object.assign(scene.files.tree, files({ name: 'A4', renamed_from: 'A3', messages: [{ text: 'a4' }] }));
  const { report } = await applied(scene);
  expect(report.outcomes.map(({ action, message }) => `${action}: ${message}`).join()).toContain(
    'blocked: renamed_from "A3" names nothing on the service',
  );
  expect(await running(scene)).toEqual(['a2']);
});
