import { CATALOGUE, type Reply } from '../../api/catalogue.ts';
import { classifySendError, describeError } from '../../api/exchange.ts';
import { withoutSignatures } from '../../api/key.ts';
import { isUnchanged, type LocalFile } from '../../api/upload-file.ts';
import type { UploadId } from '../../domain/ids.ts';
import type { ByteFiles, ByteRange, Clock, PutAnswer, PutBytes } from '../../domain/ports.ts';
import pLimit from 'p-limit';

/** What is put, and how. */
export interface PutJob {
  readonly file: LocalFile;
  /** Parts that are put at once. */
  readonly parallel: number;
  /** The progress: bytes sent, of the file's size. It returns to 0 when a put starts again. */
  readonly onBytes: (sent: number) => void;
}

/** What it takes to put bytes. */
export interface PutPorts {
  readonly bytes: ByteFiles;
  readonly putBytes: PutBytes;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** Aborted by an interrupt: bytes stop at once. */
  readonly interrupted: AbortSignal;
}

/** How the put of a whole file ended. */
export type FilePut =
  /** The ETag of each part, by the id that start gave it. */
  | { readonly kind: 'done'; readonly eTags: readonly { readonly part: number; readonly e_tag: string }[] }
  /** New addresses may help. */
  | { readonly kind: 'restart'; readonly why: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'interrupted' };

/**
 * Puts all parts, some at once. One that fails stops the others, because no part of an upload is of use without
 * the rest. The file must be the same before and after, or the bytes are of two files.
 */
export async function putFile(ports: PutPorts, job: PutJob, destination: Destination): Promise<FilePut> {
  const { file, parallel, onBytes } = job;
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ports.interrupted]);
  const done: PutDone[] = [];
  let sent = 0;
  let failure: unknown = null;
  onBytes(0);
  const count = (more: number) => onBytes((sent += more));
  await pLimit(parallel).map(destination.parts, async (part, index) => {
    if (stop.signal.aborted) return;
    try {
      done[index] = await putPart(ports, file, part, signal, count);
    } catch (error) {
      failure ??= error;
      stop.abort(error);
    }
  });
  if (failure !== null) return describeFailure(ports, file.path, failure);
  if (!(await isUnchanged(ports.bytes, file)))
    return { kind: 'failed', message: `${file.path} changed while it was read` };
  const eTags = destination.parts.flatMap(({ id }, index) => {
    const eTag = done[index]?.eTag;
    return eTag === undefined ? [] : [{ part: id, e_tag: eTag }];
  });
  return { kind: 'done', eTags };
}

function describeFailure({ interrupted }: PutPorts, path: string, error: unknown): FilePut {
  if (interrupted.aborted) return { kind: 'interrupted' };
  if (!(error instanceof PutError)) throw error;
  if (error.mayRestart) return { kind: 'restart', why: error.message };
  return { kind: 'failed', message: `${path}: ${error.message}` };
}

/** Bytes that arrived, and the store's word for them, verbatim. */
interface PutDone {
  readonly eTag: string;
}

/** A put that ended badly. */
class PutError extends Error {
  override readonly name = 'PutError';
  /** Whether a new start may help; otherwise it is the file or the network that is to blame. */
  readonly mayRestart: boolean;
  constructor(message: string, mayRestart: boolean) {
    super(message);
    this.mayRestart = mayRestart;
  }
}

/** Tries of one part while the store has seen none of its bytes. */
const UNSENT_ATTEMPTS = 4;
const FIRST_WAIT_MS = 1_000;

/** A put has no total time-out, but it has to move (LIMIT-5). */
const NO_PROGRESS_MS = 60_000;

/**
 * Puts one range of the file to its address. Only what certainly left no byte at the store is tried again there:
 * a connection that never came to be, and a 503 before any byte. All else needs new addresses
 * (VAULT-7). Throws `PutError`, or the signal's reason.
 */
