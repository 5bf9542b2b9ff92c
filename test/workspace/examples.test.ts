import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { loadDeclared } from '../../src/workspace/load.ts';
import { scaffoldWorkspace } from '../../src/workspace/scaffold.ts';
import { MAX_CHANGES_DEFAULT } from '../../src/policy/rules/runs.ts';
import { workspaceBytes } from '../../src/host/files.ts';
import { LocalMedia } from '../../src/library/local-media.ts';
import { memoryFiles, type FileTree } from './memory-files.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;

function treeOf(directory: string): FileTree {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(directory, path), readFileSync(path, 'utf8')]));
}

test.each(['quickstart', 'agency', 'policy'])('the example %s loads without a word', async (name) => {
  const local = new LocalMedia(workspaceBytes(join(EXAMPLES, name)), new AbortController().signal, 'read');
  const options = { env: {}, media: (path: string) => local.examine(path) };
  const loaded = await loadDeclared(memoryFiles(treeOf(join(EXAMPLES, name))), options);
  expect(loaded).toMatchObject({ kind: 'loaded', warnings: [] });
  const declared = loaded.kind === 'loaded' ? loaded.declared : [];
  expect(declared.length).toBeLessThan(MAX_CHANGES_DEFAULT - 1);
  for (const one of declared) {
    if (one.kind === 'broadcast') expect(one.scheduledAtUtc >= '2030-11').toBe(true);
  }
});

test.each(['quickstart', 'agency', 'policy'])(
  'the YAML files of %s name their schema, which exists',
  (name) => {
    const directory = join(EXAMPLES, name);
    for (const [path, text] of Object.entries(treeOf(directory))) {
      if (!path.endsWith('.yaml')) continue;
      const [, schema] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(String(text)) ?? [];
      expect(readFileSync(join(directory, path, '..', schema ?? ''), 'utf8')).toContain('json-schema.org');
    }
  },
);

test('what init writes loads without a word, and on any day its hour is a whole one', async () => {
  for (const broadcastDayUtc of ['2028-02-29', '2030-03-31', '2030-10-27', '2031-12-31']) {
    const files = scaffoldWorkspace({ broadcastDayUtc });
    const tree = Object.fromEntries(files.map(({ path, text }) => [path, text]));
    const loaded = await loadDeclared(memoryFiles(tree), { env: {} });
    expect(loaded).toMatchObject({ kind: 'loaded', warnings: [], declared: [{}, {}] });
  }
});
