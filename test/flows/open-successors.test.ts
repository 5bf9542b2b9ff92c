import { expect, it } from 'vitest';
import { byHand } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, dieWithLateCreate, liveOn, planned } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const files = (more: Parameters<typeof campaign>[0]) => declaring({ campaigns: [campaign(more)] });

/** A was to become A2 with another text. The process died at the create, which is carried out a minute later. */
async function cutShort(): Promise<Scene> {
  const scene = aScene({ files: files({ name: 'A', messages: [{ text: 'a' }] }) });
  await applied(scene);
  Object.assign(scene.files.tree, files({ name: 'A2', renamed_from: 'A', messages: [{ text: 'a2' }] }));
  await dieWithLateCreate(scene);
  return scene;
}

it.each([
  ['the rename is corrected', { name: 'A3', renamed_from: 'A', messages: [{ text: 'a3' }] }],
  ['the rename is reverted', { name: 'A', messages: [{ text: 'a' }] }],
])('a plan says that the create may still succeed, when %s', async (_, more) => {
  const scene = await cutShort();
  Object.assign(scene.files.tree, files(more));
  const target = `alice/campaign/${more.name}`;
  for (const flags of [[], ['--target', target]]) {
    const { code, plan } = await planned(scene, ...flags);
    expect(code).toBe(5);
    const [blocked] = plan.changes.filter(({ action }) => action === 'blocked');
    expect(blocked?.reasons.join()).toContain('An earlier create of "A2" got no answer');
  }
});

it('an apply with a target waits for it', async () => {
  const scene = await cutShort();
  Object.assign(scene.files.tree, files({ name: 'A', messages: [{ text: 'a' }] }));
  await applied(scene, '--target', 'alice/campaign/A');
  expect((await liveOn(scene, '101', 'campaign')).map(({ name }) => name)).toEqual(['A', 'A2']);
  const { plan } = await planned(scene);
  expect(plan.diagnostics.filter(({ code }) => code === 'open-entry')).toEqual([]);
});

it('an activation by hand waits for it, and then finds the new one', async () => {
  const scene = await cutShort();
  const [old] = await liveOn(scene, '101', 'campaign');
  expect((await byHand(scene, 'campaigns', 'activate', old?.id ?? '')).code).toBe(5);
  expect((await liveOn(scene, '101', 'campaign')).map(({ status }) => status)).toEqual(['paused', 'active']);
  expect(await createsSent(scene)).toBe(2);
});