async function putPart(
  ports: PutPorts,
  file: LocalFile,
  part: DestinationPart,
  signal: AbortSignal,
  onBytes: (more: number) => void,
): Promise<PutDone> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await putOnce(ports, file, part, signal, onBytes);
    if (!('problem' in result)) return result;
    signal.throwIfAborted();
    if (!result.unsent || attempt >= UNSENT_ATTEMPTS) throw result.problem;
    const wait = FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + ports.random() / 4);
    await ports.clock.sleep(wait, signal);
  }
}

interface Failed {
  readonly problem: PutError;
  /** The store has seen no byte of it. */
  readonly unsent: boolean;
}

async function putOnce(
  { bytes, putBytes, clock }: PutPorts,
  file: LocalFile,
  { putUrl, range }: DestinationPart,
  signal: AbortSignal,
  onBytes: (more: number) => void,
): Promise<PutDone | Failed> {
  const watch = watchProgress(clock, signal);
  let sent = 0;
  let readProblem: PutError | null = null;
  const body = async function* (): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const step of inSteps(bytes.readBytes(file.path, range), clock)) {
        sent += step.byteLength;
        watch.moved();
        onBytes(step.byteLength);
        yield step;
      }
      watch.moved();
      if (sent < range.length) throw new Error('it became shorter');
    } catch (error) {
      readProblem = new PutError(
        `the file changed or could not be read to its end: ${describeError(error)}`,
        false,
      );
      throw error;
    }
  };
  try {
    const answer = await putBytes({
      url: putUrl,
      contentType: file.contentType,
      length: range.length,
      body: body(),
      signal: watch.signal,
    });
    if (readProblem !== null) return { problem: readProblem, unsent: false };
    return understand(answer, sent, range.length) ?? { eTag: answer.etag ?? '' };
  } catch (error) {
    if (readProblem !== null) return { problem: readProblem, unsent: false };
    if (watch.stuck()) return lost(`no byte was sent for ${NO_PROGRESS_MS / 1000} s`, true);
    const { kind, why: told } = classifySendError(error);
    const unsent = sent === 0 && kind === 'never_sent';
    const why = withoutSignatures(told);
    return unsent
      ? { problem: new PutError(`the object store could not be reached: ${why}`, false), unsent }
      : lost(`the connection to the object store broke: ${why}`, true);
  } finally {
    watch.end();
  }
}

function lost(what: string, mayRestart: boolean, unsent = false): Failed {
  return { problem: new PutError(what, mayRestart), unsent };
}

/** What is wrong with an answer; null when the bytes have arrived. */
function understand({ status, etag, bodyText }: PutAnswer, sent: number, length: number): Failed | null {
  if (status >= 200 && status < 300) {
    if (sent < length) return lost('the object store answered before it had all bytes', true);
    return etag === null || etag === ''
      ? lost('the object store named no ETag, and without it nothing can be exported', true)
      : null;
  }
  const words = [`the object store answered ${status}`, readStoreMessage(bodyText)].filter(
    (part) => part !== '',
  );
  return lost(words.join(': '), true, status === 503 && sent === 0);
}

/** An object store says in XML what is wrong; nothing else of its answer is shown, because it may quote the signature. */
function readStoreMessage(xml: string): string {
  const words = ['Code', 'Message'].map((tag) => new RegExp(`<${tag}>([^<]{1,200})</${tag}>`).exec(xml)?.[1]);
  return withoutSignatures(words.filter((word) => word !== undefined).join(', ')).replace(/\p{Cc}+/gu, ' ');
}

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
    stuck: () => isStuck,
    end: () => timer.abort(),
  };
}

/**
 * The least that is handed to the socket at once, and so the least that shows as movement. Eight puts may share a
 * line: at 1 Mbit/s each of them moves as much in 17 s.
 */
const LEAST_BYTES = 262_144;
/** Where a step takes less, larger ones go: small ones cost speed. */
const QUICK_MS = 25;
/** The socket swallows the first bytes at any speed, so a step is this small a part of what has left before it. */
const SENT_PER_STEP = 8;

/**
 * The pieces of a file in steps that a slow line takes well within a minute, and a fast one as they are. All but the
 * last are whole multiples of the least as long as the pieces are: a socket keeps no small rest back while it asks for
 * more, so that a lent piece has left it in time.
 */
