import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { glob } from 'tinyglobby';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findFiles } from '../../src/host/find-files.ts';
import { fc } from '../helpers/properties.ts';

/** A folder that no one may read: modes say nothing to the root user, as whom tests may run. */
const locked = vi.hoisted(() => ({ path: '' }));

function refusing<Call extends (...args: never[]) => unknown>(call: Call): Call {
  return new Proxy(call, {
    apply: (target, self, given: unknown[]) => {
      const facts = { code: 'EACCES', syscall: 'scandir' };
      const error = Object.assign(new Error('EACCES: permission denied'), facts);
      const callback = given.at(-1);
      if (locked.path === '' || !String(given[0]).startsWith(locked.path))
        return Reflect.apply(target, self, given);
      if (typeof callback !== 'function') return Promise.reject(error);
      return Reflect.apply(callback, undefined, [error]);
    },
  });
}

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, readdir: refusing(real.readdir) };
});
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, readdir: refusing(real.readdir) };
});

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'herald-find-'));
});
afterEach(() => {
  locked.path = '';
  rmSync(directory, { recursive: true, force: true });
});

function aTree(root: string, files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
}

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
  it('finds what a pattern of names and stars says, sorted and each once', async () => {
    aTree(directory, [
      'b/x.yaml',
      'a/deep/er/x.yaml',
      'a/x.yaml',
      'a/x.yml',
      'x.yaml',
      '.git/x.yaml',
      'a/.x.yaml',
    ]);
    expect(await findFiles(directory, ['a/**/*.yaml', '*/x.yaml', '**/*.yaml'])).toEqual([
      'a/deep/er/x.yaml',
      'a/x.yaml',
      'b/x.yaml',
      'x.yaml',
    ]);
    expect(await findFiles(directory, ['a/*.yaml'])).toEqual(['a/x.yaml']);
    expect(await findFiles(directory, ['x.yaml', 'b/x.yaml', 'missing/x.yaml', 'x.yaml/y.yaml'])).toEqual([
      'b/x.yaml',
      'x.yaml',
    ]);
  });

  it('leaves what else a pattern may say to the library', async () => {
    aTree(directory, ['a/1.yaml', 'a/2.yaml', 'b/1.yaml', '.c/1.yaml']);
    expect(await findFiles(directory, ['{a,b}/*.yaml', '!a/2.yaml'])).toEqual(['a/1.yaml', 'b/1.yaml']);
    expect(await findFiles(directory, ['a/[1].yaml'])).toEqual(['a/1.yaml']);
    expect(await findFiles(directory, ['.c/*.yaml'])).toEqual(['.c/1.yaml']);
    expect(await findFiles(directory, ['a/**'])).toEqual(['a/1.yaml', 'a/2.yaml']);
  });

  it('follows links as the library does', async () => {
    aTree(directory, ['real/x.yaml']);
    symlinkSync(join(directory, 'real'), join(directory, 'linked'));
    symlinkSync(join(directory, 'real/x.yaml'), join(directory, 'real/y.yaml'));
    for (const pattern of ['**/*.yaml', 'linked/*.yaml', 'real/*.yaml'])
      expect(await findFiles(directory, [pattern])).toEqual(await byLibrary(directory, [pattern]));
    expect(await findFiles(directory, ['real/*.yaml'])).toEqual(['real/x.yaml', 'real/y.yaml']);
  });

  it('fails at a link that leads nowhere and may stand for files, and passes over others', async () => {
    aTree(directory, ['a/x.yaml']);
    symlinkSync(join(directory, 'gone'), join(directory, 'a/.#x.yaml'));
    symlinkSync(join(directory, 'gone'), join(directory, 'a/last.log'));
    for (const pattern of ['a/**/*.yaml', 'a/{x,y}.yaml'])
      expect(await findFiles(directory, [pattern])).toEqual(['a/x.yaml']);
    for (const link of ['a/shared', 'a/y.yaml']) {
      symlinkSync(join(directory, 'gone'), join(directory, link));
      for (const pattern of ['a/**/*.yaml', 'a/{x,y}.yaml'])
        await expect(findFiles(directory, [pattern])).rejects.toThrow(`${link} cannot be looked into`);
      unlinkSync(join(directory, link));
    }
  });

  it('fails at a folder that cannot be read, and not at one that is not there', async () => {
    aTree(directory, ['a/x.yaml', 'a/locked/y.yaml']);
    expect(await findFiles(directory, ['{b,c}/*.yaml'])).toEqual([]);
    locked.path = join(directory, 'a/locked');
    for (const pattern of ['a/**/*.yaml', '{a,b}/**/*.yaml'])
      await expect(findFiles(directory, [pattern])).rejects.toMatchObject({
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
    const patterns = fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
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
      { numRuns: 100 },
    );
  });
});
