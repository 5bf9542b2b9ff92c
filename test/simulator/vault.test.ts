import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ModeChanges } from '../../src/simulator/modes.ts';
import { putInProcess, type StorageRequest } from '../../src/simulator/uploads.ts';
import { aVisit, itemsOf, type Json } from './visit.ts';

const VAULT = '/api/v0/accounts/101/vault';
const UPLOADS = `${VAULT}/medias/uploads`;
const A_FILE: Json = { name: 'beach.jpg', size: 5, content_type: 'image/jpeg' };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const IN_PARTS = { uploadShape: 'multipart', uploadPartBytes: 2 } as const;
const never = new AbortController().signal;

/** What start answered, whichever shape it had. */
interface Started {
  readonly key: string;
  readonly get_url: string;
  readonly put_url: string;
  readonly upload_id: string;
  readonly parts: readonly { readonly id: number; readonly put_url: string }[];
}

/** Each state of an upload lasts ten seconds, unless the test says otherwise. */
function aVaultVisit(modes: ModeChanges = {}) {
  const visit = aVisit({ modes: { uploadStepSec: 10, ...modes } });
  const putBytes = putInProcess((request) => visit.simulator.store(request));
  const post = (path: string, body?: Json) => visit.call('POST', `${UPLOADS}/${path}`, body);
  const vault = {
    ...visit,
    start: async (file = A_FILE): Promise<Started> => JSON.parse((await post('start', file)).text),
    put: (url: string, bytes: string, { length = 5, signal = never } = {}) =>
      putBytes({ url, contentType: 'image/jpeg', length, body: inPieces(bytes), signal }),
    /** The ETag of the part with this number. */
    putPart: async ({ parts }: Started, number: number, bytes: string) =>
      (await vault.put(parts[number - 1]?.put_url ?? '', bytes, { length: bytes.length })).etag ?? '',
    finish: ({ key, upload_id }: Started, parts: readonly number[], eTags: readonly string[]) =>
      post('finish', {
        key,
        upload_id,
        parts: parts.map((part) => ({ part, e_tag: eTags[part - 1] })),
      }),
    export: ({ key, get_url }: Started, eTag: string, more: Json = {}) =>
      post('export', { ...A_FILE, key, get_url, e_tag: eTag, export_type: 'post', ...more }),
    /** Start, one put and export. */
    upload: async () => {
      const started = await vault.start();
      const { etag } = await vault.put(started.put_url, 'bytes');
      return (await vault.export(started, etag ?? '')).body;
    },
    retry: (id: unknown) => post(`${String(id)}/retry`),
    uploads: async (query = ''): Promise<Json[]> => itemsOf(await visit.call('GET', `${UPLOADS}${query}`)),
  };
  return vault;
}

/** A text in pieces of two bytes. */
async function* inPieces(text: string): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 2) yield bytes.subarray(at, at + 2);
}

describe('an upload in one piece', () => {
  it('moves on by itself until it is a media in a folder', async () => {
    const visit = aVaultVisit();
    const { id } = await visit.upload();
    const seen = [];
    for (let step = 0; step < 6; step += 1) {
      const [record] = await visit.uploads();
      seen.push([record?.['status'], record?.['media_id']]);
      visit.clock.move(10_000);
    }
    const [exported] = visit.simulator.control.oracle().vaults['101']?.exported ?? [];
    expect(seen).toEqual([
      ['uploaded', null],
      ['processing', null],
      ['processed', null],
      ['exporting', null],
      ['exported', exported?.media_id],
      ['exported', exported?.media_id],
    ]);
    expect(exported).toMatchObject({ upload: id, name: 'beach.jpg', size: 5, sha256: sha256('bytes') });
    const { text } = await visit.call('GET', `${VAULT}/folders/9007199254740993/medias?type=photo`);
    expect(text).toContain(`"id":${exported?.media_id}`);
  });

  it.each([
    [{ get_url: 'https://elsewhere.example.com/x' }, 'get_url is not'],
    [{ name: 'other.jpg' }, 'name is not'],
    [{ size: 6 }, 'size is not'],
    [{ content_type: 'image/png' }, 'content_type is not'],
    [{ duration: 3 }, 'duration is not'],
    [{ e_tag: '"other"' }, 'e_tag is not'],
    [{ export_fan_id: '7' }, 'export_fan_id goes with'],
  ])('refuses an export with %o', async (more, why) => {
    const visit = aVaultVisit();
    const started = await visit.start();
    const { etag } = await visit.put(started.put_url, 'bytes');
    const { status, text } = await visit.export(started, etag ?? '', more);
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
  });

  it('refuses an export of a key that is not the account’s', async () => {
    const visit = aVaultVisit();
    const started = await visit.start();
    expect((await visit.export({ ...started, key: 'vault/102/x' }, '"x"')).status).toBe(404);
  });
});

