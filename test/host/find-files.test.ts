import { mkdtempSync, symlinkSync, unlinkSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { glob } from 'tinyglobby';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { workspaceFiles } from '../../src/host/files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { fc, runs } from '../helpers/properties.ts';
import { writeFiles } from '../helpers/folders.ts';

const findFiles = (directory: string, globs: readonly string[]) => workspaceFiles(directory).glob(globs);

/** From now on no one may read this folder: modes say nothing to the root user, as whom tests may run. */
function lock(folder: string): void {
  const { readdir } = promises;
  const put = (function_: typeof readdir) => {
    promises.readdir = function_;
    syncBuiltinESMExports();
  };
  put(
    new Proxy(readdir, {
      apply: (target, self, given: unknown[]) => {
        if (!String(given[0]).startsWith(folder)) return Reflect.apply(target, self, given);
        const facts = { code: 'EACCES', syscall: 'scandir' };
        return Promise.reject(Object.assign(new Error('EACCES: permission denied'), facts));
      },
    }),
  );
  onTestFinished(() => put(readdir));
}

let directory: string;

beforeEach(() => {
  directory = temporaryFolder();
});

const aTree = (root: string, files: readonly string[]) =>
  writeFiles(root, Object.fromEntries(files.map((file) => [file, ''])));

async function byLibrary(root: string, patterns: readonly string[]): Promise<string[]> {
  const found = await glob([...patterns], {
    cwd: root,
    onlyFiles: true,
    dot: false,
    expandDirectories: false,
  });
  return found.toSorted();
}

describe('finding the files of a workspace', () => {
  it('takes files away, and finds names with a dot in front only if the pattern has the dot', async () => {
    aTree(directory, ['a/1.yaml', 'a/2.yaml', 'a/old/3.yaml', 'b/1.yaml', '.c/1.yaml']);
    expect(await findFiles(directory, ['*/*.yaml', '!a/2.yaml'])).toEqual(['a/1.yaml', 'b/1.yaml']);
    expect(await findFiles(directory, ['a/?.yaml', '!*/2*'])).toEqual(['a/1.yaml']);
    expect(await findFiles(directory, ['**', '!a/old'])).toEqual(['a/1.yaml', 'a/2.yaml', 'b/1.yaml']);
    expect(await findFiles(directory, ['.c/*.yaml'])).toEqual(['.c/1.yaml']);
  });

  it('takes no longer with many stars, in names and between them', async () => {
    aTree(directory, [`${'a/'.repeat(30)}${'a'.repeat(200)}.yaml`]);
    const found = await findFiles(directory, [`${'**/a/'.repeat(12)}${'*a'.repeat(40)}*.yml`]);
    expect(found).toEqual([]);
  });

  it('follows links as the library does', async () => {
    aTree(directory, ['real/x.yaml']);
    symlinkSync(join(directory, 'real'), join(directory, 'linked'));
    symlinkSync(join(directory, 'real/x.yaml'), join(directory, 'real/y.yaml'));
    for (const pattern of ['**/*.yaml', 'linked/*.yaml', 'real/*.yaml'])
      expect(await findFiles(directory, [pattern])).toEqual(await byLibrary(directory, [pattern]));
    expect(await findFiles(directory, ['real/*.yaml'])).toEqual(['real/x.yaml', 'real/y.yaml']);
    symlinkSync(directory, join(directory, 'real/back'));
    expect(await findFiles(directory, ['real/**'])).toEqual(['real/x.yaml', 'real/y.yaml']);
  });

  it('fails at a link that leads nowhere and may stand for files, and passes over others', async () => {
    aTree(directory, ['a/x.yaml']);
    symlinkSync(join(directory, 'gone'), join(directory, 'a/.#x.yaml'));
    symlinkSync(join(directory, 'gone'), join(directory, 'a/last.log'));
    expect(await findFiles(directory, ['a/**/*.yaml'])).toEqual(['a/x.yaml']);
    for (const link of ['a/shared', 'a/y.yaml']) {
      symlinkSync(join(directory, 'gone'), join(directory, link));
      await expect(findFiles(directory, ['a/**/*.yaml'])).rejects.toThrow(`${link} cannot be looked into`);
      unlinkSync(join(directory, link));
    }
  });

  it('fails at a folder that cannot be read, and not at one that is not there', async () => {
    aTree(directory, ['a/x.yaml', 'a/locked/y.yaml']);
    expect(await findFiles(directory, ['b/*.yaml', 'a/x.yaml/**'])).toEqual([]);
    lock(join(directory, 'a/locked'));
    await expect(findFiles(directory, ['a/**/*.yaml'])).rejects.toMatchObject({
      message: expect.stringContaining('a/locked cannot be looked into'),
      code: 'EACCES',
      syscall: 'scandir',
    });
  });

  it('finds what the library finds, whatever the tree and the patterns', async () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'a.yaml', 'b.yaml', 'a b.yaml', '.h', '.h.yaml', 'a-b.yml');
    const tree = fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
    const part = fc.constantFrom(
      '**',
      '*',
      'a',
      'ab',
      'a*',
      '*b',
      '*.yaml',
      'a.yaml',
      '*.y*',
      'a b.yaml',
      '*a*b*',
    );
    // The library takes `a/**` for a file `a` only next to certain other patterns.
    const parts = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .filter((all) => all.length === 1 || all.at(-1) !== '**');
    const patterns = fc.array(parts, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(tree, patterns, async (paths, written) => {
        const root = mkdtempSync(join(directory, 'tree-'));
        for (const path of paths) {
          try {
            aTree(root, [path.join('/')]);
          } catch {
            // A name is a file already: the tree is smaller then.
          }
        }
        const globs = written.map((parts) => parts.join('/'));
        expect(await findFiles(root, globs)).toEqual(await byLibrary(root, globs));
      }),
      runs(25),
    );
  });
});
