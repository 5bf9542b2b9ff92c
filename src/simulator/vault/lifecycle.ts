import { takeId } from '../ids.ts';
import { draw } from '../random.ts';
import type { AccountState } from '../state.ts';
import { setTimer } from '../timers.ts';
import { emitEvent } from '../webhooks/emit.ts';
import type { World } from '../world.ts';
import { readRecord } from './read-record.ts';
import {
  MESSAGES_FOLDER,
  POSTS_FOLDER,
  type UploadRecord,
  type UploadStatus,
  type Vault,
  type VaultMedia,
} from './state.ts';

/** The status that follows each status in background processing (VAULT-12). */
const NEXT: Readonly<Partial<Record<UploadStatus, UploadStatus>>> = {
  uploaded: 'processing',
  processing: 'processed',
  processed: 'exporting',
  exporting: 'exported',
};

/** What comes before the number of media in its upload. */
const MEDIA_ID_PREFIX = { digits: '', text: 'm-' } as const;

/** Advances a vault to now. Call it before each use. */
export function advanceVault(world: World, account: AccountState): Vault {
  const { vault } = account;
  for (const record of vault.records) {
    while (record.nextMs !== null && record.nextMs <= world.nowMs)
      moveOn(world, account, record, record.nextMs);
  }
  return vault;
}

/** Schedules the record's next step, unless it waits for a retry. */
export function scheduleMove(
  world: World,
  { live }: AccountState,
  record: UploadRecord,
  fromMs: number,
): void {
  const { id, status, fate, media_id } = record;
  const waits =
    (status === 'uploaded' && fate === 'stuck_uploaded') ||
    (status === 'processed' && fate === 'stuck_processed');
  const hasEnded = NEXT[status] === undefined && !(status === 'exported' && media_id === null);
  record.nextMs = waits || hasEnded ? null : fromMs + stepMs(world);
  // Its event must not wait until someone reads the list.
  if (record.nextMs !== null && world.webhooks.entries.length > 0)
    setTimer(world, record.nextMs, { kind: 'upload_move', account_id: live.id, id });
}

function stepMs(world: World): number {
  const { uploadStepSec, uploadTiming } = world.modes;
  return Math.round(uploadStepSec * 1000 * (uploadTiming === 'random' ? 0.5 + draw(world) : 1));
}

function moveOn(world: World, account: AccountState, record: UploadRecord, atMs: number): void {
  const { vault } = account;
  record.status = nextStatus(record);
  record.updatedMs = atMs;
  const isLate = record.fate === 'late_media';
  if (record.status === 'exported') {
    if (isLate) record.fate = null;
    else
      record.media_id ??= `${MEDIA_ID_PREFIX[world.modes.mediaIds]}${putMedia(world, vault, mediaOf(record, atMs)).id}`;
  }
  scheduleMove(world, account, record, atMs);
  emitEvent(world, account, 'vault.media_upload.updated', uploadPayload(world, record), atMs);
}

/** Assumed: events of uploads have the record of the list (EVENT-1). */
export function uploadPayload(world: World, record: UploadRecord): Record<string, unknown> {
  return { status: record.status, upload: readRecord(world, record) };
}

function nextStatus({ status, fate }: UploadRecord): UploadStatus {
  if (status === 'processing' && (fate === 'failed' || fate === 'unprocessable')) return fate;
  return NEXT[status] ?? status;
}

function mediaOf({ id, metadata }: UploadRecord, createdMs: number): Omit<VaultMedia, 'id'> {
  const folder = metadata['export_type'] === 'message' ? MESSAGES_FOLDER : POSTS_FOLDER;
  return { folder_id: folder.id, type: mediaType(String(metadata['content_type'])), createdMs, upload: id };
}

/** Assumed: the words for kinds of media (VAULT-1). */
function mediaType(contentType: string): string {
  if (contentType === 'image/gif') return 'gif';
  return contentType.startsWith('image/') ? 'photo' : (contentType.split('/')[0] ?? 'other');
}

export function putMedia(world: World, vault: Vault, media: Omit<VaultMedia, 'id'>): VaultMedia {
  const kept = { ...media, id: takeId(world, 'nextMediaId') };
  vault.medias.push(kept);
  return kept;
}
