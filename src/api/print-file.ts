import { createHash } from 'node:crypto';
import type { ByteFiles } from '../domain/ports.ts';

const ALGORITHM = 'sha256';

/**
 * A name for a file's bytes, by which the record recognises them: their SHA-256, as `sha256sum` prints it. A
 * reviewed plan is bound to it, and it prevents a second upload of the same bytes. So it must not be possible to make another
 * file of the same name. The price is one reading more, half a second for a GiB: a line takes far longer.
 * Rejects when the file is shorter than it was, cannot be read, or with the signal's reason.
 */
export async function printFile(
  bytes: ByteFiles,
  { path, size }: { readonly path: string; readonly size: number },
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash(ALGORITHM);
  let read = 0;
  for await (const piece of bytes.readBytes(path, { start: 0, length: size })) {
    signal.throwIfAborted();
    hash.update(piece);
    read += piece.byteLength;
  }
  if (read < size) throw new Error(`${path} became shorter while it was read`);
  return `${ALGORITHM}:${hash.digest('hex')}`;
}
