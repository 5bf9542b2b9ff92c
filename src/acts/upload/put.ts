import pLimit from 'p-limit';
import { CATALOGUE, type Reply } from '../../api/catalogue.ts';
import { chooseWaitMs, explainFailure } from '../../api/send-call.ts';
import { withoutSignatures } from '../../api/key.ts';
import { isUnchanged, type LocalFile } from '../../api/upload-file.ts';
import type { UploadId } from '../../domain/ids.ts';
import type { ByteFiles, ByteRange, Clock, PutAnswer, PutBytes } from '../../domain/ports.ts';

export interface PutJob {
  readonly file: LocalFile;
  /** Parts that are put at once. */
  readonly parallel: number;
  /** The progress: bytes sent, of the file's size. It returns to 0 when a put starts again. */
  readonly onBytes: (sent: number) => void;
}

export interface PutPorts {
  readonly bytes: ByteFiles;
  readonly putBytes: PutBytes;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** Aborted by an interrupt: bytes stop at once. */
  readonly interrupted: AbortSignal;
}

/** The ETag of a part, by the id that start gave it. */
export interface PartTag {
  readonly part: number;
  readonly e_tag: string;
}

/** Why an upload did not go on before its export. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  /** `unsent`: no byte arrived, put it again. `restart`: new addresses may help. `failed`: nothing helps. */
  readonly kind: 'unsent' | 'restart' | 'failed';
  constructor(message: string, kind: UploadError['kind']) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Puts all parts, some at once. One that fails stops the others, because no part of an upload is of use without the rest. The
 * file must be the same before and after, or the bytes are of two files. Throws `UploadError`, or the reason of an interrupt.
 */
export async function putFile(
  ports: PutPorts,
  { file, parallel, onBytes }: PutJob,
  { parts }: Destination,
): Promise<readonly PartTag[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ports.interrupted]);
  const failures: Error[] = [];
  let sent = 0;
  onBytes(0);
  const count = (more: number) => onBytes((sent += more));
  const tags = await pLimit(parallel).map(parts, async (part): Promise<readonly PartTag[]> => {
    if (stop.signal.aborted) return [];
    try {
      return [{ part: part.id, e_tag: await putPart(ports, file, part, signal, count) }];
    } catch (error) {
      if (error instanceof Error) failures.push(error);
      stop.abort(error);
      return [];
    }
  });
  const [first] = failures;
  if (first !== undefined) throw first;
  if (!(await isUnchanged(ports.bytes, file)))
    throw new UploadError('it changed while it was read', 'failed');
  return tags.flat();
}

/** Tries of one part while the store has seen none of its bytes. */
const UNSENT_ATTEMPTS = 4;
const FIRST_WAIT_MS = 1_000;

/**
 * Puts one range of the file to its address, and returns its ETag, verbatim. Only what certainly left no byte at the store is
 * tried again there: a connection that never came to be, and a 503 before any byte. All else needs new addresses (VAULT-7).
 */
async function putPart(
  ports: PutPorts,
  file: LocalFile,
  part: DestinationPart,
  signal: AbortSignal,
  onBytes: (more: number) => void,
): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await putOnce(ports, file, part, signal, onBytes);
    } catch (error) {
      const isUnsent = error instanceof UploadError && error.kind === 'unsent';
      if (!isUnsent || attempt >= UNSENT_ATTEMPTS || signal.aborted) throw error;
    }
    await ports.clock.sleep(chooseWaitMs(ports.random, FIRST_WAIT_MS, attempt), signal);
  }
}

