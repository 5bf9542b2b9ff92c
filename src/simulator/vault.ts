import { digest } from '../domain/digest.ts';
import { conflict, invalid, notFound, type Refusal } from './answers.ts';
import { readMedia } from './chat.ts';
import { listPage } from './paging.ts';
import { drawUuid, takeId } from './random.ts';
import { isoTime, type TimerOf } from './records.ts';
import type { Call, Handlers, Seeders } from './requests.ts';
import type { SeedOf } from './seed-shape.ts';
import {
  MESSAGES_FOLDER,
  POSTS_FOLDER,
  uploadRecordShape,
  type AccountState,
  type Upload,
  type UploadRecord,
  type UploadStatus,
  type VaultFolder,
  type VaultMedia,
} from './state.ts';
import { emitEvent } from './webhooks.ts';
import { getAccount, setTimer, type World } from './world.ts';

/** Assumed: besides `all`, the filter's values are the words for kinds of media (VAULT-1). */
const TYPES: readonly string[] = ['all', 'photo', 'video', 'gif', 'audio'];

function listFolders(world: World, call: Call<'vault.folders'>): object {
  const account = getAccount(world, call.params);
  return listPage(call, account.vault.folders, (folder) => readFolder(account, folder));
}

/** Assumed: newest first (VAULT-13). */
function listMedia(world: World, call: Call<'vault.media'>): object {
  const { params, query } = call;
  const { vault } = getAccount(world, params);
  const { type = 'all' } = query;
  if (!TYPES.includes(type)) throw invalid(`type must be one of ${TYPES.join(', ')}`, 'type');
  if (!vault.folders.some(({ id }) => id === params.folder_id)) throw notFound('Folder');
  const medias = vault.medias.filter(
    (media) => media.folder_id === params.folder_id && (type === 'all' || media.type === type),
  );
  return listPage(call, medias.toReversed(), (media) => readMedia(world.data.seed, media));
}

const THUMBNAIL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

function readThumbnail(world: World, { params }: Call<'vault.thumbnail'>): Uint8Array<ArrayBuffer> {
  const { medias } = getAccount(world, params).vault;
  if (!medias.some(({ id }) => id === params.media_id)) throw notFound('Media');
  return THUMBNAIL;
}

/** Ids are integers in JSON, longer than a JavaScript number holds. */
function readFolder({ vault: { medias } }: AccountState, { id, type, name }: VaultFolder): object {
  const types = medias.filter(({ folder_id }) => folder_id === id).map((media) => media.type);
  const count = (wanted: string) => types.filter((found) => found === wanted).length;
  return {
    id: BigInt(id),
    type,
    name,
    has_media: types.length > 0,
    can_update: true,
    can_delete: type === 'custom',
    videos_count: count('video'),
    photos_count: count('photo'),
    gifs_count: count('gif'),
    audios_count: count('audio'),
  };
}

const PLATFORM_HOST = 'platform.example';

/** A link on the platform's host (VAULT-16). Assumed: its path ends with the fan's id, or with `u` and the id. */
function verifyFan(world: World, { params, body }: Call<'vault.verify-fan'>): object {
  const { fans } = getAccount(world, params);
  const { hostname, pathname } = new URL(body.fan_link);
  if (hostname.replace(/^www\./, '') !== PLATFORM_HOST)
    throw invalid(`fan_link must lead to ${PLATFORM_HOST}`, 'fan_link');
  const id = /\/u?(\d+)\/?$/.exec(pathname)?.[1];
  if (id === undefined || !fans.includes(id)) throw notFound('Fan');
  return { fan_id: id };
}

function seedFolder(world: World, { vault }: AccountState, seed: SeedOf<'vault_folder'>): VaultFolder {
  const { id = takeId(world, 'nextMediaId'), type = 'custom', photos = 0 } = seed;
  const folder = { id, type, name: seed.name ?? `Folder ${vault.folders.length + 1}` };
  vault.folders.push(folder);
  for (let count = 0; count < photos; count += 1) addPhoto(world, vault, folder.id);
  return folder;
}

function addPhoto(world: World, { medias }: AccountState['vault'], folder_id: string): VaultMedia {
  const id = takeId(world, 'nextMediaId');
  const media = { id, folder_id, type: 'photo', created_at: isoTime(world.nowMs) };
  medias.push(media);
  return media;
}

