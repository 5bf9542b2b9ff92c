import { describe, expect, it } from 'vitest';
import { classifySendError } from '../../src/api/exchange.ts';
import { NEVER_CONNECTED_CODE } from '../../src/domain/ports.ts';
import { callOf, inWords } from './client-scene.ts';
import { anHttpServer, aWire, breakLines } from './wire.ts';

const wasNeverSent = (error: unknown) => classifySendError(error).kind === 'never_sent';

/** An error as Node makes one: `read EHOSTUNREACH`. */
const system = (syscall: string, code: string, cause?: unknown) =>
  Object.assign(new Error(`${syscall} ${code}`, { cause }), { code, syscall });
const bare = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });
const failedBy = (cause: unknown) => new TypeError('fetch failed', { cause });

/** Codes that a connection which never came to be has, and an open one that broke as well. */
const CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'EPIPE',
];

describe('a failed fetch', () => {
  it.each(CODES)('with %s proves that nothing was sent only where it was connecting', (code) => {
    for (const wrap of [(cause: unknown) => cause, failedBy, (cause: unknown) => bare('UND_ERR', cause)]) {
      expect(wasNeverSent(wrap(system('connect', code)))).toBe(true);
      for (const syscall of ['read', 'write', 'writev', 'shutdown'])
        expect(wasNeverSent(wrap(system(syscall, code))), syscall).toBe(false);
      expect(wasNeverSent(wrap(bare(code))), 'without a system call').toBe(false);
    }
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN'])('with %s proves it while the name is looked up', (code) => {
    expect(wasNeverSent(failedBy(system('getaddrinfo', code)))).toBe(true);
    expect(wasNeverSent(failedBy(bare(code)))).toBe(false);
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_SOCKET',
    'UND_ERR_PRX_TLS',
  ])('with %s proves it only by the mark of the transport', (code) => {
    expect(wasNeverSent(failedBy(bare(code)))).toBe(false);
    expect(wasNeverSent(failedBy(bare(NEVER_CONNECTED_CODE, bare(code))))).toBe(true);
  });

  it('is judged by the mark, whatever broke while it was connecting', () => {
    expect(wasNeverSent(failedBy(bare(NEVER_CONNECTED_CODE, system('read', 'ECONNRESET'))))).toBe(true);
  });

  it('is judged by its own system call, not by that of its cause', () => {
    expect(wasNeverSent(system('read', 'ECONNRESET', system('connect', 'ECONNREFUSED')))).toBe(false);
  });

  it('of several attempts proves it where each of them does', () => {
    const refused = system('connect', 'ECONNREFUSED');
    const all = new AggregateError([refused, system('connect', 'ETIMEDOUT')], '');
    expect(wasNeverSent(failedBy(Object.assign(all, { code: 'ECONNREFUSED' })))).toBe(true);
    expect(wasNeverSent(failedBy(new AggregateError([refused, system('read', 'ECONNRESET')])))).toBe(false);
    expect(wasNeverSent(failedBy(new AggregateError([])))).toBe(false);
  });

  it('that is deeper than anybody looks proves nothing', () => {
    let error: Error = system('connect', 'ECONNREFUSED');
    for (let depth = 0; depth < 10; depth += 1) error = failedBy(error);
    expect(wasNeverSent(error)).toBe(false);
  });
});

describe('an open connection that the kernel gives up', () => {
  it.each(CODES)('with %s leaves a create unknown, and it is sent once', async (code) => {
    let arrived = 0;
    const line = breakLines();
    const { url } = await anHttpServer((request) => {
      arrived += 1;
      request.resume().on('end', () => line.fail(system('read', code)));
    });
    expect(inWords(await callOf(aWire(url).client, 'once'))).toBe('unknown');
    expect(arrived).toBe(1);
  });
});
