import { describe, expect, it } from 'vitest';
import type { StorageRequest } from '../../src/simulator/uploads.ts';
import { aVaultVisit, inPieces, type VaultVisit } from './vault-visit.ts';

const never = new AbortController().signal;

/** A request to the store as the wire could bring it. */
function raw(visit: VaultVisit, url: string, headers: Record<string, string>, method = 'PUT') {
  const request: StorageRequest = {
    method,
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