function seedUpload(world: World, { vault }: AccountState, seed: SeedOf<'vault_upload'>): UploadRecord {
  const { name = 'seeded.jpg', status = 'exported', key = `seeded/${drawUuid(world)}` } = seed;
  const { created_at = isoTime(world.nowMs) } = seed;
  const record = uploadRecordShape.parse({
    id: drawUuid(world),
    status,
    media_id: status === 'exported' ? addPhoto(world, vault, POSTS_FOLDER.id).id : null,
    metadata: { name, size: 1, content_type: 'image/jpeg', key, e_tag: '"seeded"', export_type: 'post' },
    key,
    created_at,
    updated_at: created_at,
    listedFromMs: 0,
  });
  vault.records.push(record);
  return record;
}

/** Uploads of this size or more come in parts, unless a mode decides. */
const PARTS_FROM_BYTES = 64 * 1_048_576;
/** As object stores have it. A part is larger rather than one more. */
const PARTS_MAX = 10_000;
/** Assumed: how long the addresses of an upload work (VAULT-7). */
const LIFETIME_MS = 15 * 60_000;

/**
 * The service chooses one of the two forms of the answer (VAULT-5). Each start has its own key, so a start with a
 * lost answer costs nothing. Part ids begin at 1 (VAULT-8). Assumed: `key` and `get_url` are in both forms.
 */
function startUpload(world: World, { params, body, effects }: Call<'vault.upload-start'>): object {
  const { modes, nowMs, storage } = world;
  const { vault } = getAccount(world, params);
  const key = `vault/${params.account_id}/${drawUuid(world)}`;
  const expiresMs = nowMs + LIFETIME_MS;
  const sign = (part: number): string => presign(storage.baseUrl, { key, expiresMs }, part);
  const isMultipart =
    modes.uploadShape === 'threshold' ? body.size >= PARTS_FROM_BYTES : modes.uploadShape === 'multipart';
  const count = isMultipart ? Math.min(PARTS_MAX, Math.ceil(body.size / modes.uploadPartBytes)) : 1;
  const upload: Upload = {
    id: drawUuid(world),
    key,
    upload_id: isMultipart ? drawUuid(world) : null,
    file: body,
    get_url: sign(NO_PART),
    parts: Array.from({ length: count }, (_, index) => ({ id: index + 1, stored: null })),
    joined: null,
    created_at: isoTime(nowMs),
    expiresMs,
    listedFromMs: nowMs + effects.lagMs,
  };
  vault.uploads[key] = upload;
  const { upload_id, get_url } = upload;
  if (upload_id === null) return { key, get_url, put_url: sign(FIRST_PART) };
  return { upload_id, parts: upload.parts.map(({ id }) => ({ id, put_url: sign(id) })), key, get_url };
}

/** The part of an upload in one piece. */
const FIRST_PART = 1;
/** A part that no upload has, for the address that reads the object. */
const NO_PART = 0;

/** The address of a part, which contains its own permission. A fixed secret is enough: the store protects nothing. */
export function presign(
  baseUrl: string,
  { key, expiresMs }: Pick<Upload, 'key' | 'expiresMs'>,
  part: number,
): string {
  const signature = digest(['the secret of the simulated object store', key, part, expiresMs]);
  return `${baseUrl}/${key}?partNumber=${part}&Expires=${expiresMs}&Signature=${signature}`;
}

/** The upload with this key. A key from outside may be called like a member that every object inherits. */
export function findUpload({ vault }: AccountState, key: string): Upload | undefined {
  return Object.hasOwn(vault.uploads, key) ? vault.uploads[key] : undefined;
}

function getUpload(account: AccountState, key: string): Upload {
  const upload = findUpload(account, key);
  if (upload === undefined) throw notFound('Upload');
  return upload;
}

/** Assumed: with or without quotes (VAULT-6). */
function isSameTag(left: string, right: string): boolean {
  return left.replace(/^"(.*)"$/, '$1') === right.replace(/^"(.*)"$/, '$1');
}

/** Every id of start once, with its ETag, in any order (VAULT-9). Assumed: no second join. */
function finishUpload(world: World, { params, body }: Call<'vault.upload-finish'>): object {
  const upload = getUpload(getAccount(world, params), body.key);
  if (upload.upload_id === null || upload.upload_id !== body.upload_id) throw notFound('Multipart upload');
  if (upload.joined !== null) throw conflict('the parts of this upload have been joined already');
  requireParts(upload, body.parts);
  const names = upload.parts.map(({ stored }) => stored?.e_tag ?? '');
  upload.joined = `"${digest(names)}-${names.length}"`;
  return { e_tag: upload.joined };
}

