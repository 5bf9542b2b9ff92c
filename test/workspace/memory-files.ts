import { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import type { Files } from '../../src/domain/ports.ts';

/** Paths and texts; an Error stands for a file that is there but cannot be read. */
export type FileTree = Readonly<Record<string, string | Error>>;

/** A `Files` port over a tree that the test declares. */
export function memoryFiles(tree: FileTree): Files {
  const refuse = (): Promise<never> => Promise.reject(new Error('loading only reads'));
  const readText = (path: string): Promise<string> => {
    const text = Object.hasOwn(tree, path) ? tree[path] : undefined;
    if (text === undefined) {
      return Promise.reject(
        Object.assign(new Error(`ENOENT: no such file, open '${path}'`), {
          code: 'ENOENT',
          syscall: 'open',
          path,
        }),
      );
    }
    return text instanceof Error ? Promise.reject(text) : Promise.resolve(text);
  };
  return {
    readText,
    glob: (patterns) => {
      const matchers = patterns.filter((pattern) => !pattern.startsWith('!')).map(globToRegExp);
      const without = patterns
        .filter((pattern) => pattern.startsWith('!'))
        .map((one) => globToRegExp(one.slice(1)));
      return Promise.resolve(
        Object.keys(tree)
          .filter((path) => matchers.some((matcher) => matcher.test(path)))
          .filter((path) => !without.some((matcher) => matcher.test(path)))
          .sort(),
      );
    },
    exists: (path) => Promise.resolve(Object.hasOwn(tree, path)),
    leadsTo: (path) => Promise.resolve(path),
    writeAtomically: refuse,
  };
}

/** A workspace's files in memory, with the means to let a write fail. */
export interface MemoryWorkspace extends Files {
  /** Text by path, to be read and changed by the test. */
  readonly tree: Record<string, string>;
  /** Paths in the order in which they were written. */
  readonly written: string[];
  /** Called before each write, which fails with what it throws. */
  onWrite: (path: string) => void;
}

export function memoryWorkspace(tree: Record<string, string>): MemoryWorkspace {
  const workspace: MemoryWorkspace = {
    ...memoryFiles(tree),
    tree,
    written: [],
    onWrite: () => undefined,
    writeAtomically: async (path, content) => {
      const pieces = content instanceof Uint8Array ? [content] : content;
      const text = typeof pieces === 'string' ? pieces : await readAll(Readable.from(pieces));
      workspace.onWrite(path);
      workspace.written.push(path);
      tree[path] = text;
    },
  };
  return workspace;
}

/** The few wildcards that the tests use: `**` + `/`, and `*`. */
function globToRegExp(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const source = escaped.replaceAll(/\*\*\/|\*/g, (wildcard) => (wildcard === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}$`);
}
