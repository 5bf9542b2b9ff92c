import { createHash } from 'node:crypto';
import type { Clock, PresignedPut, PutBytes } from '../domain/ports.ts';
import { SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { Refusal } from './answers.ts';
import { deliver, REFUSED, RESET, type Exchange } from './exchange.ts';
import { putRecordShape, type PutRecord, type Upload, type UploadPart } from './state.ts';
import { findUpload, presign } from './vault.ts';
import type { World } from './world.ts';
import { matchFaults, ofKind } from './fault-shape.ts';

export interface StorageRequest extends Pick<PresignedPut, 'url' | 'body' | 'signal'> {
  readonly method: string;
  /** A header by its lower-case name; null if it is missing. */
  readonly header: (name: string) => string | null;
}

/** The object store, without a key of the service. Of large bodies it stores only digest and size. */
export async function answerPut(world: World, clock: Clock, request: StorageRequest): Promise<Exchange> {
  const record = openRecord(world, request);
  const exchange = await handlePut(world, clock, request, record).catch((error: unknown): Exchange => {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message } = error;
    // Assumed: the store explains errors in XML, as object stores do (VAULT-6).
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
    return { kind: 'reply', status, headers: { 'content-type': 'application/xml' }, body };
  });
  if ('status' in exchange) record.status = exchange.status;
  return exchange;
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
): Promise<Exchange> {
  const { accountId, part, length } = admitPut(world, request, record);
  const fault = ofKind(matchFaults(world, 'storage', { account_id: accountId, part: part.id }), 'storage');
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
