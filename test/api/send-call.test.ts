import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { explainFailure } from '../../src/api/send-call.ts';
import { createTransport } from '../../src/api/transport.ts';
import { NEVER_SENT_CODE, type Fetch } from '../../src/domain/ports.ts';
import { callOf, CALLS, inWords, type Rule } from './client-scene.ts';
import { jumpingClock } from './jumping-clock.ts';
import { anHttpServer, aWire } from './wire.ts';

/** An error as Node makes one: `read EHOSTUNREACH`. */
const system = (syscall: string, code: string, cause?: unknown) =>
  Object.assign(new Error(`${syscall} ${code}`, { cause }), { code, syscall });
const bare = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });
const neverLeft = (error: unknown) => explainFailure(error).neverLeft;
const failedBy = (cause: unknown) => new TypeError('fetch failed', { cause });

/** Codes that a connection which never came to be has, and an open one that broke as well. */
const CODES = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE'];

describe('a failed fetch', () => {
  it.each(CODES)('with %s proves that nothing was sent only where it was connecting', (code) => {
    for (const wrap of [(cause: unknown) => cause, failedBy, (cause: unknown) => bare('UND_ERR', cause)]) {
      expect(neverLeft(wrap(system('connect', code)))).toBe(true);
      for (const syscall of ['read', 'write', 'writev', 'shutdown'])
        expect(neverLeft(wrap(system(syscall, code))), syscall).toBe(false);
      expect(neverLeft(wrap(bare(code))), 'without a system call').toBe(false);
    }
  });

  it('is judged by the mark of the transport, and else by its own system call, not by that of its cause', () => {
    expect(neverLeft(failedBy(bare('CERT_HAS_EXPIRED')))).toBe(false);
    expect(neverLeft(failedBy(bare(NEVER_SENT_CODE, system('read', 'ECONNRESET'))))).toBe(true);
    expect(neverLeft(system('read', 'ECONNRESET', system('connect', 'ECONNREFUSED')))).toBe(false);
    expect(neverLeft('words')).toBe(false);
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

/** A client with an nth request that waits for some seconds on this machine before it can leave. */
async function aSlowStart(waitsSec: readonly number[]) {
  const arrived: string[] = [];
  const { url } = await anHttpServer((request, response) => {
    arrived.push(request.method ?? '');
    request.resume();
    response.writeHead(204).end();
  });
  const clock = jumpingClock();
  const transport = createTransport();
  const left = [...waitsSec];
  const { client } = aWire(url, {
    clock,
    fetch: (request, { writes, leaves }) =>
      transport(request, {
        writes,
        leaves: () => {
          void clock.sleep((left.shift() ?? 0) * 1000);
          leaves();
        },
      }),
  });
  return { arrived, callWith: (rule: Rule) => callOf(client, rule) };
}

it('a change that could not leave within 5 s of its last check is checked again before it is sent', async () => {
  const { arrived, callWith } = await aSlowStart([40]);
  expect(inWords(await callWith('status'))).toBe('done');
  expect(arrived).toEqual(['PATCH']);
});

it('a change that can never leave in time is not sent, and says so', async () => {
  const { arrived, callWith } = await aSlowStart([6, 6, 6, 6]);
  const end = await callWith('once');
  expect(end).toMatchObject({
    kind: 'not_sent',
    problem: {
      what: 'not sent: it could not be recorded, checked and sent within 5 s',
      hint: expect.stringContaining('Nothing was sent.'),
    },
  });
  expect(arrived).toEqual([]);
});

it('the check is made when the connection stands, right before the first byte', async () => {
  const order: string[] = [];
  const onConnected = () => void order.push('connected');
  const onHeaders = () => void order.push('first byte');
  subscribe('undici:client:connected', onConnected);
  subscribe('undici:client:sendHeaders', onHeaders);
  try {
    const { url } = await anHttpServer((request, response) => {
      request.resume();
      response.writeHead(204).end();
    });
    const request = new Request(`${url}/x`, { method: 'PATCH', body: '{}' });
    await createTransport()(request, { writes: true, leaves: () => void order.push('checked') });
    expect(order).toEqual(['connected', 'checked', 'first byte']);
  } finally {
    unsubscribe('undici:client:connected', onConnected);
    unsubscribe('undici:client:sendHeaders', onHeaders);
  }
});
