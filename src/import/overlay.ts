import type { Files } from '../domain/ports.ts';
import type { NewFile } from './layout.ts';

/**
 * The workspace with these files added, for reading only. Resource files count as included; `files:` is checked after
 * they are written.
 */
export function withFiles(files: Files, added: readonly NewFile[]): Files {
  const texts = new Map(added.map(({ path, text }) => [path, text]));
  const resources = added
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.yaml') || path.endsWith('.yml'));
  return {
    ...files,
    readText: async (path) => texts.get(path) ?? files.readText(path),
    glob: async (patterns) => [...new Set([...(await files.glob(patterns)), ...resources])].toSorted(),
    exists: async (path) => texts.has(path) || files.exists(path),
  };
}