function requireParts({ parts, file }: Upload, named: Call<'vault.upload-finish'>['body']['parts']): void {
  const refuse = (text: string) => invalid(text, 'parts');
  const ids = new Set(named.map(({ part }) => part));
  if (ids.size < named.length) throw refuse('a part is named twice');
  if (ids.size !== parts.length || !parts.every(({ id }) => ids.has(id)))
    throw refuse('the parts are not those of start');
  for (const { part, e_tag } of named) {
    const stored = parts.find(({ id }) => id === part)?.stored ?? null;
    if (stored === null) throw refuse(`part ${part} has not been uploaded`);
    if (!isSameTag(stored.e_tag, e_tag)) throw refuse(`part ${part} has another e_tag`);
  }
  const total = parts.reduce((sum, { stored }) => sum + (stored?.size ?? 0), 0);
  if (total !== file.size)
    throw refuse(`the parts have ${total} bytes together, and start said ${file.size}`);
}

/** It repeats the data and the address of start (VAULT-10). Assumed: an expired address does no harm. */
function exportUpload(world: World, { params, body, effects }: Call<'vault.upload-export'>): object {
  const { modes, nowMs } = world;
  const account = getAccount(world, params);
  const upload = getUpload(account, body.key);
  requireExportable(upload, body);
  const { records } = account.vault;
  // Assumed: a repeated export creates a second media (VAULT-11).
  const isRepeated = records.some(({ key }) => key === upload.key);
  const record = uploadRecordShape.parse({
    id: isRepeated ? drawUuid(world) : upload.id,
    status: 'uploaded',
    metadata: { rf_guest: [], rf_partner: [], rf_tag: [], ...body },
    key: upload.key,
    created_at: isoTime(nowMs),
    updated_at: isoTime(nowMs),
    listedFromMs: nowMs + effects.lagMs,
    fate: modes.uploadFates.find((one) => body.name.includes(one.name_contains))?.fate,
  });
  scheduleMove(world, account, record);
  records.push(record);
  tellMove(world, account, record, 'created');
  return readRecord(record);
}

function requireExportable(upload: Upload, body: Call<'vault.upload-export'>['body']): void {
  const refuse = (path: string, text: string): Refusal => invalid(text, path);
  if (body.get_url !== upload.get_url) throw refuse('get_url', 'get_url is not the one that start returned');
  for (const member of ['name', 'size', 'content_type', 'duration'] as const)
    if (body[member] !== upload.file[member]) throw refuse(member, `${member} is not what start was told`);
  const tag = upload.upload_id === null ? (upload.parts[0]?.stored?.e_tag ?? null) : upload.joined;
  if (tag === null) throw refuse('key', 'the object is not there yet');
  if (!isSameTag(tag, body.e_tag)) throw refuse('e_tag', 'e_tag is not that of the object');
  if (body.export_type === 'post' && body.export_fan_id !== undefined)
    throw refuse('export_fan_id', 'export_fan_id goes with the export_type message');
}

/**
 * Queues an upload again (VAULT-15) from `uploaded` or `processed`. A second retry changes nothing. Any other
 * status is an error. What was started and not exported has the status that its list entry shows.
 */
function retryUpload(world: World, { params }: Call<'vault.upload-retry'>): object {
  const account = getAccount(world, params);
  const { records, uploads } = account.vault;
  const record = records.find(({ id }) => id === params.upload_id);
  const started = Object.values(uploads).find(({ id }) => id === params.upload_id);
  if (record === undefined && started !== undefined && world.modes.unfinishedStatus === 'uploaded')
    return readUnfinished(world, started);
  if (record === undefined) throw notFound('Upload');
  if (record.status !== 'uploaded' && record.status !== 'processed')
    throw conflict(`an upload that is ${record.status} cannot be retried`);
  if (record.fate === `stuck_${record.status}`) record.fate = null;
  if (record.nextMs === null) scheduleMove(world, account, record);
  return readRecord(record);
}