async function putOnce(
  { bytes, putBytes, clock }: PutPorts,
  file: LocalFile,
  { putUrl, range }: DestinationPart,
  signal: AbortSignal,
  onBytes: (more: number) => void,
): Promise<string> {
  const watch = watchProgress(clock, signal);
  let sent = 0;
  const reading: { failure: UploadError | null } = { failure: null };
  const body = async function* (): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const step of inSteps(bytes.readBytes(file.path, range))) {
        sent += step.byteLength;
        watch.moved();
        onBytes(step.byteLength);
        yield step;
      }
      watch.moved();
      if (sent < range.length) throw new Error('it became shorter');
    } catch (error) {
      const { why } = explainFailure(error);
      reading.failure = new UploadError(`it changed or could not be read to its end: ${why}`, 'failed');
      throw error;
    }
  };
  try {
    const { contentType } = file;
    const request = { url: putUrl, contentType, length: range.length, body: body(), signal: watch.signal };
    const answer = await putBytes(request);
    if (reading.failure !== null) throw reading.failure;
    return readETag(answer, sent, range.length);
  } catch (error) {
    if (reading.failure !== null) throw reading.failure;
    if (error instanceof UploadError) throw error;
    if (watch.isStuck()) throw new UploadError(`no byte was sent for ${NO_PROGRESS_MS / 1000} s`, 'restart');
    const { why, neverLeft } = explainFailure(error);
    const isUnsent = sent === 0 && neverLeft;
    const what = isUnsent
      ? 'the object store could not be reached'
      : 'the connection to the object store broke';
    throw new UploadError(`${what}: ${withoutSignatures(why)}`, isUnsent ? 'unsent' : 'restart');
  } finally {
    watch.end();
  }
}

/** The ETag of bytes that have arrived. Throws what is wrong with an answer. */
function readETag({ status, etag, bodyText }: PutAnswer, sent: number, length: number): string {
  if (status < 200 || status >= 300) {
    const words = [`the object store answered ${status}`, readStoreMessage(bodyText)];
    const isUnsent = status === 503 && sent === 0;
    throw new UploadError(words.filter((part) => part !== '').join(': '), isUnsent ? 'unsent' : 'restart');
  }
  if (sent < length) throw new UploadError('the object store answered before it had all bytes', 'restart');
  if (etag === null || etag === '')
    throw new UploadError(
      'the object store named no ETag, and without it nothing can be exported',
      'restart',
    );
  return etag;
}

/** An object store says in XML what is wrong; nothing else of its answer is shown, because it may quote the signature. */
function readStoreMessage(xml: string): string {
  const words = ['Code', 'Message'].map((tag) => new RegExp(`<${tag}>([^<]{1,200})</${tag}>`).exec(xml)?.[1]);
  return withoutSignatures(words.filter((word) => word !== undefined).join(', ')).replace(/\p{Cc}+/gu, ' ');
}

/** A put has no total time-out, but it has to move (LIMIT-5). */
const NO_PROGRESS_MS = 60_000;

/** A signal that fires when the outer one does, or when nothing has moved for too long. */
function watchProgress(clock: Clock, outer: AbortSignal) {
  const stop = new AbortController();
  const timer = new AbortController();
  let lastMs = clock.monotonicMs();
  let isStuck = false;
  const watch = async () => {
    for (;;) {
      const leftMs = lastMs + NO_PROGRESS_MS - clock.monotonicMs();
      if (leftMs <= 0) break;
      await clock.sleep(leftMs, timer.signal);
    }
    isStuck = true;
    stop.abort(new Error('no progress'));
  };
  watch().catch(() => undefined);
  return {
    signal: AbortSignal.any([outer, stop.signal]),
    moved: () => {
      lastMs = clock.monotonicMs();
    },
    isStuck: () => isStuck,
    end: () => timer.abort(),
  };
}

/** What shows as movement. Of sixteen puts on a line of 1 Mbit/s, each moves as much in 34 s. */
const STEP_BYTES = 262_144;

async function* inSteps(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces)
    for (let at = 0; at < piece.byteLength; at += STEP_BYTES) yield piece.subarray(at, at + STEP_BYTES);
}

