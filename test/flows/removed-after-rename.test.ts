import { expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, statuses } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

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
  expect((await applied(scene)).code).toBe(0);
  expect(await statuses(scene, 'campaign')).toEqual(['active', 'paused']);
});
