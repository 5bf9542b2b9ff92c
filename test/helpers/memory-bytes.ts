import type { ByteFiles } from '../../src/domain/ports.ts';

/** Large files of a test, in memory. */
export interface MemoryBytes extends ByteFiles {
  /** Content by path, to be read and changed by the test. */
  readonly blobs: Record<string, Uint8Array>;
}

/** How much is read at once. */
const PIECE_BYTES = 1000;
/** Pieces are lent as those of real files are: one is written over when two more have been asked for. */
const LENT_PIECES = 2;

export function memoryBytes(blobs: Record<string, Uint8Array> = {}): MemoryBytes {
  const find = (path: string): Uint8Array => {
    const found = blobs[path];
    if (found === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return found;
  };
  return {
    blobs,
    stat: async (path) => {
      const isDirectory =
        blobs[path] === undefined && Object.keys(blobs).some((name) => name.startsWith(`${path}/`));
      const size = isDirectory ? 0 : find(path).byteLength;
      return { isFile: !isDirectory, isDirectory, size, changedMs: 1000 };
    },
    async *readBytes(path, { start, length }) {
      const lent: Uint8Array[] = [];
      for (let at = start; at < start + length; at += PIECE_BYTES) {
        const end = Math.min(at + PIECE_BYTES, start + length);
        const piece = Uint8Array.from(find(path).subarray(at, end));
        if (piece.byteLength === 0) return;
        if (lent.length === LENT_PIECES) lent.shift()?.fill(0xee);
        lent.push(piece);
        yield piece;
      }
    },
  };
}
