import { createHash } from 'node:crypto';
import type { World } from '../world.ts';
import { advanceVault } from './lifecycle.ts';
import type { PutRecord, Upload, UploadPart, Vault } from './state.ts';

/** The true state of one account's vault, for tests. */
export interface VaultTruth {
  /** Every uploaded media, oldest first. Two with the same sha256 are a double upload. */
  readonly exported: readonly ExportedMedia[];
  /** Exports by the key of their object. More than one is a repeated export. */
  readonly records: Readonly<Record<string, readonly { readonly id: string; readonly status: string }[]>>;
  /** The number of starts without an export. */
  readonly unfinished: number;
}

interface ExportedMedia extends StoredObject {
  readonly media_id: string;
  readonly upload: string;
  readonly key: string;
  readonly name: string;
}

/** The bytes of one object. */
interface StoredObject {
  readonly size: number;
  /** Of the whole; null if the parts are too large to be stored. Then compare the digests of the parts. */
  readonly sha256: string | null;
  /** In the order of their bytes. */
  readonly parts: readonly { readonly id: number; readonly size: number; readonly sha256: string | null }[];
}

/** The requests to the object store. */
export interface StorageTruth {
  readonly puts: readonly PutRecord[];
  /** The number of requests with the service's key. */
  readonly auth_headers_seen: number;
}

export function vaultTruth(world: World): Record<string, VaultTruth> {
  return Object.fromEntries(
    Object.values(world.accounts).map((account) => {
      const vault = advanceVault(world, account);
      const { uploads } = vault;
      const byKey = recordsByKey(vault);
      const unfinished = Object.keys(uploads).filter((key) => byKey[key] === undefined).length;
      return [account.live.id, { exported: exportedOf(vault), records: byKey, unfinished }];
    }),
  );
}

export function storageTruth({ storage: { puts } }: World): StorageTruth {
  return { puts, auth_headers_seen: puts.filter(({ auth_header_seen }) => auth_header_seen).length };
}

function exportedOf({ uploads, records }: Vault): ExportedMedia[] {
  return records.flatMap(({ id, key, media_id }) => {
    const upload = uploads[key];
    if (media_id === null || upload === undefined) return [];
    return [{ media_id, upload: id, key, name: upload.name, ...objectOf(upload) }];
  });
}

function objectOf({ size, parts }: Upload): StoredObject {
  return {
    size,
    sha256: wholeDigest(parts),
    parts: parts.map(({ id, stored }) => ({ id, size: stored?.size ?? 0, sha256: stored?.sha256 ?? null })),
  };
}

function wholeDigest(parts: readonly UploadPart[]): string | null {
  if (parts.length === 1) return parts[0]?.stored?.sha256 ?? null;
  const hash = createHash('sha256');
  for (const { stored } of parts) {
    if (stored === null || stored.bytes === null) return null;
    hash.update(Buffer.from(stored.bytes, 'base64'));
  }
  return hash.digest('hex');
}

function recordsByKey({ records }: Vault): Record<string, { id: string; status: string }[]> {
  const byKey: Record<string, { id: string; status: string }[]> = {};
  for (const { id, status, key } of records) (byKey[key] ??= []).push({ id, status });
  return byKey;
}
