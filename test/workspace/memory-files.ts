import type { Files } from '../../src/domain/ports.ts';
import type { LineFiles } from '../../src/host/line-files.ts';

/** Paths and texts; an Error stands for a file that is there but cannot be read. */
export type FileTree = Readonly<Record<string, string | Error>>;

/** A `Files` port over a tree that the test declares, with a count of what was read. */
export function memoryFiles(
  tree: FileTree,
): Files & Pick<LineFiles, 'openForReading'> & { readonly reads: string[]; replaced(path: string): void } {
  const reads: string[] = [];
  const refuse = (): Promise<never> => Promise.reject(new Error('loading only reads'));
  const readText = (path: string): Promise<string> => {
    reads.push(path);
    const text = Object.hasOwn(tree, path) ? tree[path] : undefined;
    if (text === undefined) {
      return Promise.reject(
        Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' }),
      );
    }
    return text instanceof Error ? Promise.reject(text) : Promise.resolve(text);
  };
  const openings = new Map<string, Opening>();
  /** What was added to the file that was opened last at that path is also seen by those who have it open. */
  const heard = (path: string, opening: Opening): Opening => {
    const text = tree[path];
    if (openings.get(path) === opening && typeof text === 'string' && text.startsWith(opening.text))
      opening.text = text;
    return opening;
  };
  return {
    reads,
    replaced: (path) => {
      const opening = openings.get(path);
      if (opening !== undefined) heard(path, opening);
    },
    readText,
    openForReading: async (path) => {
      const text = await readText(path);
      const before = openings.get(path) ?? { text: '', number: 0 };
      // What does not begin as the file did is another file.
      const opening = text.startsWith(before.text) ? before : { text, number: before.number + 1 };
      opening.text = text;
      openings.set(path, opening);
      return {
        id: String(opening.number),
        size: Buffer.byteLength(text),
        bytesFrom: (start) => pieces(heard(path, opening).text, start),
        change: async () => ({ stamp: text, agoMs: 0 }),
        close: () => Promise.resolve(),
      };
    },
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

interface Opening {
  text: string;
  readonly number: number;
}

/** So small that lines and characters are cut. */
const PIECE_BYTES = 100;

async function* pieces(text: string, start: number): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text);
  for (let from = start; from < bytes.length; from += PIECE_BYTES)
    yield bytes.subarray(from, from + PIECE_BYTES);
}

/** All of what is written at once. */
export async function textOfContent(content: string | AsyncIterable<Uint8Array>): Promise<string> {
  if (typeof content === 'string') return content;
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
