import { digest } from '../domain/digest.ts';
import { Bytes, conflict, invalid, notFound, type Refusal } from './answers.ts';
import { mediaFlags } from './chat.ts';
import { listLagMs, listPage } from './paging.ts';
import { draw, drawUuid, mixText, takeId } from './random.ts';
import { isoTime } from './records.ts';
import type { Call } from './requests.ts';
import type { SeedOf } from './seed-shape.ts';
import {
  MESSAGES_FOLDER,
  POSTS_FOLDER,
  uploadRecordShape,
  type AccountState,
  type Upload,
  type UploadRecord,
  type UploadStatus,
  type Vault,
  type VaultFolder,
  type VaultMedia,
} from './state.ts';
import { emitEvent } from './webhooks.ts';
import { getAccount, setTimer, type World } from './world.ts';

/** Assumed: besides `all`, the filter's values are the words for kinds of media (VAULT-1). */
const TYPES: readonly string[] = ['all', 'photo', 'video', 'gif', 'audio'];

export function listFolders(world: World, call: Call<'vault.folders'>): object {
  const vault = advanceVault(world, getAccount(world, call.params.account_id));
  return listPage(call, vault.folders, (folder) => readFolder(vault, folder));
}

/** Assumed: newest first (VAULT-13). */
export function listMedia(world: World, call: Call<'vault.media'>): object {
  const { params, query } = call;
  const vault = advanceVault(world, getAccount(world, params.account_id));
  const { type = 'all' } = query;
  if (!TYPES.includes(type)) throw invalid(world.modes, `type must be one of ${TYPES.join(', ')}`, 'type');
  if (!vault.folders.some(({ id }) => id === params.folder_id)) throw notFound('Folder');
  const medias = vault.medias.filter(
    (media) => media.folder_id === params.folder_id && (type === 'all' || media.type === type),
  );
  return listPage(call, medias.toReversed(), (media) => readMedia(world, media));
}

/** A picture of one pixel. */
const THUMBNAIL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export function readThumbnail(world: World, { params }: Call<'vault.thumbnail'>): Bytes {
  const { medias } = advanceVault(world, getAccount(world, params.account_id));
  if (!medias.some(({ id }) => id === params.media_id)) throw notFound('Media');
  return new Bytes('application/octet-stream', THUMBNAIL);
}

