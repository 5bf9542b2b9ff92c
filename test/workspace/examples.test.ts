import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { loadDeclared } from '../../src/workspace/load.ts';
import { scaffoldWorkspace } from '../../src/workspace/scaffold.ts';
import { memoryFiles, type FileTree } from './memory-files.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;

function treeOf(directory: string): FileTree {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(directory, path), readFileSync(path, 'utf8')]));
}

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
