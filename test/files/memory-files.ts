import type { Files } from '../../src/domain/ports.ts';

/** Paths and texts; an Error stands for a file that is there but cannot be read. */
export type FileTree = Readonly<Record<string, string | Error>>;

/** A `Files` port over a tree that the test declares, with a count of what was read. */
export function memoryFiles(tree: FileTree): Files & { readonly reads: string[] } {
  const reads: string[] = [];
  const refuse = (): Promise<never> => Promise.reject(new Error('loading only reads'));
  return {
    reads,
    readText: (path) => {
      reads.push(path);
      const text = Object.hasOwn(tree, path) ? tree[path] : undefined;
      if (text === undefined) {
        return Promise.reject(
          Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' }),
        );
      }
      return text instanceof Error ? Promise.reject(text) : Promise.resolve(text);
    },
    glob: (patterns) => {
      const matchers = patterns.map(globToRegExp);
      return Promise.resolve(
        Object.keys(tree)
          .filter((path) => matchers.some((matcher) => matcher.test(path)))
          .sort(),
      );
    },
    exists: (path) => Promise.resolve(Object.hasOwn(tree, path)),
    leadsTo: (path) => Promise.resolve(path),
    writeAtomically: refuse,
    openForAppend: refuse,
    lock: refuse,
    lockHolder: () => Promise.resolve(null),
    lockLost: () => Promise.resolve(null),
  };
}

/** The few wildcards that the tests use: `**` + `/`, and `*`. */
function globToRegExp(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const source = escaped.replaceAll(/\*\*\/|\*/g, (wildcard) => (wildcard === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}$`);
}