/** Ids are integers in JSON, longer than a JavaScript number holds. */
function readFolder({ medias }: Vault, { id, type, name }: VaultFolder): object {
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

function readMedia(world: World, { id, type, created_at }: VaultMedia): object {
  return {
    id: BigInt(id),
    type,
    ...mediaFlags(mixText(world.data.seed, `media ${id}`), type),
    created_at,
    thumbnail_url: `https://media.example.com/thumbnails/${id}.jpg`,
  };
}

/** A link on the platform's host (VAULT-16). Assumed: its path ends with the fan's id, or with `u` and the id. */
export function verifyFan(world: World, { params, body }: Call<'vault.verify-fan'>): object {
  const { fans } = getAccount(world, params.account_id);
  const { platformHost } = world.modes;
  const { hostname, pathname } = new URL(body.fan_link);
  if (hostname.replace(/^www\./, '') !== platformHost)
    throw invalid(world.modes, `fan_link must lead to ${platformHost}`, 'fan_link');
  const id = /\/u?(\d+)\/?$/.exec(pathname)?.[1];
  if (id === undefined || !fans.includes(id)) throw notFound('Fan');
  return { fan_id: id };
}

export function seedFolder(world: World, vault: Vault, seed: SeedOf<'vault_folder'>): VaultFolder {
  const { id = takeId(world, 'nextMediaId'), type = 'custom', photos = 0 } = seed;
  const folder = { id, type, name: seed.name ?? `Folder ${vault.folders.length + 1}` };
  vault.folders.push(folder);
  for (let count = 0; count < photos; count += 1) seedMedia(world, vault, { folder_id: folder.id });
  return folder;
}

export function seedMedia(world: World, vault: Vault, seed: SeedOf<'vault_media'>): VaultMedia {
  const { folder_id = POSTS_FOLDER.id, type = 'photo', created_at = isoTime(world.nowMs) } = seed;
  return putMedia(world, vault, { folder_id, type, created_at, upload: null });
}

export function seedUpload(world: World, vault: Vault, seed: SeedOf<'vault_upload'>): UploadRecord {
  const { name = 'seeded.jpg', status = 'exported', key = `seeded/${drawUuid(world)}` } = seed;
  const { created_at = isoTime(world.nowMs) } = seed;
  const record = uploadRecordShape.parse({
    id: drawUuid(world),
    status,
    media_id: status === 'exported' ? seedMedia(world, vault, {}).id : null,
    metadata: { name, size: 1, content_type: 'image/jpeg', key, e_tag: '"seeded"', export_type: 'post' },
    key,
    created_at,
    updated_at: created_at,
    listedFromMs: 0,
  });
  vault.records.push(record);
  return record;
}

/** As object stores have it. A part is larger rather than one more. */
const PARTS_MAX = 10_000;
/** The number of a part that no upload has, for the address that reads the object. */
const NO_PART = 0;

/**
 * The service chooses one of the two forms of the answer (VAULT-5). Each start has its own key, so a start with a
 * lost answer costs nothing. Part ids begin at 1 (VAULT-8).
 */
export function startUpload(world: World, { params, body, effects }: Call<'vault.upload-start'>): object {
  const { modes, nowMs, storage } = world;
  const { vault } = getAccount(world, params.account_id);
  const id = drawUuid(world);
  const key = `vault/${params.account_id}/${drawUuid(world)}`;
  const expiresMs = nowMs + modes.presignedLifetimeSec * 1000;
  const isMultipart = comesInParts(world, body.size);
  const count = isMultipart ? Math.min(PARTS_MAX, Math.ceil(body.size / modes.uploadPartBytes)) : 1;
  const sign = (part: number | null): string => presign(storage.baseUrl, { key, part, expiresMs });
  const get_url = sign(NO_PART);
  const upload_id = isMultipart ? drawUuid(world) : null;
  const parts = Array.from({ length: count }, (_, index) => ({ id: index + 1, stored: null }));
  vault.uploads[key] = {
    id,
    key,
    upload_id,
    file: body,
    get_url,
    parts,
    joined: null,
    created_at: isoTime(nowMs),
    expiresMs,
    listedFromMs: nowMs + listLagMs(world, effects),
  };
  if (upload_id === null) return { key, get_url, put_url: sign(null) };
  return {
    upload_id,
    parts: parts.map((part) => ({ id: part.id, put_url: sign(part.id) })),
    ...(modes.multipartKeys === 'present' ? { key, get_url } : {}),
  };
}

function comesInParts(world: World, size: number): boolean {
  const { uploadShape, uploadThresholdBytes } = world.modes;
  if (uploadShape === 'threshold') return size >= uploadThresholdBytes;
  if (uploadShape === 'random') return draw(world) < 0.5;
  return uploadShape === 'multipart';
}

/** The permission of an address: to write one part of an object; null for the whole. */
interface Grant {
  readonly key: string;
  readonly part: number | null;
  readonly expiresMs: number;
}

/** A URL that contains its own permission. */
function presign(baseUrl: string, grant: Grant): string {
  const url = new URL(`${baseUrl}/${grant.key}`);
  if (grant.part !== null) url.searchParams.set('partNumber', String(grant.part));
  url.searchParams.set('Expires', String(grant.expiresMs));
  url.searchParams.set('Signature', signGrant(grant));
  return url.href;
}

/** The permission that an address claims. `isSigned` tells whether the signature is right. */
export function readPresigned(url: URL): Grant & { readonly isSigned: boolean } {
  const part = url.searchParams.get('partNumber');
  const grant = {
    key: url.pathname.slice(1),
    part: part === null ? null : Number(part),
    expiresMs: Number(url.searchParams.get('Expires')),
  };
  return { ...grant, isSigned: url.searchParams.get('Signature') === signGrant(grant) };
}

/** A fixed secret is enough, because the simulated store protects nothing. */
function signGrant({ key, part, expiresMs }: Grant): string {
  return digest(['the secret of the simulated object store', key, part, expiresMs]);
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

/** As this store writes it. */
export function quoteTag({ modes }: World, tag: string): string {
  return modes.etagQuotes ? `"${tag}"` : tag;
}

/**
 * Joins the parts (VAULT-9): every id of start exactly once, each with its ETag, in any order. Assumed: joined
 * parts cannot be joined again, as in other object stores.
 */
export function finishUpload(world: World, { params, body }: Call<'vault.upload-finish'>): object {
  const upload = getUpload(getAccount(world, params.account_id), body.key);
  if (upload.upload_id === null || upload.upload_id !== body.upload_id) throw notFound('Multipart upload');
  if (upload.joined !== null) throw conflict('the parts of this upload have been joined already');
  requireParts(world, upload, body.parts);
  const names = upload.parts.map(({ stored }) => stored?.e_tag ?? '');
  upload.joined = quoteTag(world, `${digest(names)}-${names.length}`);
  return { e_tag: upload.joined };
}

function requireParts(
  { modes }: World,
  { parts, file }: Upload,
  named: Call<'vault.upload-finish'>['body']['parts'],
): void {
  const refuse = (text: string) => invalid(modes, text, 'parts');
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

/**
 * Exports an upload. It repeats the data of start, and the address exactly (VAULT-10). Assumed: an address that
 * expired after the upload does no harm.
 */
export function exportUpload(world: World, { params, body, effects }: Call<'vault.upload-export'>): object {
  const { modes, nowMs } = world;
  const account = getAccount(world, params.account_id);
  const upload = getUpload(account, body.key);
  requireExportable(world, upload, body);
  const { records } = account.vault;
  const isRepeated = records.some(({ key }) => key === upload.key);
  if (isRepeated && modes.exportAgain === 'refuse') throw conflict('this upload has been exported already');
  const record = uploadRecordShape.parse({
    id: isRepeated ? drawUuid(world) : upload.id,
    status: 'uploaded',
    metadata: { rf_guest: [], rf_partner: [], rf_tag: [], ...body },
    key: upload.key,
    created_at: isoTime(nowMs),
    updated_at: isoTime(nowMs),
    listedFromMs: nowMs + listLagMs(world, effects),
    fate: modes.uploadFates.find((one) => body.name.includes(one.name_contains))?.fate,
  });
  scheduleMove(world, account, record, nowMs);
  records.push(record);
  tellMove(world, account, record, 'created');
  return readRecord(record);
}

function requireExportable(
  { modes }: World,
  upload: Upload,
  body: Call<'vault.upload-export'>['body'],
): void {
  const refuse = (path: string, text: string): Refusal => invalid(modes, text, path);
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
export function retryUpload(world: World, { params }: Call<'vault.upload-retry'>): object {
  const account = getAccount(world, params.account_id);
  const { records, uploads } = advanceVault(world, account);
  const record = records.find(({ id }) => id === params.upload_id);
  const started = Object.values(uploads).find(({ id }) => id === params.upload_id);
  if (record === undefined && started !== undefined && world.modes.unfinishedStatus === 'uploaded')
    return readUnfinished(world, started);
  if (record === undefined) throw notFound('Upload');
  if (record.status !== 'uploaded' && record.status !== 'processed')
    throw conflict(`an upload that is ${record.status} cannot be retried`);
  if (record.fate === `stuck_${record.status}`) record.fate = null;
  if (record.nextMs === null) scheduleMove(world, account, record, world.nowMs);
  return readRecord(record);
}

/**
 * Assumed: newest first. `expired=true` adds the uploads with addresses that lapsed before their export, or what the mode
 * `unfinishedUploads` says (VAULT-13).
 */
export function listUploads(world: World, call: Call<'vault.uploads'>): object {
  const { nowMs, modes } = world;
  const { records, uploads } = advanceVault(world, getAccount(world, call.params.account_id));
  const exported = new Set(records.map(({ key }) => key));
  const isListed = ({ expiresMs }: Upload): boolean =>
    modes.unfinishedUploads === 'lapsed' ? expiresMs <= nowMs : modes.unfinishedUploads === 'listed';
  const unfinished = Object.values(uploads).filter(
    (upload) => call.query.expired === true && !exported.has(upload.key) && isListed(upload),
  );
  // Stable, so that of two with the same time the later one comes first.
  const items = [...records, ...unfinished]
    .filter(({ listedFromMs }) => listedFromMs <= nowMs)
    .toReversed()
    .sort((left, right) => Date.parse(right.created_at) - Date.parse(left.created_at));
  return listPage(call, items, (one) => ('metadata' in one ? readRecord(one) : readUnfinished(world, one)));
}

/** One upload as in answers. */
function readRecord({ id, status, media_id, metadata, created_at, updated_at }: UploadRecord): object {
  return { id, status, media_id, metadata, created_at, updated_at };
}

/**
 * Assumed: the service learns a single object's ETag at the export, and that of joined parts at finish (VAULT-13).
 */
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

/** Advances a vault to now. Call it before each use. */
export function advanceVault(world: World, account: AccountState): Vault {
  for (const record of account.vault.records)
    while (record.nextMs !== null && record.nextMs <= world.nowMs)
      moveOn(world, account, record, record.nextMs);
  return account.vault;
}

/** Schedules the record's next step, unless it waits for a retry. */
function scheduleMove(world: World, { live }: AccountState, record: UploadRecord, fromMs: number): void {
  const { uploadStepSec, uploadTiming } = world.modes;
  const { id, status, fate, media_id } = record;
  const hasEnded = NEXT[status] === undefined && !(status === 'exported' && media_id === null);
  record.nextMs = null;
  if (fate === `stuck_${status}` || hasEnded) return;
  const share = uploadTiming === 'random' ? 0.5 + draw(world) : 1;
  record.nextMs = fromMs + Math.round(uploadStepSec * 1000 * share);
  // Its event must not wait until someone reads the list.
  if (world.webhooks.entries.length > 0)
    setTimer(world, record.nextMs, { kind: 'upload_move', account_id: live.id, id });
}

function moveOn(world: World, account: AccountState, record: UploadRecord, atMs: number): void {
  const { status, fate } = record;
  const isBroken = status === 'processing' && (fate === 'failed' || fate === 'unprocessable');
  record.status = isBroken ? fate : (NEXT[status] ?? status);
  record.updated_at = isoTime(atMs);
  if (record.status === 'exported' && fate === 'late_media') record.fate = null;
  else if (record.status === 'exported' && record.media_id === null) {
    const { id } = putMedia(world, account.vault, describeMedia(record));
    record.media_id = world.modes.mediaIds === 'text' ? `m-${id}` : id;
  }
  scheduleMove(world, account, record, atMs);
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
  emitEvent(world, account, `vault.media_upload.${what}`, members, Date.parse(record.updated_at));
}

/** Assumed: the words for kinds of media (VAULT-1). */
function describeMedia({ id, metadata, updated_at }: UploadRecord): Omit<VaultMedia, 'id'> {
  const folder = metadata['export_type'] === 'message' ? MESSAGES_FOLDER : POSTS_FOLDER;
  const contentType = String(metadata['content_type']);
  const family = contentType.split('/')[0] ?? 'other';
  const photo = contentType === 'image/gif' ? 'gif' : 'photo';
  return {
    folder_id: folder.id,
    type: family === 'image' ? photo : family,
    created_at: updated_at,
    upload: id,
  };
}

function putMedia(world: World, vault: Vault, media: Omit<VaultMedia, 'id'>): VaultMedia {
  const kept = { ...media, id: takeId(world, 'nextMediaId') };
  vault.medias.push(kept);
  return kept;
}
