import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { imported } from '../helpers/imports.ts';
import { aScene } from '../helpers/scene.ts';

const EXAMPLE = 'examples/imported';

function treeOf(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name).replaceAll('\\', '/');
        return [path.slice(directory.length + 1), readFileSync(path, 'utf8')];
      }),
  );
}

it('examples/imported stands as import writes it', async () => {
  const tree = treeOf(EXAMPLE);
  const scene = aScene({ files: tree });
  expect((await scene.herald('apply', '--yes')).code).toBe(0);
  const paths = Object.keys(tree).filter((path) => path !== 'herald.yaml');
  // Gone as if no one had ever declared anything: what is live is all there is.
  for (const path of paths) delete scene.files.tree[path];
  const bare = aScene({ files: scene.files.tree, clock: scene.clock });
  const { report } = await imported(bare);
  expect(report).toMatchObject({ left_out: [], to_complete: [], not_read: [] });
  const written = Object.fromEntries(paths.map((path) => [path, bare.files.tree[path]]));
  expect(written).toEqual(Object.fromEntries(paths.map((path) => [path, tree[path]])));
  expect(report.files.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
});
