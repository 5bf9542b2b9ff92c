import { expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, messages, statuses } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

it.each(
  FILES_OF_KINDS.flatMap(([kind, status, files]) =>
    [false, true].map((protect) => ({ kind, status, files, protect })),
  ),
)(
  'removing a renamed $kind stops nothing without --allow prune; protect: $protect',
  async ({ kind, status, files, protect }) => {
    const first = { messages: [{ text: 'first' }] };
    const other = { name: 'A', messages: [{ text: 'other' }] };
    const scene = aScene({ files: files({ name: 'A', ...first }) });
    await applied(scene);
    // Renamed without another change: the live object keeps its name, and the ledger knows the new one.
    Object.assign(scene.files.tree, files({ name: 'B', renamed_from: 'A', protect, ...first }));
    await applied(scene);
    Object.assign(scene.files.tree, files({ name: 'B', protect, ...first }, other));
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual([status, status]);
    // The block of B is taken out.
    Object.assign(scene.files.tree, files(other));
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual([status, status]);
  },
);

it('a file that goes back to the first text does not send it twice', async () => {
  const [, , files] = FILES_OF_KINDS[0];
  const first = files({ name: 'A', messages: [{ text: 'first' }] });
  const scene = aScene({ files: first });
  await applied(scene);
  Object.assign(scene.files.tree, files({ name: 'B', renamed_from: 'A', messages: [{ text: 'first' }] }));
  await applied(scene);
  Object.assign(
    scene.files.tree,
    files({ name: 'B', messages: [{ text: 'first' }] }, { name: 'A', messages: [{ text: 'other' }] }),
  );
  await applied(scene);
  Object.assign(scene.files.tree, first);
  const run = await applied(scene);
  expect([run.code, messages(run)]).toEqual([5, expect.stringContaining('add renamed_from: "B"')]);
  Object.assign(scene.files.tree, files({ name: 'A', renamed_from: 'B', messages: [{ text: 'first' }] }));
  expect((await applied(scene)).code).toBe(0);
  expect(await statuses(scene, 'campaign')).toEqual(['active', 'paused']);
});