/** Where the bytes of one upload go. The addresses are secrets, and live no longer than this value. */
export interface Destination {
  readonly key: string;
  readonly getUrl: string;
  /** Null for a single put, which needs no finish. */
  readonly uploadId: UploadId | null;
  /** In the order of the file's bytes. */
  readonly parts: readonly DestinationPart[];
}

export interface DestinationPart {
  readonly id: number;
  readonly putUrl: string;
  readonly range: ByteRange;
}

const EXPORT = CATALOGUE['vault.upload-export'].body.shape;

/**
 * Reads what start answered (VAULT-5); its shape decides, never the size. All that finish and export will need must be
 * there now: gigabytes later would be too late. Throws `UploadError`; no byte was sent then.
 *
 * | put_url | upload_id and parts | then             |
 * |---------|---------------------|------------------|
 * | yes     | no                  | a single put     |
 * | no      | yes                 | a put for a part |
 * | both, or neither              | nothing is sent  |
 *
 * `service` is the address of the service that answered.
 */
export function readDestination(
  reply: Reply<'vault.upload-start'>,
  size: number,
  service: string,
): Destination {
  const { put_url: putUrl, upload_id: uploadId, parts, key, get_url: getUrl } = reply;
  const isSingle = isPresent(putUrl);
  if (isSingle === (isPresent(uploadId) && parts != null))
    throw unusable(isSingle ? 'both a single address and parts' : 'neither an address nor parts');
  if (!isPresent(key) || !EXPORT.key.safeParse(key).success) throw unusable('no key that can be used');
  if (!isPresent(getUrl) || !EXPORT.get_url.safeParse(getUrl).success)
    throw unusable('no get_url that can be used');
  const places = isSingle ? [{ id: 1, put_url: putUrl }] : (parts ?? []);
  for (const { put_url: url } of places) checkAddress(url, service);
  if (new Set(places.map(({ id }) => id)).size < places.length) throw unusable('two parts with one id');
  const ranges = cutFile(size, places.length);
  if (ranges === null) throw unusable(`${places.length} parts for ${size} bytes`);
  const ordered = places.toSorted((left, right) => left.id - right.id);
  return {
    key,
    getUrl,
    uploadId: isSingle ? null : (uploadId ?? ''),
    parts: ranges.flatMap((range, index) => {
      const place = ordered[index];
      return place === undefined ? [] : [{ id: place.id, putUrl: place.put_url, range }];
    }),
  };
}

function unusable(what: string): UploadError {
  return new UploadError(`the upload cannot continue: start named ${what}`, 'failed');
}

/** Files go to the store over TLS, as the requests go to the service; only a service on this machine has neither. */
function checkAddress(url: string, service: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol !== 'https:' && protocol !== 'http:')
    throw unusable('an address that is not an http or https URL');
  if (protocol === 'http:' && service.startsWith('https:'))
    throw unusable('an http address, and files go over https only');
}

function isPresent(text: string | null | undefined): text is string {
  return text != null && text !== '';
}

/** Object stores accept no smaller part, except the last one. */
const LEAST_PART_BYTES = 5 * 1_048_576;

/**
 * The ranges of a file that go to `parts` addresses, in the order of the parts; none of them is empty.
 * Assumed: the service does not say where it cuts (VAULT-8), so parts are of one size wherever that gives
 * exactly their number, and differ by one byte elsewhere. Null where there are more parts than bytes.
 */
function cutFile(size: number, parts: number): readonly ByteRange[] | null {
  if (parts < 1 || parts > size) return null;
  const even = Math.max(Math.ceil(size / parts), LEAST_PART_BYTES);
  const isEven = Math.ceil(size / even) === parts;
  const least = Math.floor(size / parts);
  let start = 0;
  return Array.from({ length: parts }, (_, index) => {
    const nearlyEqual = index < size % parts ? least + 1 : least;
    const length = isEven ? Math.min(even, size - start) : nearlyEqual;
    const range = { start, length };
    start += length;
    return range;
  });
}