/** Assumed: newest first. `expired=true` adds the uploads with addresses that lapsed before their export (VAULT-13). */
function listUploads(world: World, call: Call<'vault.uploads'>): object {
  const { nowMs } = world;
  const { records, uploads } = getAccount(world, call.params).vault;
  const exported = new Set(records.map(({ key }) => key));
  const lapsed = Object.values(uploads).filter(
    ({ key, expiresMs }) => call.query.expired === true && !exported.has(key) && expiresMs <= nowMs,
  );
  // Stable, so that of two with the same time the later one comes first.
  const items = [...records, ...lapsed]
    .filter(({ listedFromMs }) => listedFromMs <= nowMs)
    .toReversed()
    .sort((left, right) => Date.parse(right.created_at) - Date.parse(left.created_at));
  return listPage(call, items, (one) => ('metadata' in one ? readRecord(one) : readUnfinished(world, one)));
}

function readRecord({ id, status, media_id, metadata, created_at, updated_at }: UploadRecord): object {
  return { id, status, media_id, metadata, created_at, updated_at };
}

/** Assumed: the ETag of a single object is known at the export, that of joined parts at finish (VAULT-13). */
function readUnfinished({ modes }: World, upload: Upload): object {
  const { id, file, key, get_url, joined, created_at } = upload;
  const status = modes.unfinishedStatus === 'null' ? null : modes.unfinishedStatus;
  const metadata = { ...file, key, get_url, e_tag: joined };
  return { id, status, media_id: null, metadata, created_at, updated_at: created_at };
}

/** The status that follows each status in background processing (VAULT-12). */
const NEXT: Readonly<Partial<Record<UploadStatus, UploadStatus>>> = {
  uploaded: 'processing',
  processing: 'processed',
  processed: 'exporting',
  exporting: 'exported',
};

/** Schedules the record's next step, unless it has ended or waits for a retry. */
function scheduleMove(world: World, { live }: AccountState, record: UploadRecord): void {
  const { id, status, fate } = record;
  record.nextMs = null;
  if (fate === `stuck_${status}` || NEXT[status] === undefined) return;
  record.nextMs = world.nowMs + world.modes.uploadStepSec * 1000;
  setTimer(world, record.nextMs, { kind: 'upload_move', account_id: live.id, id });
}

/** The next step of an export. Nothing happens if none is due. */
export function moveUpload(world: World, account: AccountState, { id }: TimerOf<'upload_move'>): void {
  const record = account.vault.records.find((one) => one.id === id);
  if (record === undefined || record.nextMs === null || record.nextMs > world.nowMs) return;
  const { status, fate } = record;
  const isBroken = status === 'processing' && (fate === 'failed' || fate === 'unprocessable');
  record.status = isBroken ? fate : (NEXT[status] ?? status);
  record.updated_at = isoTime(world.nowMs);
  if (record.status === 'exported') {
    const folder_id = (record.metadata['export_type'] === 'message' ? MESSAGES_FOLDER : POSTS_FOLDER).id;
    // Assumed: the words for kinds of media (VAULT-1).
    const contentType = String(record.metadata['content_type']);
    const family = contentType.split('/')[0] ?? 'other';
    const photo = contentType === 'image/gif' ? 'gif' : 'photo';
    const type = family === 'image' ? photo : family;
    record.media_id = takeId(world, 'nextMediaId');
    account.vault.medias.push({ id: record.media_id, folder_id, type, created_at: record.updated_at });
  }
  scheduleMove(world, account, record);
  tellMove(world, account, record, 'updated');
}

/** Assumed: events of uploads have the record of the list (EVENT-1). */
function tellMove(
  world: World,
  account: AccountState,
  record: UploadRecord,
  what: 'created' | 'updated',
): void {
  const members = { status: record.status, upload: readRecord(record) };
  emitEvent(world, account, `vault.media_upload.${what}`, members);
}

export const VAULT = {
  'vault.folders': listFolders,
  'vault.media': listMedia,
  'vault.thumbnail': readThumbnail,
  'vault.uploads': listUploads,
  'vault.verify-fan': verifyFan,
  'vault.upload-start': startUpload,
  'vault.upload-finish': finishUpload,
  'vault.upload-export': exportUpload,
  'vault.upload-retry': retryUpload,
} as const satisfies Handlers;

export const VAULT_SEEDS = { vault_folder: seedFolder, vault_upload: seedUpload } as const satisfies Seeders;
