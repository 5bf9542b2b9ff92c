import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a signature can be written, behind `sha256=` or alone. The real scheme is not known (EVENT-1). */
export const SIGNATURE_FORMATS = ['hex', 'base64'] as const;
export const SIGNATURE_ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;

export interface SignatureCheck {
  /** In lower case. */
  readonly header: string;
  readonly algorithm: (typeof SIGNATURE_ALGORITHMS)[number];
  readonly format: (typeof SIGNATURE_FORMATS)[number];
  readonly secret: string;
}

export type ReceiverProblem =
  'not_stored' | 'wrong_signature' | 'wrong_path' | 'wrong_method' | 'too_large' | 'cut_off';

export interface ReceiverOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly pathSecret: string;
  readonly signature: SignatureCheck | null;
  /** Resolves once the body is stored. */
  readonly store: (body: Uint8Array) => Promise<unknown>;
  /** Whether events can be stored now, for `/healthz`. */
  readonly isHealthy: () => boolean;
  readonly report: (problem: ReceiverProblem) => void;
  /** How long a sender may take for a whole request. Default: ten seconds. */
  readonly requestMs?: number;
}

/** The path before the secret. */
export const EVENTS_PATH = '/events/';
export const HEALTH_PATH = '/healthz';

const BODY_BYTES_MAX = 1_048_576;
/** Each may have a whole body in memory. */
const CONNECTIONS_MAX = 256;
/** For the whole request. A sender that is slower is cut off. */
const REQUEST_MS_MAX = 10_000;
const CHECK_MS = 1_000;

const STATUSES: Readonly<Record<ReceiverProblem, number>> = {
  wrong_path: 404,
  wrong_method: 405,
  too_large: 413,
  wrong_signature: 401,
  not_stored: 503,
  cut_off: 400,
};

/** Listens for events. */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #server: Server;

  private constructor(options: ReceiverOptions) {
    const { requestMs = REQUEST_MS_MAX } = options;
    const limits = {
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(CHECK_MS, requestMs),
    };
    this.#options = options;
    this.#server = createServer(limits, (request, response) => void this.#answer(request, response));
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /** Rejects with a Node error such as `EADDRINUSE`. */
  static async start(options: ReceiverOptions): Promise<Receiver> {
    const receiver = new Receiver(options);
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject);
      receiver.#server.listen(options.port, options.host, resolve);
    });
    return receiver;
  }

  /** Its address, without a path. */
  get origin(): string {
    const { host } = this.#options;
    const { port } = this.#server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** Takes no more connections, and finishes what is under way, which ends within the time of a request. */
  stop(): Promise<void> {
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }

  /** The way of one request: path, method, body, signature, store, answer. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { report } = this.#options;
    try {
      const outcome = await this.#chooseOutcome(request);
      if (typeof outcome === 'string') report(outcome);
      const status = typeof outcome === 'string' ? STATUSES[outcome] : outcome;
      // A sender that keeps its connection would delay the stop.
      const endsConnection = !request.complete || !this.#server.listening;
      response.writeHead(status, {
        'content-length': 0,
        ...(endsConnection ? { connection: 'close' } : {}),
        ...(status === 405 ? { allow: 'POST' } : {}),
      });
      response.end();
      // A sender that is cut off within its body would not see the answer.
      request.resume();
    } catch {
      // The sender closed the connection before the answer.
      report('cut_off');
      response.destroy();
    }
  }

  async #chooseOutcome(request: IncomingMessage): Promise<number | ReceiverProblem> {
    const { pathSecret, signature, store, isHealthy } = this.#options;
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === HEALTH_PATH) return isHealthy() ? 200 : 503;
    const given = path.startsWith(EVENTS_PATH) ? path.slice(EVENTS_PATH.length) : '';
    // Digests have the same length, so the time tells nothing about the secret.
    if (!timingSafeEqual(hashText(given), hashText(pathSecret))) return 'wrong_path';
    if (request.method !== 'POST') return 'wrong_method';
    const body = await readBody(request);
    if (body === null) return 'too_large';
    if (signature !== null && !isSigned(signature, request, body)) return 'wrong_signature';
    return store(body).then(
      () => 200,
      () => 'not_stored',
    );
  }
}

/** The body; null if it is too large. Rejects if the sender leaves before its end. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) return null;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    pieces.push(piece as Uint8Array);
    bytes += (piece as Uint8Array).length;
    if (bytes > BODY_BYTES_MAX) return null;
  }
  return Buffer.concat(pieces);
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Whether the request has the signature of its body. The comparison takes equally long whatever differs. */
function isSigned(
  { header, algorithm, format, secret }: SignatureCheck,
  { headers }: IncomingMessage,
  body: Uint8Array,
): boolean {
  const text = String(headers[header] ?? '');
  const given = text.startsWith(`${algorithm}=`) ? text.slice(algorithm.length + 1) : text;
  const sent = Buffer.from(given, format);
  const wanted = createHmac(algorithm, secret).update(body).digest();
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
