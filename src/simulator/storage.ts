import { createHash } from 'node:crypto';
import type { Clock, PutBytes } from '../domain/ports.ts';
import { Refusal } from './answers.ts';
import { deliver, REFUSED, RESET, type Exchange } from './delivery.ts';
import type { FaultOf } from './fault-shape.ts';
import { matchPutFault } from './faults.ts';
import { addToLog, isoTime } from './records.ts';
import { putRecordShape, type PutRecord, type Upload, type UploadPart } from './state.ts';
import { findUpload, quoteTag, readPresigned } from './vault.ts';
import type { World } from './world.ts';

/** One request to the object store. */
export interface StorageRequest {
  readonly method: string;
  readonly url: string;
  /** A header by its lower-case name; null if it is missing. */
  readonly header: (name: string) => string | null;
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** Receives every piece of every body. The key is that of start. */
export type Keep = (
  place: { readonly key: string; readonly part: number },
  piece: Uint8Array,
) => void | Promise<void>;

/** The parts that the object store works with. */
interface StorageEngine {
  readonly world: World;
  readonly clock: Clock;
  readonly keep?: Keep | undefined;
}

/**
 * The object store behind the presigned addresses, on its own host and without a key of the service. It stores
 * only digest and size of large bodies.
 */
export async function answerPut(engine: StorageEngine, request: StorageRequest): Promise<Exchange> {
  const { world } = engine;
  const record = openRecord(world, request);
  const exchange = await handlePut(engine, request, record).catch((error: unknown) => {
    if (error instanceof Refusal) return refuse(error);
    throw error;
  });
  if ('status' in exchange) record.status = exchange.status;
  return exchange;
}

function openRecord({ storage, nowMs, authHeader }: World, request: StorageRequest): PutRecord {
  const { method, url, header } = request;
  const { key, part } = readPresigned(new URL(url, storage.baseUrl));
  const length = Number.parseInt(header('content-length') ?? '', 10);
  const record = putRecordShape.parse({
    put: storage.nextPut++,
    at: isoTime(nowMs),
    method,
    key,
    part,
    length: Number.isNaN(length) ? null : length,
    auth_header_seen: header(authHeader) !== null,
  });
  return addToLog(storage.puts, record);
}

async function handlePut(
  engine: StorageEngine,
  request: StorageRequest,
  record: PutRecord,
): Promise<Exchange> {
  const { world, clock } = engine;
  const admitted = admitPut(world, request);
  const { upload, part, length } = admitted;
  record.account_id = admitted.accountId;
  const fault = matchPutFault(world, { account_id: admitted.accountId, part: part.id });
  const how = fault?.how;
  record.fault = how ?? null;
  if (how === 'unavailable') throw refused(503, 'SlowDown', 'Please reduce your request rate.');
  if (how === 'expired') throw refused(403, 'AccessDenied', 'Request has expired');
  if (how === 'refused') return REFUSED;
  if (how === 'redirect')
    return { kind: 'reply', status: 307, headers: { location: 'http://elsewhere.invalid/' }, body: null };
  const stopAt = findStop(fault, length);
  const place = { key: upload.key, part: part.id };
  const stored = await takeBody(engine, request, record, { length, stopAt, place });
  if (stored === null) return how === 'stall' ? { kind: 'never' } : RESET;
  // A repeated body replaces the first, as in object stores.
  part.stored = stored;
  if (how === 'lost_answer') return RESET;
  if (how === 'slow') await clock.sleep(fault?.delay_ms ?? 0, request.signal);
  return {
    kind: 'reply',
    status: 200,
    headers: how === 'missing_etag' ? {} : { etag: stored.e_tag },
    body: null,
  };
}

/** The number of bytes after which a fault stops reading; null for none. */
function findStop(fault: FaultOf<'storage'> | undefined, length: number): number | null {
  if (fault?.how !== 'reset' && fault?.how !== 'stall') return null;
  return Math.min(fault.after_bytes ?? Math.ceil(length / 2), length);
}

/** Object stores explain a refusal by a code of one word. */
function refused(status: number, code: string, message: string): Refusal {
  return new Refusal(status, message, { code });
}

/** Assumed: the store explains errors in XML, as object stores do (VAULT-6). */
function refuse({ status, code, message }: Refusal): Exchange {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { kind: 'reply', status, headers: { 'content-type': 'application/xml' }, body };
}

/** An accepted put, and the length of its body in bytes. */
interface Admitted {
  readonly accountId: string;
  readonly upload: Upload;
  readonly part: UploadPart;
  readonly length: number;
}

/**
 * The checks of the store before the first byte. Assumed: they and their refusals are those of common object
 * stores. Documented: the store never gets the service's key (VAULT-6).
 */
function admitPut(world: World, request: StorageRequest): Admitted {
  const { method, header } = request;
  const address = readPresigned(new URL(request.url, world.storage.baseUrl));
  if (header(world.authHeader) !== null || header('authorization') !== null)
    throw refused(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  if (method !== 'PUT') throw refused(405, 'MethodNotAllowed', 'The method is not allowed for this address');
  // The store knows only keys, not accounts.
  const [found] = Object.values(world.accounts).flatMap((account) => {
    const upload = findUpload(account, address.key);
    return upload === undefined ? [] : [{ accountId: account.live.id, upload }];
  });
  if (found === undefined) throw refused(404, 'NoSuchKey', 'The key does not exist');
  const { upload } = found;
  const part = upload.parts.find(({ id }) =>
    upload.upload_id === null ? address.part === null : id === address.part,
  );
  if (!address.isSigned || part === undefined || header('content-type') !== upload.file.content_type)
    throw refused(403, 'SignatureDoesNotMatch', 'The request is not the one that was signed');
  if (address.expiresMs <= world.nowMs) throw refused(403, 'AccessDenied', 'Request has expired');
  if (upload.joined !== null) throw refused(404, 'NoSuchUpload', 'The upload has been completed');
  return { ...found, part, length: readLength(world, request, upload, part) };
}

/** Object stores accept no smaller part, except the last one. */
const LEAST_PART_BYTES = 5 * 1_048_576;

function readLength(
  { modes }: World,
  { header }: StorageRequest,
  { upload_id, file: { size }, parts }: Upload,
  part: UploadPart,
): number {
  const text = header('content-length');
  if (text === null || header('transfer-encoding') !== null || !/^\d+$/.test(text))
    throw refused(411, 'MissingContentLength', 'You must provide the Content-Length header');
  const length = Number(text);
  if (upload_id === null && length !== size)
    throw refused(400, 'IncompleteBody', `The object has ${size} bytes, not ${length}`);
  const isLast = part === parts.at(-1);
  const least = isLast || modes.uploadPartBytes < LEAST_PART_BYTES ? 1 : LEAST_PART_BYTES;
  if (length < least) throw refused(400, 'EntityTooSmall', `A part has at least ${least} bytes`);
  if (length > size) throw refused(400, 'EntityTooLarge', `The object has ${size} bytes`);
  return length;
}

/** Bodies up to this size are stored, so that tests can read them. Of others only digest and size are stored. */
const KEPT_BODY_BYTES = 65_536;

/** The number of hex digits in an ETag. It is opaque, and one hash is enough. */
const TAG_DIGITS = 32;

interface Wanted {
  readonly length: number;
  /** The number of bytes after which a fault stops reading; null for none. */
  readonly stopAt: number | null;
  readonly place: { readonly key: string; readonly part: number };
}

/** Reads the body and returns its digest and size; null if it is incomplete. */
async function takeBody(
  { world, keep }: StorageEngine,
  { body, signal }: StorageRequest,
  record: PutRecord,
  { length, stopAt, place }: Wanted,
): Promise<UploadPart['stored']> {
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
    e_tag: quoteTag(world, tag),
    size: length,
    sha256,
    bytes: length <= KEPT_BODY_BYTES ? Buffer.concat(small).toString('base64') : null,
  };
}

/** Writes to the simulator's object store in this process, without a socket. */
export function putInProcess(store: (request: StorageRequest) => Promise<Exchange>): PutBytes {
  return async ({ url, contentType, length, body, signal }) => {
    signal.throwIfAborted();
    const headers: Readonly<Record<string, string>> = {
      'content-type': contentType,
      'content-length': String(length),
    };
    const header = (name: string) => headers[name] ?? null;
    const answer = await deliver(await store({ method: 'PUT', url, header, body, signal }), signal);
    return { status: answer.status, etag: answer.headers.get('etag'), bodyText: await answer.text() };
  };
}
