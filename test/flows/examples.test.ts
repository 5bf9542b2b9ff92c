import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { writesSent, expectEnd, standing } from '../helpers/flows.ts';
import { imported } from './imports.ts';
import { aScene, WORLD_FILE, type Scene } from '../helpers/scene.ts';

const EXAMPLES = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'herald.yaml')));

function treeOf(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [relative(directory, path), readFileSync(path, 'utf8')]));
}

/** An example with the pictures that its campaigns show. */
function sceneOf(name: string): Scene {
  const directory = join('examples', name);
  const files = treeOf(directory);
  const made = aScene({ files });
  for (const path of Object.keys(files))
    if (path.endsWith('.png')) made.bytes.blobs[path] = readFileSync(join(directory, path));
  return made;
}

it.each(EXAMPLES)('examples/%s plans with reads alone, and is applied', async (name) => {
  const example = sceneOf(name);
  expect((await example.herald('validate')).code).toBe(0);
  const plan = await example.herald('plan', '-v');
  expect(plan.code, plan.stderr).toBe(0);
  const asked = plan.stderr.split('\n').filter((line) => /^[A-Z]+ http/.test(line));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((line) => !line.startsWith('GET '))).toEqual([]);
  expect(example.files.written, 'the world is written after everything that is not a read').not.toContain(
    WORLD_FILE,
  );
  expectEnd(await example.herald('apply', '--yes'), 0);
  expect((await writesSent(example)).length).toBeGreaterThan(0);
  expect((await example.herald('drift')).code, 'nothing is left to do').toBe(0);
});

it('examples/imported stands as import writes it', async () => {
  const tree = treeOf('examples/imported');
  const scene = await standing(tree);
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

it.each(['quickstart', 'agency', 'policy'])('the files of examples/%s name their schema', (name) => {
  const directory = join('examples', name);
  const files = Object.entries(treeOf(directory)).filter(([path]) => path.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(1);
  for (const [path, text] of files) {
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(readFileSync(join(directory, path, '..', schema), 'utf8')).toContain('json-schema.org');
  }
});
