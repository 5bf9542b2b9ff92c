import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, BlockList, Socket } from 'node:net';
import type { Clock } from '../domain/ports.ts';
import type { Counters } from './counters.ts';
import { isSigned, type SignatureCheck } from './signature.ts';

/** The path before the secret. */
const EVENTS_PATH = '/events/';

export interface ReceiverOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly pathSecret: string;
  readonly signature: SignatureCheck | null;
  /** Addresses that may send; null for all. */
  readonly sources: BlockList | null;
  /** True to take the sender from the last address of `X-Forwarded-For`. */
  readonly isBehindProxy: boolean;
  readonly clock: Clock;
  readonly counters: Counters;
  /** Resolves once the body is stored. */
  readonly store: (body: Uint8Array) => Promise<void>;
  /** How long a sender may take for a whole request. Default: ten seconds. */
  readonly requestMs?: number;
}

/** A receiver that listens. */
export interface Receiver {
  /** Its address with the secret. */
  readonly url: string;
  /** Takes no more connections, and finishes what is under way. */
  stop(): Promise<void>;
}

const BODY_BYTES_MAX = 1_048_576;
/** All bodies that are being received or stored. */
const BUFFERED_BYTES_MAX = 128 * 1_048_576;
const CONNECTIONS_MAX = 1_024;
/** For the whole request. A sender that is slower is cut off. */
const REQUEST_MS_MAX = 10_000;
const HEADERS_MS_MAX = 5_000;
const CHECK_MS = 1_000;
const IDLE_MS_MAX = 30_000;
/** After this, requests that are still under way are cut off. */
const STOP_MS_MAX = 12_000;

const LEFT = new Set(['HPE_INVALID_EOF_STATE', 'ECONNRESET']);

/** Listens for events. Rejects with a Node error such as `EADDRINUSE`. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { host, port, clock, counters, pathSecret, requestMs = REQUEST_MS_MAX } = options;
  const limits = {
    requestTimeout: requestMs,
    headersTimeout: Math.min(HEADERS_MS_MAX, requestMs),
    connectionsCheckingInterval: Math.min(CHECK_MS, requestMs),
    keepAliveTimeout: IDLE_MS_MAX,
  };
  const handling = new Handling(options);
  const server = createServer(limits, (request, response) => handling.handle(request, response));
  server.maxConnections = CONNECTIONS_MAX;
  server.on('drop', () => counters.complain('overload'));
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    // A sender that leaves within a body is counted with its request.
    if (!LEFT.has(error.code ?? '')) counters.complain('cut_off');
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    else socket.destroy();
  });
  await listen(server, host, port);
  const { port: taken } = server.address() as AddressInfo;
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
  return {
    url: `${origin}${EVENTS_PATH}${pathSecret}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      handling.isStopping = true;
      server.closeIdleConnections();
      const over = new AbortController();
      await Promise.race([closed, clock.sleep(STOP_MS_MAX, over.signal).catch(() => undefined)]);
      over.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Rejects with the error of the system, such as a port in use. */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The way of one request: place, sender, body, signature, store, answer. */
class Handling {
  isStopping = false;
  readonly #options: ReceiverOptions;
  readonly #secret: Buffer;
  #buffered = 0;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#secret = sha256(options.pathSecret);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#statusOf(request)
      .then((status) => this.#answer(request, response, status))
      .catch(() => {
        // The sender closed the connection before the answer.
        this.#options.counters.complain('cut_off');
        response.destroy();
      });
  }

  #answer(request: IncomingMessage, response: ServerResponse, status: number): void {
    response.writeHead(status, {
      'content-length': 0,
      ...(request.complete && !this.isStopping ? {} : { connection: 'close' }),
      ...(status === 405 ? { allow: 'POST' } : {}),
    });
    response.end();
    request.resume();
  }

  async #statusOf(request: IncomingMessage): Promise<number> {
    if (!this.#isRightPath(request.url ?? '')) return this.#refuse('wrong_path', 404);
    if (request.method !== 'POST') return this.#refuse('wrong_method', 405);
    if (!this.#isFromSource(request)) return this.#refuse('wrong_source', 403);
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > BODY_BYTES_MAX) return this.#refuse('too_large', 413);
    const read = await readBody(request, (bytes) => {
      this.#buffered += bytes;
      return this.#buffered <= BUFFERED_BYTES_MAX;
    });
    try {
      if (read.body === null) return this.#refuse(read.refused, read.refused === 'overload' ? 503 : 413);
      return await this.#statusOfBody(request, read.body);
    } finally {
      // Until its answer: a body that waits for the disk needs memory too.
      this.#buffered -= read.bytes;
    }
  }

  async #statusOfBody(request: IncomingMessage, body: Uint8Array): Promise<number> {
    const { counters, signature, clock, store } = this.#options;
    counters.count('received');
    if (signature !== null) {
      const header = request.headers[signature.header];
      const text = Array.isArray(header) ? header[0] : header;
      if (!isSigned(signature, text, body, clock.now())) return this.#refuse('wrong_signature', 401);
    }
    try {
      await store(body);
      return 200;
    } catch {
      return this.#refuse('not_stored', 503);
    }
  }

  #refuse(what: Parameters<Counters['complain']>[0], status: number): number {
    this.#options.counters.complain(what);
    return status;
  }

  /** Digests have the same length, so the time tells nothing about the secret. */
  #isRightPath(url: string): boolean {
    const [path = ''] = url.split('?', 1);
    const given = path.startsWith(EVENTS_PATH) ? path.slice(EVENTS_PATH.length) : '';
    return timingSafeEqual(sha256(given), this.#secret);
  }

  #isFromSource(request: IncomingMessage): boolean {
    const { sources, isBehindProxy } = this.#options;
    if (sources === null) return true;
    const forwarded = String(request.headers['x-forwarded-for'] ?? '');
    const peer = request.socket.remoteAddress ?? '';
    const address = isBehindProxy ? withoutPort(forwarded.split(',').at(-1) ?? '') : peer;
    const plain = address.replace(/^::ffff:(?=[\d.]+$)/, '');
    return sources.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
  }
}

/** Some proxies add the port of the sender: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(address: string): string {
  return address.trim().replace(/^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/, '$1$2');
}

type ReadBody =
  | { readonly bytes: number; readonly body: Uint8Array }
  | { readonly bytes: number; readonly body: null; readonly refused: 'too_large' | 'overload' };

/**
 * The body, as long as there is memory for it. The rest of a refused one is read and thrown away: a sender that is cut
 * off would not see the answer. Rejects if the sender leaves before its end, with the memory given back.
 */
function readBody(request: IncomingMessage, take: (bytes: number) => boolean): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    let isOver = false;
    const onData = (piece: Buffer) => {
      bytes += piece.length;
      const isFree = take(piece.length);
      if (isFree && bytes <= BODY_BYTES_MAX) return void pieces.push(piece);
      isOver = true;
      request.off('data', onData);
      request.resume();
      resolve({ bytes, body: null, refused: isFree ? 'too_large' : 'overload' });
    };
    request.on('data', onData);
    request.on('end', () => {
      if (!isOver) resolve({ bytes, body: Buffer.concat(pieces) });
      isOver = true;
    });
    request.on('close', () => {
      if (isOver) return;
      isOver = true;
      take(-bytes);
      reject(new Error('the sender left'));
    });
    request.on('error', () => undefined);
  });
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
