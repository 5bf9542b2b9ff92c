import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { explainFailure } from '../../src/api/send-call.ts';
import { withoutSignatures } from '../../src/api/key.ts';
import { createPresignedTransport } from '../../src/api/transport.ts';
import { aClosedPort, anHttpServer } from './wire.ts';

/** An object store of a few lines on a socket, for what the simulator's would never do. */
async function aStore(
  answer: (response: ServerResponse) => void,
  onRequest: (request: IncomingMessage, response: ServerResponse) => boolean = () => true,
) {
  /** Each put that came whole. */
  const arrivals: { readonly request: IncomingMessage; readonly size: number; readonly sha256: string }[] =
    [];
  const { url } = await anHttpServer((request, response) => {
    if (!onRequest(request, response)) return;
    const hash = createHash('sha256');
    let size = 0;
    request.on('data', (piece: Buffer) => {
      size += piece.byteLength;
      hash.update(piece);
    });
    request.on('end', () => {
      arrivals.push({ request, size, sha256: hash.digest('hex') });
      answer(response);
    });
  });
  return { url, arrivals };
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array, void> {
  for (const text of texts) yield Buffer.from(text);
}

/** Puts a body to the store. */
const putTo = (
  url: string,
  length: number,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal = new AbortController().signal,
) => createPresignedTransport()({ url, contentType: 'video/mp4', length, body, signal });

describe('a put to a presigned address', () => {
  it('brings the bytes with their exact length and type, and the ETag back verbatim', async () => {
    const store = await aStore((response) => response.setHeader('ETag', '"a-b"').end());
    const url = `${store.url}/bucket/key?X-Signature=secret`;
    const answer = await putTo(url, 11, pieces('hello', ' ', 'world'));
    expect(answer).toEqual({ status: 200, etag: '"a-b"', bodyText: '' });
    const [arrival] = store.arrivals;
    expect(arrival).toMatchObject({
      request: { method: 'PUT', url: '/bucket/key?X-Signature=secret' },
      size: 11,
      sha256: createHash('sha256').update('hello world').digest('hex'),
    });
    expect(arrival?.request.headers).toEqual({
      host: store.url.slice('http://'.length),
      connection: expect.any(String),
      'content-type': 'video/mp4',
      'content-length': '11',
    });
  });

  // VAULT-6
  it('follows no redirect', async () => {
    const store = await aStore((response) => response.writeHead(307, { location: '/elsewhere' }).end());
    const answer = await putTo(`${store.url}/x`, 1, pieces('x'));
    expect(answer).toMatchObject({ status: 307, etag: null });
    expect(store.arrivals).toHaveLength(1);
  });

  it('reads nothing of the file where no connection comes to be, and says so', async () => {
    let read = false;
    const body = async function* () {
      read = true;
      yield Buffer.from('x');
    };
    const failure = await putTo(`http://127.0.0.1:${await aClosedPort()}/x`, 1, body()).catch(
      (error: unknown) => error,
    );
    expect(explainFailure(failure).neverLeft).toBe(true);
    expect(read).toBe(false);
  });

  it('rejects when the store resets the line in the middle', async () => {
    const store = await aStore(
      () => undefined,
      (request) => {
        request.once('data', () => request.socket.resetAndDestroy());
        return false;
      },
    );
    const body = pieces(...Array<string>(50).fill('x'.repeat(1_000_000)));
    const failure: unknown = await putTo(`${store.url}/x`, 50_000_000, body).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(explainFailure(failure).neverLeft).toBe(false);
  });

  it('rejects when the file ends early or cannot be read, and sends nothing that looks whole', async () => {
    const store = await aStore((response) => response.setHeader('ETag', '"x"').end());
    const broken = async function* () {
      yield Buffer.from('x');
      throw new Error('EIO: the disk is gone');
    };
    await expect(putTo(`${store.url}/x`, 5, broken())).rejects.toThrow('EIO');
    await expect(putTo(`${store.url}/x`, 5, pieces('x'))).rejects.toThrow('body length');
    expect(store.arrivals).toEqual([]);
  });

  it('lets the memory of a piece be used again once the next one is asked for, however slowly the store reads', async () => {
    const store = await aStore(
      (response) => response.setHeader('ETag', '"x"').end(),
      (request) => {
        request.on('data', () => {
          request.pause();
          setImmediate(() => setImmediate(() => request.resume()));
        });
        return true;
      },
    );
    const size = 2 ** 18;
    const count = 64;
    const whole = createHash('sha256');
    const lent = async function* () {
      const memory = Buffer.alloc(size);
      for (let number = 0; number < count; number += 1) {
        memory.fill(number);
        whole.update(memory);
        yield memory;
      }
    };
    await putTo(`${store.url}/x`, size * count, lent());
    expect(store.arrivals[0]?.sha256).toBe(whole.digest('hex'));
  });

  it('ends at once when it is aborted', async () => {
    const store = await aStore(() => undefined);
    const stop = new AbortController();
    const waiting = putTo(`${store.url}/x`, 1, pieces('x'), stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('a presigned address in a text', () => {
  it('loses its query, wherever it stands', () => {
    const value = {
      what: 'GET "https://s.example/a/b?X-Sig=secret&e=1" was refused',
      list: ['see http://s/x?y=secret.'],
      count: 3,
      none: null,
    };
    expect(withoutSignatures(value)).toEqual({
      what: 'GET "https://s.example/a/b?…" was refused',
      list: ['see http://s/x?…'],
      count: 3,
      none: null,
    });
  });

  it.each([
    ['a quote in its query', "https://s/x?f='a.jpg'&X-Sig=secret ends", 'https://s/x?… ends'],
    ['quotes around it', "GET 'https://s/x?X-Sig=secret' was refused", "GET 'https://s/x?…' was refused"],
    ['a name and a word before its host', 'https://user:secret@s/x failed', 'https://…@s/x failed'],
    ['JSON slashes', String.raw`{"u":"https:\/\/s\/x?X-Sig=secret"}`, String.raw`{"u":"https:\/\/s\/x?…"}`],
    ['an ampersand of JSON', String.raw`"https://s/x?a=1\u0026X-Amz-Signature=secret"`, '"https://s/x?…"'],
    ['only its end left', 'query: a=1&X-Amz-Signature=secret&b=2', 'query: a=1&X-Amz-Signature=…&b=2'],
  ])('is not a secret any more with %s', (_, text, masked) => {
    expect(withoutSignatures(text)).toBe(masked);
  });
});
