import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { listLagMs } from '../paging.ts';
import { draw } from '../random.ts';
import type { World } from '../world.ts';
import { presign } from './presigned.ts';
import type { Upload } from './state.ts';
import { newUuid } from './uuid.ts';

/** As object stores have it. A part is larger rather than one more. */
const PARTS_MAX = 10_000;

/** Part ids begin at 1 (VAULT-8). */
const FIRST_PART = 1;

/**
 * The service chooses one of the two forms of the answer (VAULT-5). Each start has its own key, so a start with a
 * lost answer costs nothing.
 */
export function startUpload(world: World, { params, body, effects }: Call<'vault.upload-start'>): object {
  const { vault } = accountOf(world, params.account_id);
  const listedFromMs = world.nowMs + listLagMs(world, effects);
  const upload = newUpload(world, params.account_id, body, listedFromMs);
  vault.uploads[upload.key] = upload;
  const address = (part: number | null): string =>
    presign(world.storage.baseUrl, { method: 'PUT', key: upload.key, part, expiresMs: upload.expiresMs });
  const { key, get_url, upload_id, parts } = upload;
  if (upload_id === null) return { key, get_url, put_url: address(null) };
  return {
    upload_id,
    parts: parts.map(({ id }) => ({ id, put_url: address(id) })),
    ...(world.modes.multipartKeys === 'present' ? { key, get_url } : {}),
  };
}

function newUpload(
  world: World,
  accountId: string,
  file: Call<'vault.upload-start'>['body'],
  listedFromMs: number,
): Upload {
  const { modes, nowMs } = world;
  const id = newUuid(world);
  const key = `vault/${accountId}/${newUuid(world)}`;
  const expiresMs = nowMs + modes.presignedLifetimeSec * 1000;
  const isMultipart = comesInParts(world, file.size);
  const count = isMultipart ? Math.min(PARTS_MAX, Math.ceil(file.size / modes.uploadPartBytes)) : 1;
  return {
    id,
    key,
    upload_id: isMultipart ? newUuid(world) : null,
    name: file.name,
    size: file.size,
    content_type: file.content_type,
    duration: file.duration ?? null,
    get_url: presign(world.storage.baseUrl, { method: 'GET', key, part: null, expiresMs }),
    parts: Array.from({ length: count }, (_, index) => ({ id: FIRST_PART + index, stored: null })),
    joined: null,
    createdMs: nowMs,
    expiresMs,
    listedFromMs,
  };
}

function comesInParts(world: World, size: number): boolean {
  const { uploadShape, uploadThresholdBytes } = world.modes;
  switch (uploadShape) {
    case 'threshold':
      return size >= uploadThresholdBytes;
    case 'random':
      return draw(world) < 0.5;
    case 'single':
      return false;
    case 'multipart':
      return true;
  }
}
