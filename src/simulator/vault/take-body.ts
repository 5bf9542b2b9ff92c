import { createHash } from 'node:crypto';
import { quoted } from './e-tags.ts';
import { KEPT_BODY_BYTES, type PutRecord, type Stored } from './state.ts';
import type { StorageEngine, StorageRequest } from './storage-ports.ts';

interface Wanted {
  readonly length: number;
  /** The number of bytes after which a fault stops reading; null for none. */
  readonly stopAt: number | null;
  readonly place: { readonly key: string; readonly part: number };
}

/** The number of hex digits in an ETag. It is opaque, and one hash is enough. */
const TAG_DIGITS = 32;

/** Reads the body and returns its digest and size; null if it is incomplete. */
export async function takeBody(
  { world, keep }: StorageEngine,
  { body, signal }: StorageRequest,
  record: PutRecord,
  { length, stopAt, place }: Wanted,
): Promise<Stored | null> {
  const hash = world.modes.storageHash === 'sha256' ? createHash('sha256') : null;
  const small: Uint8Array[] = [];
  if (stopAt === 0) return null;
  try {
    for await (const piece of body) {
      signal.throwIfAborted();
      record.received += piece.byteLength;
      if (record.received > length) return null;
      hash?.update(piece);
      // A copy: the owner of the piece may use its memory again.
      if (length <= KEPT_BODY_BYTES) small.push(Uint8Array.from(piece));
      await keep?.(place, piece);
      if (stopAt !== null && record.received >= stopAt) return null;
    }
  } catch {
    // The client disconnected.
    return null;
  }
  if (record.received !== length) return null;
  const sha256 = hash?.digest('hex') ?? null;
  const tag = (sha256 ?? `${length}-of-put-${record.put}`).slice(0, TAG_DIGITS);
  return {
    e_tag: quoted(world, tag),
    size: length,
    sha256,
    bytes: length <= KEPT_BODY_BYTES ? Buffer.concat(small).toString('base64') : null,
  };
}
