import { deepestMessage, wasNeverSent } from '../../api/exchange.ts';
import { withoutSignatures } from '../../api/presigned.ts';
import type { Clock, PutAnswer } from '../../domain/ports.ts';
import type { DestinationPart } from './destination.ts';
import type { LocalFile } from './local-file.ts';
import { inSteps } from './steps.ts';
import type { UploadPorts } from './upload.ts';

/** Bytes that arrived, and the store's word for them, verbatim. */
export interface PutDone {
  readonly eTag: string;
}

/** A put that ended badly. */
export class PutError extends Error {
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

type PutPorts = Pick<UploadPorts, 'bytes' | 'putBytes' | 'clock' | 'random'>;

/**
 * Puts one range of the file to its address. Only what certainly left no byte at the store is tried again there:
 * a connection that never came to be, and a 503 before any byte. All else needs new addresses
 * (VAULT-7). Throws `PutError`, or the signal's reason.
 */
export async function putPart(
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
        `the file changed or could not be read to its end: ${deepestMessage(error)}`,
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
    const unsent = sent === 0 && wasNeverSent(error);
    const why = withoutSignatures(deepestMessage(error));
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
  const words = [`the object store answered ${status}`, storeWords(bodyText)].filter((part) => part !== '');
  return lost(words.join(': '), true, status === 503 && sent === 0);
}

/** An object store says in XML what is wrong; nothing else of its answer is shown, because it may quote the signature. */
function storeWords(xml: string): string {
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
