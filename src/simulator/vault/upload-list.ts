import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { pageOf } from '../paging.ts';
import { isoTime } from '../records.ts';
import type { World } from '../world.ts';
import { advanceVault } from './lifecycle.ts';
import { readRecord } from './read-record.ts';
import type { Upload, Vault } from './state.ts';

/** The bounds of a page (READ-9). */
const LIMIT_DEFAULT = 10;

/**
 * Assumed: newest first. The mode `unfinishedUploads` decides whether it shows uploads without an export
 * (VAULT-13).
 */
export function listUploads(world: World, { params, query, effects }: Call<'vault.uploads'>): object {
  const vault = advanceVault(world, accountOf(world, params.account_id));
  const exported = vault.records.filter(({ listedFromMs }) => listedFromMs <= world.nowMs);
  const rows = [
    ...exported.map((record) => ({ createdMs: record.createdMs, item: readRecord(world, record) })),
    ...(query.expired === true ? unfinished(world, vault) : []),
  ];
  // Stable, so that of two with the same time the later one comes first.
  const items = rows
    .toReversed()
    .sort((left, right) => right.createdMs - left.createdMs)
    .map(({ item }) => item);
  const page = pageOf(items, { limit: query.limit ?? LIMIT_DEFAULT, offset: query.offset }, effects);
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

/**
 * Assumed: the service learns a single object's ETag at the export, and that of joined parts at finish (VAULT-13).
 */
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