describe('an upload in parts', () => {
  it('is joined by finish, in whatever order the parts came', async () => {
    const visit = aVaultVisit(IN_PARTS);
    const started = await visit.start();
    expect(started.parts.map(({ id }) => id)).toEqual([1, 2, 3]);
    const third = await visit.putPart(started, 3, 's');
    const first = await visit.putPart(started, 1, 'by');
    const second = await visit.putPart(started, 2, 'te');
    const { status, body } = await visit.finish(started, [1, 2, 3], [first, second, third]);
    expect([status, body]).toEqual([200, { e_tag: expect.stringMatching(/^"[0-9a-f]{32}-3"$/) }]);
    expect((await visit.export(started, String(body['e_tag']))).status).toBe(200);
    visit.clock.move(60_000);
    expect(visit.control.oracle().vaults['101']?.exported).toMatchObject([
      {
        sha256: sha256('bytes'),
        parts: [2, 2, 1].map((size, index) => ({ id: index + 1, stored: { size } })),
      },
    ]);
  });

  it.each([
    ['a part that is missing', [1, 2], 'not those of start'],
    ['a part that is named twice', [1, 1, 2], 'named twice'],
    ['a part that start did not name', [1, 2, 4], 'not those of start'],
    ['a part that was not put', [1, 2, 3], 'part 3 has not been uploaded'],
  ])('refuses %s', async (_what, parts, why) => {
    const visit = aVaultVisit(IN_PARTS);
    const started = await visit.start();
    const put = [await visit.putPart(started, 1, 'by'), await visit.putPart(started, 2, 'te')];
    const { status, text } = await visit.finish(started, parts, [...put, '"none"', '"none"']);
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
  });
});

it.each([
  ['stuck_uploaded', 'uploaded'],
  ['stuck_processed', 'processed'],
] as const)('an upload waits as %s for a retry, which may be repeated', async (fate, status) => {
  const visit = aVaultVisit({ uploadFates: [{ name_contains: 'beach', fate }] });
  const { id } = await visit.upload();
  visit.clock.move(600_000);
  expect(await visit.uploads()).toMatchObject([{ id, status }]);
  for (const _try of [1, 2]) expect(await visit.retry(id)).toMatchObject({ status: 200, body: { status } });
  visit.clock.move(60_000);
  expect(await visit.uploads()).toMatchObject([{ id, status: 'exported' }]);
  expect((await visit.retry(id)).status).toBe(409);
  expect(visit.control.oracle().vaults['101']?.exported).toHaveLength(1);
});

it.each([
  [{}, 'uploaded', 200],
  [{ unfinishedStatus: 'null' }, null, 404],
] as const)(
  'an upload without its bytes, in the modes %j, is %s when its addresses lapse',
  async (modes, shown, status) => {
    const visit = aVaultVisit(modes);
    await visit.start();
    expect(await visit.uploads('?expired=true'), 'not before').toEqual([]);
    visit.clock.move(901_000);
    const [upload] = await visit.uploads('?expired=true');
    expect(upload).toMatchObject({ status: shown });
    expect((await visit.retry(upload?.['id'])).status).toBe(status);
  },
);

it('uploads of 64 MiB and more come in parts', async () => {
  const MIB = 1_048_576;
  const visit = aVaultVisit();
  const start = async (size: number) => visit.start({ name: 'a.jpg', size, content_type: 'image/jpeg' });
  expect((await start(64 * MIB - 1)).put_url).toContain('Signature=');
  expect((await start(64 * MIB)).parts).toHaveLength(4);
});

