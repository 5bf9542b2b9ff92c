import type { Files } from '../../src/domain/ports.ts';

/** Paths and texts; an Error stands for a file that is there but cannot be read. */
export type FileTree = Readonly<Record<string, string | Error>>;

/** A `Files` port over a tree that the test declares, with a count of what was read. */
export function memoryFiles(tree: FileTree): Files & { readonly reads: string[] } {
  const reads: string[] = [];
  const refuse = (): Promise<never> => Promise.reject(new Error('loading only reads'));
  const readText = (path: string): Promise<string> => {
    reads.push(path);
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
    reads,
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

/** All of what is written at once. */
export async function textOfContent(
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<string> {
  if (typeof content === 'string') return content;
  if (content instanceof Uint8Array) return Buffer.from(content).toString('utf8');
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

/** The few wildcards that the tests use: `**` + `/`, and `*`. */
function globToRegExp(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const source = escaped.replaceAll(/\*\*\/|\*/g, (wildcard) => (wildcard === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}$`);
}
