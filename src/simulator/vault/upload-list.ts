import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { pageOf } from '../paging.ts';
import { isoTime } from '../records.ts';
import type { World } from '../world.ts';
import { settleVault } from './lifecycle.ts';
import type { Upload, UploadRecord, Vault } from './state.ts';

/** The bounds of a page (READ-9). */
const LIMIT_DEFAULT = 10;

/** Assumed: newest first. What was never exported stands in it by the mode `unfinishedUploads` (VAULT-13). */
export function listUploads(world: World, { params, query, bending }: Call<'vault.uploads'>): object {
  const vault = settleVault(world, accountOf(world, params.account_id));
  const exported = vault.records.filter(({ listedFromMs }) => listedFromMs <= world.nowMs);
  const rows = [
    ...exported.map((record) => ({ createdMs: record.createdMs, item: readRecord(world, record) })),
    ...(query.expired === true ? unfinished(world, vault) : []),
  ];
  // Stable, so that of two made at one instant the later one stays in front.
  const items = rows
    .toReversed()
    .sort((left, right) => right.createdMs - left.createdMs)
    .map(({ item }) => item);
  const page = pageOf(items, { limit: query.limit ?? LIMIT_DEFAULT, offset: query.offset }, bending);
  return { items: page.items, total: items.length };
}

function unfinished(world: World, vault: Vault): { createdMs: number; item: object }[] {
  const { modes, nowMs } = world;
  if (modes.unfinishedUploads === 'hidden') return [];
  const exported = new Set(vault.records.map(({ key }) => key));
  return Object.values(vault.uploads)
    .filter(({ key, listedFromMs }) => !exported.has(key) && listedFromMs <= nowMs)
    .filter(({ expiresMs }) => modes.unfinishedUploads === 'listed' || expiresMs <= nowMs)
    .map((upload) => ({ createdMs: upload.createdMs, item: readUnfinished(world, upload) }));
}

/** One upload as replies carry it. */
export function readRecord({ modes }: World, record: UploadRecord): object {
  const { id, status, media_id, metadata, createdMs, updatedMs } = record;
  return {
    id,
    status,
    media_id,
    metadata,
    created_at: isoTime(createdMs),
    updated_at: isoTime(updatedMs),
    ...(modes.extraFields ? { revision: 1 } : {}),
  };
}

/** Assumed: the service learns of a single object's ETag only by the export, of joined parts' by finish (VAULT-13). */
function readUnfinished({ modes }: World, upload: Upload): object {
  const { id, name, size, content_type, duration, key, get_url, joined, createdMs } = upload;
  return {
    id,
    status: modes.unfinishedStatus === 'null' ? null : modes.unfinishedStatus,
    media_id: null,
    metadata: {
      name,
      size,
      content_type,
      ...(duration === null ? {} : { duration }),
      key,
      get_url,
      e_tag: joined,
    },
    created_at: isoTime(createdMs),
    updated_at: isoTime(createdMs),
  };
}
