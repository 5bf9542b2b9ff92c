import { open, stat, type FileHandle } from 'node:fs/promises';
import type { ByteFiles, ByteRange } from '../domain/ports.ts';
import { anywhereFrom, confinedTo, typedTo, type Place } from './confined.ts';
import { writeAtomically } from './write-atomically.ts';

/** Pieces in which large files are read: at 64 KiB the speed is halved. */
const PIECE_BYTES = 1_048_576;
/**
 * Memory for one range: a piece at its reader, the one before it, and the next one. With new memory for each
 * piece, garbage collection would cost as much processor time as the sending.
 */
const LENT_PIECES = 3;

/** Large files of the workspace in one directory: whatever its files name, nothing else is read or written. */
export function workspaceBytes(directory: string, place: Place = confinedTo(directory)): ByteFiles {
  return bytesAt(place, place);
}

/** Large files at paths that a person typed, from that directory. `to` says where they may be written. */
export function typedBytes(directory: string, to: Place = typedTo(directory)): ByteFiles {
  return bytesAt(anywhereFrom(directory), to);
}

function bytesAt(at: Place, to: Place): ByteFiles {
  return {
    stat: async (path) => {
      const found = await stat(at(path));
      return {
        isFile: found.isFile(),
        isDirectory: found.isDirectory(),
        size: found.size,
        // A writer can set the modification time back, but not the change time.
        changedMs: found.ctimeMs,
      };
    },
    readBytes: (path, range) => readBytes(() => at(path), range),
    writeBytes: async (path, bytes) => writeAtomically(to(path), bytes),
  };
}

/**
 * Opens the file at the first piece and closes it when the reader stops. Reads one piece ahead, so that disk and
 * reader do not wait for each other.
 */
async function* readBytes(at: () => string, { start, length }: ByteRange): AsyncGenerator<Uint8Array, void> {
  const end = start + length;
  const handle = await open(at(), 'r');
  const lent: Buffer[] = [];
  let asked = 0;
  const readAt = (place: number) => {
    // No later piece is larger than the first with this memory.
    const size = Math.min(PIECE_BYTES, end - place);
    const memory = (lent[asked % LENT_PIECES] ??= Buffer.allocUnsafeSlow(size));
    asked += 1;
    const reading = readFully(handle, memory.subarray(0, size), place);
    reading.catch(() => undefined);
    return reading;
  };
  try {
    let place = start;
    let next = readAt(place);
    while (place < end) {
      const piece = await next;
      if (piece.byteLength === 0) return;
      place += piece.byteLength;
      if (place < end) next = readAt(place);
      yield piece;
    }
  } finally {
    // Waits for the current read.
    await handle.close();
  }
}

/** Fills the memory unless the file ends. Some file systems return less than requested. */
async function readFully(handle: FileHandle, memory: Buffer, place: number): Promise<Buffer> {
  let filled = 0;
  while (filled < memory.byteLength) {
    const { bytesRead } = await handle.read(memory, filled, memory.byteLength - filled, place + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return memory.subarray(0, filled);
}
