import { expect, it } from 'vitest';
import { byHand } from '../helpers/by-hand.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  dieBefore,
  dieWithLateCreate,
  liveOn,
  messages,
  planned,
} from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const files = (more: Parameters<typeof campaign>[0]) =>
  declaring({ campaigns: [campaign(more), campaign({ name: 'Z', messages: [{ text: 'z' }] })] });
const A = { name: 'A', messages: [{ text: 'a' }] };
const A2 = { name: 'A2', renamed_from: 'A', messages: [{ text: 'a2' }] };

/** The texts that run, without that of Z. */
const running = async (scene: Scene) =>
  (await liveOn(scene, '101', 'campaign'))
    .filter(({ status, name }) => status === 'active' && name !== 'Z')
    .map(({ text }) => text);

it.each([[['--target', 'alice/campaign/A3']], [[]]])(
  'a rename that was corrected while its create was under way never runs twice: %s',
  async (flags) => {
    const scene = aScene({ files: files(A) });
    await applied(scene);
    Object.assign(scene.files.tree, files(A2));
    await dieWithLateCreate(scene);
    Object.assign(scene.files.tree, files({ name: 'A3', renamed_from: 'A', messages: [{ text: 'a3' }] }));
    expect((await planned(scene, ...flags)).code).toBe(5);
    const run = await applied(scene, ...flags);
    expect(run.code).toBe(5);
    expect(messages(run)).toContain('change renamed_from to "A2"');
    scene.clock.move(100_000);
    await applied(scene, ...flags);
    expect(await running(scene)).toEqual(['a2']);
    Object.assign(scene.files.tree, files({ name: 'A3', renamed_from: 'A2', messages: [{ text: 'a3' }] }));
    expect((await applied(scene, ...flags)).code).toBe(0);
    expect(await running(scene)).toEqual(['a3']);
    expect(decisions(await planned(scene, ...flags))).toEqual([]);
  },
);

const renamed = async (scene: Scene) => {
  await applied(scene);
};
/** `create_first` pauses the old version last. */
const withoutPause = (scene: Scene) => dieBefore(scene, (line) => line.includes('"call":"status"'));

it.each([
  [
    'killed at its create, with a target',
    'pause_first',
    dieWithLateCreate,
    ['--target', 'alice/campaign/A'],
    ['a2'],
  ],
  ['killed at its create', 'pause_first', dieWithLateCreate, [], ['a2']],
  ['done', 'pause_first', renamed, [], ['a2']],
  ['done, and the new one was created first', 'create_first', renamed, [], ['a2']],
  ['killed before its pause, so that both run', 'create_first', withoutPause, [], ['a', 'a2']],
] as const)(
  'a rename with an edit that is reverted starts nothing next to it: %s',
  async (_, replace, rename, flags, left) => {
    const scene = aScene({ files: files({ ...A, replace }) });
    await applied(scene);
    Object.assign(scene.files.tree, files({ ...A2, replace }));
    await rename(scene);
    Object.assign(scene.files.tree, files({ ...A, replace }));
    expect((await applied(scene, ...flags)).code).toBe(5);
    scene.clock.move(100_000);
    const again = await applied(scene, ...flags);
    expect(again.code).toBe(5);
    expect(messages(again)).toContain('which still runs');
    expect(await running(scene)).toEqual(left);
  },
);

it('a person who stops the new one has the old one back', async () => {
  const scene = aScene({ files: files(A) });
  await applied(scene);
  Object.assign(scene.files.tree, files(A2));
  await applied(scene);
  Object.assign(scene.files.tree, files(A));
  const young = (await liveOn(scene, '101', 'campaign')).find(({ name }) => name === 'A2');
  expect((await byHand(scene, 'campaigns', 'pause', young?.id ?? '')).code).toBe(0);
  expect((await applied(scene)).code).toBe(0);
  expect(await running(scene)).toEqual(['a']);
  // Both are declared, and then one of them is removed: the other one is no longer a version of it.
  Object.assign(
    scene.files.tree,
    declaring({ campaigns: [campaign(A), campaign({ name: 'A2', messages: [{ text: 'a2' }] })] }),
  );
  await applied(scene, '--allow', 'resume');
  expect(await running(scene)).toEqual(['a', 'a2']);
  Object.assign(
    scene.files.tree,
    declaring({ campaigns: [campaign({ name: 'A', messages: [{ text: 'a!' }] })] }),
  );
  expect((await applied(scene)).code).toBe(0);
  expect((await running(scene)).toSorted()).toEqual(['a!', 'a2']);
});

it('a broadcast that was renamed with an edit and is reverted does not go out next to it', async () => {
  const one = (more: Parameters<typeof broadcast>[0]) => declaring({ broadcasts: [broadcast(more)] });
  const scene = aScene({ files: one(A) });
  await applied(scene);
  Object.assign(scene.files.tree, one(A2));
  await applied(scene);
  Object.assign(scene.files.tree, one(A));
  expect((await applied(scene)).code).toBe(5);
  const live = await liveOn(scene, '101', 'broadcast');
  expect(live.map(({ status }) => status)).toEqual(['paused', 'scheduled']);
});