async function* inSteps(
  pieces: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'monotonicMs'>,
): AsyncGenerator<Uint8Array, void> {
  let sent = 0;
  let size = LEAST_BYTES;
  for await (const piece of pieces) {
    let at = 0;
    while (at < piece.byteLength) {
      const step = piece.subarray(at, at + size);
      const handedMs = clock.monotonicMs();
      yield step;
      at += step.byteLength;
      sent += step.byteLength;
      const isQuick = clock.monotonicMs() - handedMs < QUICK_MS;
      const wanted = isQuick ? Math.floor(sent / SENT_PER_STEP / LEAST_BYTES) : 1;
      size = Math.max(1, wanted) * LEAST_BYTES;
    }
  }
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
 * there now: gigabytes later would be too late.
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
): Destination | { readonly problem: string } {
  const { put_url: putUrl, upload_id: uploadId, parts, key, get_url: getUrl } = reply;
  const single = present(putUrl);
  const multipart = present(uploadId) && parts != null;
  if (single === multipart)
    return {
      problem: `start named ${single ? 'both a single address and parts' : 'neither an address nor parts'}`,
    };
  if (!EXPORT.key.safeParse(key).success || !present(key))
    return { problem: 'start named no key that can be used, and without it nothing can be exported' };
  if (!EXPORT.get_url.safeParse(getUrl).success || !present(getUrl))
    return { problem: 'start named no get_url that can be used, and without it nothing can be exported' };
  const places = single ? [{ id: 1, put_url: putUrl ?? '' }] : (parts ?? []);
  const problem = addressProblem(
    places.map(({ put_url: url }) => url),
    service,
  );
  if (problem !== null) return { problem };
  return cutFor(places, size, { key, getUrl, uploadId: single ? null : (uploadId ?? '') });
}

/** Files go to the store over TLS, as the requests go to the service; only a service on this machine has neither. */
function addressProblem(urls: readonly string[], service: string): string | null {
  const protocols = urls.map(readProtocol);
  if (!protocols.every((protocol) => protocol === 'https:' || protocol === 'http:'))
    return 'start named an address that is not an http or https URL';
  const isPlain = protocols.includes('http:') && service.startsWith('https:');
  return isPlain ? 'start named an http address, and files go over https only' : null;
}

function cutFor(
  places: readonly { readonly id: number; readonly put_url: string }[],
  size: number,
  rest: Omit<Destination, 'parts'>,
): Destination | { readonly problem: string } {
  if (new Set(places.map(({ id }) => id)).size < places.length)
    return { problem: 'start named two parts with one id' };
  const ranges = cutFile(size, places.length);
  if (ranges === null) return { problem: `start named ${places.length} parts for ${size} bytes` };
  const ordered = places.toSorted((left, right) => left.id - right.id);
  const parts = ranges.flatMap((range, index) => {
    const place = ordered[index];
    return place === undefined ? [] : [{ id: place.id, putUrl: place.put_url, range }];
  });
  return { ...rest, parts };
}

function present(text: string | null | undefined): text is string {
  return text != null && text !== '';
}

function readProtocol(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

/** Object stores accept no smaller part, except the last one. */
const LEAST_PART_BYTES = 5 * 1_048_576;

/**
 * The ranges of a file that go to `parts` addresses, in the order of the parts; none of them is empty.
 * Assumed: the service does not say where it cuts (VAULT-8), so parts are of one size wherever that gives
 * exactly their number, and differ by one byte elsewhere. Null where there are more parts than bytes.
 */
export function cutFile(size: number, parts: number): readonly ByteRange[] | null {
  if (parts < 1 || parts > size) return null;
  const even = Math.max(Math.ceil(size / parts), LEAST_PART_BYTES);
  const lengths =
    Math.ceil(size / even) === parts
      ? Array.from({ length: parts }, (_, index) => Math.min(even, size - index * even))
      : balanced(size, parts);
  let start = 0;
  return lengths.map((length) => {
    const range = { start, length };
    start += length;
    return range;
  });
}

function balanced(size: number, parts: number): readonly number[] {
  const least = Math.floor(size / parts);
  return Array.from({ length: parts }, (_, index) => (index < size % parts ? least + 1 : least));
}
