import type { Dirent } from 'node:fs';
import { relative, sep } from 'node:path';
import type { FileSystemAdapter } from 'tinyglobby';

/** Files and folders of one folder. */
type Folder = Map<string, 'file' | 'folder'>;

/** A file system for the search of files, of which only the paths are known. It has no links. */
export function treeFileSystem(root: string, paths: readonly string[]): FileSystemAdapter {
  const folders = foldersOf(paths);
  const readdir = (path: string, _options: unknown, give: (error: Error | null, found: Dirent[]) => void) => {
    const folder = folders.get(relative(root, path).replaceAll(sep, '/').replace(/\/$/, ''));
    if (folder === undefined) give(Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' }), []);
    else
      give(
        null,
        [...folder].map(([name, kind]) => entryOf(path, name, kind)),
      );
  };
  return { readdir: readdir as NonNullable<FileSystemAdapter['readdir']> };
}

function foldersOf(paths: readonly string[]): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>([['', new Map()]]);
  const add = (path: string, kind: 'file' | 'folder'): void => {
    const cut = path.lastIndexOf('/');
    const above = cut === -1 ? '' : path.slice(0, cut);
    const folder = folders.get(above);
    if (folder === undefined) {
      folders.set(above, new Map());
      add(above, 'folder');
    }
    folders.get(above)?.set(path.slice(cut + 1), kind);
  };
  for (const path of paths) add(path, 'file');
  return folders;
}

function entryOf(parentPath: string, name: string, kind: 'file' | 'folder'): Dirent {
  return {
    name,
    parentPath,
    path: parentPath,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'folder',
    isSymbolicLink: () => false,
    isBlockDevice: () => false,
    isCharacterDevice: () => false,
    isFIFO: () => false,
    isSocket: () => false,
  };
}