/** A request to the store as the wire could bring it. */
function raw(visit: ReturnType<typeof aVaultVisit>, url: string, headers: Record<string, string>) {
  const request: StorageRequest = {
    method: 'PUT',
    url,
    header: (name) => headers[name] ?? null,
    body: inPieces('bytes'),
    signal: never,
  };
  return visit.simulator.store(request);
}

const GOOD = { 'content-type': 'image/jpeg', 'content-length': '5' };

describe('the object store', () => {
  it.each([
    ['the key of the service', { 'x-svc-auth-token': 'sim-key' }, 400, 'InvalidArgument'],
    ['another authorization', { authorization: 'Bearer x' }, 400, 'InvalidArgument'],
    ['a body in chunks', { 'transfer-encoding': 'chunked' }, 411, 'MissingContentLength'],
    ['a length that start did not say', { 'content-length': '4' }, 400, 'IncompleteBody'],
    ['another type', { 'content-type': 'image/png' }, 403, 'SignatureDoesNotMatch'],
  ])('refuses %s before it reads a byte', async (_what, headers, status, code) => {
    const visit = aVaultVisit();
    const { put_url } = await visit.start();
    expect(await raw(visit, put_url, { ...GOOD, ...headers })).toMatchObject({
      status,
      body: expect.stringContaining(`<Code>${code}</Code>`),
    });
    expect(visit.control.oracle().storage.puts).toMatchObject([{ status, received: 0 }]);
  });

  it('refuses an address that was changed, and a key that no one started', async () => {
    const visit = aVaultVisit();
    const { put_url, key } = await visit.start();
    const later = put_url.replace(/Expires=\d+/, 'Expires=9999999999999');
    expect(await raw(visit, later, GOOD)).toMatchObject({ status: 403 });
    expect(await raw(visit, `${put_url}&partNumber=2`, GOOD)).toMatchObject({ status: 403 });
    expect(await raw(visit, put_url.replace(key, 'vault/101/other'), GOOD)).toMatchObject({ status: 404 });
  });

  it('refuses an address a quarter of an hour later', async () => {
    const visit = aVaultVisit();
    const { put_url } = await visit.start();
    visit.control.advance(899_999);
    expect((await visit.put(put_url, 'bytes')).status).toBe(200);
    visit.control.advance(1);
    expect(await visit.put(put_url, 'bytes')).toMatchObject({ status: 403, etag: null });
  });

  it('takes no body that is shorter or longer than it said', async () => {
    const visit = aVaultVisit();
    const started = await visit.start();
    await expect(visit.put(started.put_url, 'byte')).rejects.toThrow('fetch failed');
    await expect(visit.put(started.put_url, 'bytes!')).rejects.toThrow('fetch failed');
    expect((await visit.export(started, '"x"')).text).toContain('not there yet');
  });
});

describe('a fault of the object store', () => {
  const reset = { cause: { code: 'ECONNRESET' } };
  it.each([
    // In the middle of the body.
    ['reset', reset, { received: 4, status: null }],
    ['refused', { cause: { code: 'ECONNREFUSED' } }, { received: 0, status: null }],
    ['expired', { status: 403, etag: null }, { received: 0, status: 403 }],
    ['missing_etag', { status: 200, etag: null }, { received: 5, status: 200 }],
  ] as const)('%s is what the caller meets, once', async (how, met, recorded) => {
    const visit = aVaultVisit();
    visit.control.addFault({ kind: 'storage', how, nth: 1 });
    const { put_url } = await visit.start();
    expect(await visit.put(put_url, 'bytes').catch((error: unknown) => error)).toMatchObject(met);
    expect(visit.control.oracle().storage.puts).toMatchObject([{ ...recorded, fault: how }]);
    expect((await visit.put(put_url, 'bytes')).status).toBe(200);
  });

  it('reads no further and says nothing until the caller gives up', async () => {
    const visit = aVaultVisit();
    visit.control.addFault({ kind: 'storage', how: 'stall', nth: 1 });
    const { put_url } = await visit.start();
    const abort = new AbortController();
    const pending = visit.put(put_url, 'bytes', { signal: abort.signal });
    await expect.poll(() => visit.control.oracle().storage.puts[0]?.received).toBe(4);
    abort.abort(new Error('gave up'));
    await expect(pending).rejects.toThrow('gave up');
  });
});
