import { describe, expect, it } from 'vitest';
import { NEVER_CONNECTED_CODE, type PresignedPut, type PutAnswer } from '../../../src/domain/ports.ts';
import { cutFile, type Destination } from '../../../src/api/upload-destination.ts';
import { putFile } from '../../../src/acts/upload/put.ts';
import { flowClock } from '../../helpers/flow-clock.ts';
import { JPEG, mediaOf } from '../../helpers/media.ts';
import { memoryBytes } from '../../helpers/memory-bytes.ts';

const OK: PutAnswer = { status: 200, etag: '"e"', bodyText: '' };

interface Setup {
  readonly content?: Uint8Array;
  readonly parts?: number;
  readonly parallel?: number;
  readonly store: (put: PresignedPut, nth: number) => Promise<PutAnswer>;
}

/** Puts one file to a store of a few lines, on a clock that jumps. */
function aPut({ content = mediaOf(JPEG, 10_000), parts = 1, parallel = 4, store }: Setup) {
  const bytes = memoryBytes({ 'a.jpg': content });
  const clock = flowClock(0);
  const interrupt = new AbortController();
  const urls: string[] = [];
  const sent: number[] = [];
  const putBytes = async (put: PresignedPut) => {
    urls.push(put.url);
    return store(put, urls.length);
  };
  const ports = { bytes, clock, putBytes, random: () => 0, interrupted: interrupt.signal };
  const file = {
    path: 'a.jpg',
    name: 'a.jpg',
    size: content.byteLength,
    contentType: 'image/jpeg',
    changedMs: 1000,
  };
  const destination: Destination = {
    key: 'k',
    getUrl: 'https://store/get',
    uploadId: parts === 1 ? null : 'u',
    parts: (cutFile(content.byteLength, parts) ?? []).map((range, index) => ({
      id: index + 1,
      putUrl: `https://store/${index + 1}?sig=secret`,
      range,
    })),
  };
  const job = { file, parallel, onBytes: (count: number) => sent.push(count) };
  const run = () => putFile(ports, job, destination);
  return { run, bytes, clock, urls, sent, interrupt };
}

async function all(put: PresignedPut): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of put.body) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

/** How the kernel gives up an open connection. */
const UNREACHABLE = Object.assign(new Error('read EHOSTUNREACH'), { code: 'EHOSTUNREACH', syscall: 'read' });

