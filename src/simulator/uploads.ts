import { createHash } from 'node:crypto';
import { digest } from '../domain/digest.ts';
import type { Clock, PresignedPut, PutBytes } from '../domain/ports.ts';
import { SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { deliver, Refusal, REFUSED, RESET, type Delivery } from './answers.ts';
import type { Call, Handlers, Seeders, Timers } from './calls.ts';
import { matchFaults, findFault } from './fault-shape.ts';
import { listPage } from './paging.ts';
import type { SeedOf } from './seed-shape.ts';
import {
  MESSAGES_FOLDER,
  POSTS_FOLDER,
  putRecordShape,
  uploadRecordShape,
  type AccountState,
  type PutRecord,
  type Upload,
  type UploadPart,
  type UploadRecord,
  type UploadStatus,
  type VaultMedia,
} from './state.ts';
import { emitEvent } from './webhooks.ts';
import { type World, isoTime, type TimerOf } from './world.ts';

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
  const { vault } = world.getAccount(params);
  const key = `vault/${params.account_id}/${world.drawUuid()}`;
  const expiresMs = nowMs + LIFETIME_MS;
  const sign = (part: number): string => presign(storage.baseUrl, { key, expiresMs }, part);
  const isMultipart =
    modes.uploadShape === 'threshold' ? body.size >= PARTS_FROM_BYTES : modes.uploadShape === 'multipart';
  const count = isMultipart ? Math.min(PARTS_MAX, Math.ceil(body.size / modes.uploadPartBytes)) : 1;
  const upload: Upload = {
    id: world.drawUuid(),
    key,
    upload_id: isMultipart ? world.drawUuid() : null,
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
function presign(
  baseUrl: string,
  { key, expiresMs }: Pick<Upload, 'key' | 'expiresMs'>,
  part: number,
): string {
  const signature = digest(['the secret of the simulated object store', key, part, expiresMs]);
  return `${baseUrl}/${key}?partNumber=${part}&Expires=${expiresMs}&Signature=${signature}`;
}

export interface StorageRequest extends Pick<PresignedPut, 'url' | 'body' | 'signal'> {
  readonly method: string;
  /** A header by its lower-case name; null if it is missing. */
  readonly header: (name: string) => string | null;
}

/** The object store, without a key of the service. Of large bodies it stores only digest and size. */
export async function answerPut(world: World, clock: Clock, request: StorageRequest): Promise<Delivery> {
  const record = openRecord(world, request);
  const delivery = await handlePut(world, clock, request, record).catch((error: unknown): Delivery => {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message } = error;
    // Assumed: the store explains errors in XML, as object stores do (VAULT-6).
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
    return { kind: 'reply', status, headers: { 'content-type': 'application/xml' }, body };
  });
  if ('status' in delivery) record.status = delivery.status;
  return delivery;
}

/** The address of a request, whatever host the store has. */
function readAddress({ url }: StorageRequest): URL {
  return new URL(url, 'http://storage.invalid');
}

function openRecord({ storage }: World, request: StorageRequest): PutRecord {
  const { pathname, searchParams } = readAddress(request);
  const record = putRecordShape.parse({
    key: pathname.slice(1),
    part: Math.trunc(Number(searchParams.get('partNumber'))) || 0,
    auth_header_seen: request.header(SERVICE_DEFAULTS.authHeader) !== null,
  });
  storage.puts.push(record);
  return record;
}

async function handlePut(
  world: World,
  clock: Clock,
  request: StorageRequest,
  record: PutRecord,
): Promise<Delivery> {
  const { accountId, part, length } = admitPut(world, request, record);
  const fault = findFault(matchFaults(world, 'storage', { account_id: accountId, part: part.id }), 'storage');
  const how = fault?.how;
  record.fault = how ?? null;
  if (how === 'expired') throw refused(403, 'AccessDenied', 'Request has expired');
  if (how === 'refused') return REFUSED;
  const stopAt = how === 'reset' || how === 'stall' ? Math.ceil(length / 2) : null;
  const stored = await takeBody(request, record, length, stopAt);
  if (stored === null) return how === 'stall' ? { kind: 'never' } : RESET;
  // A repeated body replaces the first, as in object stores.
  part.stored = stored;
  if (how === 'slow') await clock.sleep(fault?.delay_ms ?? 0, request.signal);
  const headers = how === 'missing_etag' ? {} : { etag: stored.e_tag };
  return { kind: 'reply', status: 200, headers, body: null };
}

/** Object stores explain a refusal by a code of one word. */
function refused(status: number, code: string, message: string): Refusal {
  return new Refusal(status, message, { code });
}

/**
 * The checks of the store before the first byte. Assumed: they and their refusals are those of common object
 * stores. Documented: the store never gets the service's key (VAULT-6).
 */
function admitPut(world: World, request: StorageRequest, record: PutRecord) {
  const { method, header } = request;
  if (record.auth_header_seen || header('authorization') !== null)
    throw refused(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  if (method !== 'PUT') throw refused(405, 'MethodNotAllowed', 'The method is not allowed for this address');
  // The store knows only keys, not accounts.
  const [found] = Object.values(world.accounts).flatMap((account) => {
    const upload = findUpload(account, record.key);
    return upload === undefined ? [] : [{ accountId: account.live.id, upload }];
  });
  if (found === undefined) throw refused(404, 'NoSuchKey', 'The key does not exist');
  const { accountId, upload } = found;
  const part = upload.parts.find(({ id }) => id === record.part);
  const signed = part === undefined ? null : new URL(presign('http://storage.invalid', upload, part.id));
  const isSigned = signed?.search === readAddress(request).search;
  if (part === undefined || !isSigned || header('content-type') !== upload.file.content_type)
    throw refused(403, 'SignatureDoesNotMatch', 'The request is not the one that was signed');
  if (upload.expiresMs <= world.nowMs) throw refused(403, 'AccessDenied', 'Request has expired');
  if (upload.joined !== null) throw refused(404, 'NoSuchUpload', 'The upload has been completed');
  return { accountId, part, length: readLength(request, upload) };
}

function readLength({ header }: StorageRequest, { upload_id, file: { size } }: Upload): number {
  const text = header('content-length');
  if (text === null || header('transfer-encoding') !== null || !/^\d+$/.test(text))
    throw refused(411, 'MissingContentLength', 'You must provide the Content-Length header');
  const length = Number(text);
  if (length > size || (upload_id === null && length < size))
    throw refused(400, 'IncompleteBody', `The object has ${size} bytes, not ${length}`);
  return length;
}

/** Bodies up to this size are stored, so that tests can read them. Of others only digest and size are stored. */
const KEPT_BODY_BYTES = 65_536;

/** The number of hex digits in an ETag. It is opaque, and one hash is enough. */
const TAG_DIGITS = 32;

/** Reads the body and returns its digest and size; null if it is incomplete, or a fault stops the reading. */
async function takeBody(
  { body, signal }: StorageRequest,
  record: PutRecord,
  length: number,
  stopAt: number | null,
): Promise<UploadPart['stored']> {
  const hash = createHash('sha256');
  const small: Uint8Array[] = [];
  try {
    for await (const piece of body) {
      signal.throwIfAborted();
      record.received += piece.byteLength;
      if (record.received > length) return null;
      hash.update(piece);
      // A copy: the owner of the piece may use its memory again.
      if (length <= KEPT_BODY_BYTES) small.push(Uint8Array.from(piece));
      if (stopAt !== null && record.received >= stopAt) return null;
    }
  } catch {
    // The client disconnected.
    return null;
  }
  if (record.received !== length) return null;
  const sha256 = hash.digest('hex');
  return {
    // Assumed: the store quotes its ETags, as HTTP does (VAULT-6).
    e_tag: `"${sha256.slice(0, TAG_DIGITS)}"`,
    size: length,
    sha256,
    bytes: length <= KEPT_BODY_BYTES ? Buffer.concat(small).toString('base64') : null,
  };
}

/** Writes to the simulator's object store in this process, without a socket. */
export function putInProcess(store: (request: StorageRequest) => Promise<Delivery>): PutBytes {
  return async ({ url, contentType, length, body, signal }) => {
    signal.throwIfAborted();
    const headers = new Headers({ 'content-type': contentType, 'content-length': String(length) });
    const header = (name: string) => headers.get(name);
    const answer = await deliver(await store({ method: 'PUT', url, header, body, signal }), signal);
    return { status: answer.status, etag: answer.headers.get('etag'), bodyText: await answer.text() };
  };
}

/** The upload with this key. A key from outside may be called like a member that every object inherits. */
function findUpload({ vault }: AccountState, key: string): Upload | undefined {
  return Object.hasOwn(vault.uploads, key) ? vault.uploads[key] : undefined;
}

function getUpload(account: AccountState, key: string): Upload {
  const upload = findUpload(account, key);
  if (upload === undefined) throw Refusal.notFound('Upload');
  return upload;
}

/** Assumed: with or without quotes (VAULT-6). */
function isSameTag(left: string, right: string): boolean {
  return left.replace(/^"(.*)"$/, '$1') === right.replace(/^"(.*)"$/, '$1');
}

/** Every id of start once, with its ETag, in any order (VAULT-9). Assumed: no second join. */
function finishUpload(world: World, { params, body }: Call<'vault.upload-finish'>): object {
  const upload = getUpload(world.getAccount(params), body.key);
  if (upload.upload_id === null || upload.upload_id !== body.upload_id)
    throw Refusal.notFound('Multipart upload');
  if (upload.joined !== null) throw Refusal.conflict('the parts of this upload have been joined already');
  requireParts(upload, body.parts);
  const names = upload.parts.map(({ stored }) => stored?.e_tag ?? '');
  upload.joined = `"${digest(names)}-${names.length}"`;
  return { e_tag: upload.joined };
}

function requireParts({ parts, file }: Upload, named: Call<'vault.upload-finish'>['body']['parts']): void {
  const refuse = (text: string) => Refusal.invalid(text, 'parts');
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
  const account = world.getAccount(params);
  const upload = getUpload(account, body.key);
  requireExportable(upload, body);
  const { records } = account.vault;
  // Assumed: a repeated export creates a second media (VAULT-11).
  const isRepeated = records.some(({ key }) => key === upload.key);
  const record = uploadRecordShape.parse({
    id: isRepeated ? world.drawUuid() : upload.id,
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
  const refuse = (path: string, text: string): Refusal => Refusal.invalid(text, path);
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
  const account = world.getAccount(params);
  const { records, uploads } = account.vault;
  const record = records.find(({ id }) => id === params.upload_id);
  const started = Object.values(uploads).find(({ id }) => id === params.upload_id);
  if (record === undefined && started !== undefined && world.modes.unfinishedStatus === 'uploaded')
    return readUnfinished(world, started);
  if (record === undefined) throw Refusal.notFound('Upload');
  if (record.status !== 'uploaded' && record.status !== 'processed')
    throw Refusal.conflict(`an upload that is ${record.status} cannot be retried`);
  if (record.fate === `stuck_${record.status}`) record.fate = null;
  if (record.nextMs === null) scheduleMove(world, account, record);
  return readRecord(record);
}

/** Assumed: newest first. `expired=true` adds the uploads with addresses that lapsed before their export (VAULT-13). */
function listUploads(world: World, call: Call<'vault.uploads'>): object {
  const { nowMs } = world;
  const { records, uploads } = world.getAccount(call.params).vault;
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
  world.setTimer(record.nextMs, { kind: 'upload_move', account_id: live.id, id });
}

/** The next step of an export. Nothing happens if none is due. */
function moveUpload(world: World, account: AccountState, { id }: TimerOf<'upload_move'>): void {
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
    record.media_id = addMedia(world, account.vault, { folder_id, type });
  }
  scheduleMove(world, account, record);
  tellMove(world, account, record, 'updated');
}

/** Returns its id. */
function addMedia(
  world: World,
  { medias }: AccountState['vault'],
  media: Pick<VaultMedia, 'folder_id' | 'type'>,
): string {
  const id = world.takeId('nextMediaId');
  medias.push({ id, ...media, created_at: isoTime(world.nowMs) });
  return id;
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

function seedUpload(world: World, { vault }: AccountState, seed: SeedOf<'vault_upload'>): UploadRecord {
  const { name = 'seeded.jpg', status = 'exported', key = `seeded/${world.drawUuid()}` } = seed;
  const { created_at = isoTime(world.nowMs) } = seed;
  const record = uploadRecordShape.parse({
    id: world.drawUuid(),
    status,
    media_id:
      status === 'exported' ? addMedia(world, vault, { folder_id: POSTS_FOLDER.id, type: 'photo' }) : null,
    metadata: { name, size: 1, content_type: 'image/jpeg', key, e_tag: '"seeded"', export_type: 'post' },
    key,
    created_at,
    updated_at: created_at,
    listedFromMs: 0,
  });
  vault.records.push(record);
  return record;
}

export const UPLOADS = {
  'vault.uploads': listUploads,
  'vault.upload-start': startUpload,
  'vault.upload-finish': finishUpload,
  'vault.upload-export': exportUpload,
  'vault.upload-retry': retryUpload,
} as const satisfies Handlers;

export const UPLOAD_SEEDS = { vault_upload: seedUpload } as const satisfies Seeders;

export const UPLOAD_TIMERS = { upload_move: moveUpload } as const satisfies Timers;
