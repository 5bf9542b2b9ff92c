import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { wasNeverSent } from '../../src/api/send-call.ts';
import { createTransport } from '../../src/api/transport.ts';
import { NEVER_SENT_CODE, type Fetch } from '../../src/domain/ports.ts';
import { callOf, CALLS, inWords, type Rule } from './client-scene.ts';
import { anHttpServer, aWire } from './wire.ts';

/** An error as Node makes one: `read EHOSTUNREACH`. */
const system = (syscall: string, code: string, cause?: unknown) =>
  Object.assign(new Error(`${syscall} ${code}`, { cause }), { code, syscall });
const bare = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });
const failedBy = (cause: unknown) => new TypeError('fetch failed', { cause });

/** Codes that a connection which never came to be has, and an open one that broke as well. */
const CODES = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE'];

describe('a failed fetch', () => {
  it.each(CODES)('with %s proves that nothing was sent only where it was connecting', (code) => {
    for (const wrap of [(cause: unknown) => cause, failedBy, (cause: unknown) => bare('UND_ERR', cause)]) {
      expect(wasNeverSent(wrap(system('connect', code)))).toBe(true);
      for (const syscall of ['read', 'write', 'writev', 'shutdown'])
        expect(wasNeverSent(wrap(system(syscall, code))), syscall).toBe(false);
      expect(wasNeverSent(wrap(bare(code))), 'without a system call').toBe(false);
    }
  });

  it('is judged by the mark of the transport, and else by its own system call, not by that of its cause', () => {
    expect(wasNeverSent(failedBy(bare('CERT_HAS_EXPIRED')))).toBe(false);
    expect(wasNeverSent(failedBy(bare(NEVER_SENT_CODE, system('read', 'ECONNRESET'))))).toBe(true);
    expect(wasNeverSent(system('read', 'ECONNRESET', system('connect', 'ECONNREFUSED')))).toBe(false);
    expect(wasNeverSent('words')).toBe(false);
  });
});

it('a fetch that another library put in place proves nothing, and is looked up at each call', async () => {
  const { client } = aWire('http://service.test');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
  expect(inWords(await callOf(client, 'once'))).toBe('unknown');
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a mistake of the program', () => {
  const mistake = new TypeError('x is not a function');

  it.each(Object.keys(CALLS) as Rule[])(
    'before the first byte proves that nothing was sent: %s',
    async (rule) => {
      vi.spyOn(net, 'connect').mockImplementation(() => {
        throw mistake;
      });
      const { url } = await anHttpServer((_request, response) => void response.end());
      const { client } = aWire(url);
      expect(await callOf(client, rule)).toMatchObject({
        kind: 'not_sent',
        problem: { what: 'not sent: x is not a function' },
      });
    },
  );

  it('after it leaves a create unknown', async () => {
    const { url } = await anHttpServer((request, response) => {
      request.resume().on('end', () => response.writeHead(201).end('{}'));
    });
    const transport = createTransport();
    const fetch: Fetch = async (request, departure) => {
      await transport(request, departure);
      throw new TypeError('fetch failed', { cause: mistake });
    };
    expect((await callOf(aWire(url, { fetch }).client, 'once')).kind).toBe('unknown');
  });
});