describe('putting a file', () => {
  // VAULT-6
  it('gives the ETag verbatim and says how much has left', async () => {
    const content = mediaOf(JPEG, 10_000);
    const { run, sent } = aPut({
      content,
      store: async (put) => ({ ...OK, etag: `"${(await all(put)).length}"` }),
    });
    expect(await run()).toEqual({
      kind: 'done',
      eTags: [{ part: 1, e_tag: '"10000"' }],
    });
    expect(sent).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000]);
  });

  it('keeps each part with its ETag when the answers come out of order, a few at once', async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const { run } = aPut({
      parts: 6,
      parallel: 3,
      store: async (put, nth) => {
        most = Math.max(most, (open += 1));
        await all(put);
        // Every second one waits until the one after it has been answered.
        if (nth % 2 === 1) await new Promise<void>((resolve) => waiting.push(resolve));
        else waiting.shift()?.();
        open -= 1;
        return { ...OK, etag: `"${put.url.slice(14, 15)}"` };
      },
    });
    const put = await run();
    expect(put.kind === 'done' && put.eTags).toEqual(
      [1, 2, 3, 4, 5, 6].map((id) => ({ part: id, e_tag: `"${id}"` })),
    );
    expect(most).toBe(3);
  });

  it('tries the same address again after a 503 before any byte, and after no connection', async () => {
    const refusals: (() => Promise<PutAnswer>)[] = [
      async () => ({ status: 503, etag: null, bodyText: '' }),
      () => Promise.reject(Object.assign(new Error('no one there'), { code: NEVER_CONNECTED_CODE })),
    ];
    const { run, urls, clock } = aPut({
      store: async (put) => refusals.shift()?.() ?? (await all(put), OK),
    });
    expect((await run()).kind).toBe('done');
    expect(urls).toHaveLength(3);
    expect(clock.monotonicMs()).toBe(3000);
  });

  it.each<readonly [string, (put: PresignedPut) => Promise<PutAnswer>, RegExp]>([
    ['a 503 after bytes', async (put) => (await all(put), { ...OK, status: 503 }), /answered 503/],
    ['an expired address', async (put) => (await all(put), { ...OK, status: 403 }), /answered 403/],
    ['a redirect', async (put) => (await all(put), { ...OK, status: 301 }), /answered 301/],
    // VAULT-6
    ['a missing ETag', async (put) => (await all(put), { ...OK, etag: null }), /no ETag/],
    ['an answer before all bytes', async () => OK, /before it had all bytes/],
    ['a reset', (put) => all(put).then(() => Promise.reject(new Error('ECONNRESET'))), /broke: ECONNRESET/],
    [
      'an open connection that ends before any byte',
      () => Promise.reject(UNREACHABLE),
      /broke: the network does not reach the server \(EHOSTUNREACH\)/,
    ],
  ])('asks for a new start after %s, and does not use the address again', async (_, store, why) => {
    const { run, urls } = aPut({ store });
    expect(await run()).toEqual({ kind: 'restart', why: expect.stringMatching(why) });
    expect(urls).toHaveLength(1);
  });

  it('ends where the store cannot be reached, after four tries', async () => {
    const { run, urls } = aPut({
      store: () =>
        Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })),
    });
    expect(await run()).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining(
        'could not be reached: the host name of the address was not found (ENOTFOUND)',
      ),
    });
    expect(urls).toHaveLength(4);
  });

  it('gives a put up when nothing moves for a minute, however long it took before', async () => {
    const { run, clock } = aPut({
      store: async (put) => {
        for await (const _ of put.body) await clock.sleep(50_000);
        return new Promise((_, reject) =>
          put.signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
    });
    expect(await run()).toEqual({ kind: 'restart', why: 'no byte was sent for 60 s' });
    expect(clock.monotonicMs()).toBe(10 * 50_000 + 60_000);
  });

  it('goes on over a line so slow that a minute brings only a part of what is read at once', async () => {
    const { run, bytes, clock } = aPut({
      content: mediaOf(JPEG, 2_097_152),
      store: async (put) => {
        for await (const piece of put.body) {
          // An eighth of 1 Mbit/s.
          await clock.sleep((piece.byteLength / 15_625) * 1000);
          put.signal.throwIfAborted();
        }
        return OK;
      },
    });
    bytes.pieceBytes = 2_097_152;
    expect((await run()).kind).toBe('done');
  });

  it('stops the other parts when one fails', async () => {
    let aborted = 0;
    const { run } = aPut({
      parts: 4,
      store: async (put, nth) => {
        if (nth === 4) return { status: 500, etag: null, bodyText: '' };
        return new Promise((_, reject) =>
          put.signal.addEventListener('abort', () => {
            aborted += 1;
            reject(new Error('aborted'));
          }),
        );
      },
    });
    expect(await run()).toEqual({ kind: 'restart', why: 'the object store answered 500' });
    expect(aborted).toBe(3);
  });

  it('shows the code and words of the store and nothing that quotes the signature', async () => {
    const bodyText =
      '<Error><Code>SignatureDoesNotMatch</Code><Message>It does not match https://s/k?sig=secret</Message><StringToSign>secret</StringToSign></Error>';
    const { run } = aPut({ store: async (put) => (await all(put), { status: 403, etag: null, bodyText }) });
    expect(await run()).toEqual({
      kind: 'restart',
      why: 'the object store answered 403: SignatureDoesNotMatch, It does not match https://s/k?…',
    });
  });
});

describe('a file that changes while it is put', () => {
  const ends = async ({ run }: ReturnType<typeof aPut>) => {
    const result = await run();
    return 'message' in result ? `${result.kind}: ${result.message}` : result.kind;
  };

  it('is given up when it became shorter', async () => {
    const put = aPut({ store: async (one) => (await all(one), OK) });
    put.bytes.onPiece = () => (put.bytes.blobs['a.jpg'] = mediaOf(JPEG, 5000));
    expect(await ends(put)).toMatch(/^failed: a.jpg: the file changed .* became shorter/);
  });

  it('is given up when it was written again, even with as many bytes', async () => {
    const put = aPut({
      store: async (one) => {
        await all(one);
        put.bytes.changedMs['a.jpg'] = 2000;
        return OK;
      },
    });
    expect(await ends(put)).toContain('failed: a.jpg changed while it was read');
  });

  it('is given up when it is gone', async () => {
    const put = aPut({ store: async (one) => (await all(one), OK) });
    delete put.bytes.blobs['a.jpg'];
    expect(await ends(put)).toContain('failed: a.jpg: the file changed or could not be read');
  });

  it('is let go at once by an interrupt', async () => {
    const put = aPut({
      store: (one) =>
        new Promise((_, reject) => {
          const abort = () => reject(new Error('aborted'));
          if (one.signal.aborted) abort();
          else one.signal.addEventListener('abort', abort);
        }),
    });
    const running = ends(put);
    put.interrupt.abort(new Error('interrupted'));
    expect(await running).toBe('interrupted');
  });
});
