import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { classifySendError, markBug } from '../../src/api/exchange.ts';
import { createTransport } from '../../src/api/transport.ts';
import type { Fetch } from '../../src/domain/ports.ts';
import { aScene, callOf, CALLS, failed, type Rule } from './client-scene.ts';
import { anHttpServer, aWire } from './wire.ts';

const RULES = Object.keys(CALLS) as Rule[];
const TYPE_ERROR = new TypeError('x is not a function');
const BUG = {
  kind: 'not_sent',
  problem: {
    code: 'internal-error',
    what: 'Herald failed to send a request: x is not a function',
    hint: expect.stringContaining('This is a bug in Herald: please report it'),
  },
};

afterEach(() => vi.restoreAllMocks());

describe('a mistake of the program before the first byte', () => {
  it.each(RULES)('is reported as a bug and proves that nothing was sent: %s', async (rule) => {
    let arrived = 0;
    const { url } = await anHttpServer((request, response) => {
      arrived += 1;
      request.resume();
      response.end();
    });
    vi.spyOn(net, 'connect').mockImplementation(() => {
      throw TYPE_ERROR;
    });
    const { client, lines } = aWire(url);
    expect(await callOf(client, rule)).toMatchObject(BUG);
    expect(arrived).toBe(0);
    expect(lines, 'one attempt, and its stack').toHaveLength(2);
    expect(lines.join('\n')).toContain('program-errors.test.ts');
  });

  it('in an argument of the transport is one as well', async () => {
    const transport = createTransport();
    const fetch: Fetch = (request, departure) =>
      transport(new Request(request.url, { method: 'POST', headers: { expect: '100-continue' } }), departure);
    const { client } = aScene(() => new Response(), { fetch });
    expect(await callOf(client, 'once')).toMatchObject({
      kind: 'not_sent',
      problem: { code: 'internal-error' },
    });
  });

  it('while the request is put together is one as well', async () => {
    const { client, sent } = aScene(() => new Response());
    vi.stubGlobal('Request', function broken() {
      throw TYPE_ERROR;
    });
    try {
      expect(await callOf(client, 'once')).toMatchObject(BUG);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(sent).toEqual([]);
  });
});

describe('a port that fetch refuses', () => {
  it('proves that nothing was sent, and the message says what to check', async () => {
    const { client } = aWire('http://127.0.0.1:1');
    expect(await callOf(client, 'once')).toMatchObject({
      kind: 'not_sent',
      problem: {
        what: 'no connection: HTTP clients do not use this port, because another protocol has it',
        hint: expect.stringContaining('Check the base address'),
      },
    });
  });
});

describe('a mistake of the program after the first byte', () => {
  it('leaves a create unknown', async () => {
    const { url } = await anHttpServer((request, response) => {
      request.resume().on('end', () => response.writeHead(201).end('{}'));
    });
    const { client } = aWire(url, { fetch: brokenAfter(createTransport()) });
    expect((await callOf(client, 'once')).kind).toBe('unknown');
  });
});

/** A transport that sends the request, and then fails over the answer. */
function brokenAfter(transport: Fetch): Fetch {
  return async (request, departure) => {
    await transport(request, departure);
    throw new TypeError('fetch failed', { cause: TYPE_ERROR });
  };
}

describe('what is not a mistake of the program', () => {
  it.each([
    ['a fetch that failed and says no more', new TypeError('fetch failed')],
    ['a refused connection', failed('connect', 'ECONNREFUSED')],
    ['a broken connection', failed('read', 'ECONNRESET')],
    ['a port that fetch does not take', new TypeError('fetch failed', { cause: new Error('bad port') })],
    ['what is not an error', 'words'],
  ])('%s keeps what it is', (_, error) => {
    expect(markBug(error)).toBe(error);
    expect(classifySendError(markBug(error)).kind).not.toBe('bug');
  });
});
