import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CALLS, callOf, CAMPAIGN, inWords, SECRET, wordsOf, type Rule } from './client-scene.ts';
import { anHttpServer, aTcpServer, aWire } from './wire.ts';

const GOOD = JSON.stringify(CAMPAIGN);
const http = (status: string, body: string, headers = '') =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;

it('a request over a real socket arrives as it was built: one key, a length, no chunks', async () => {
  const seen: { headers: NodeJS.Dict<string | string[]>; body: string; url: string | undefined }[] = [];
  const { url } = await anHttpServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ headers: request.headers, body, url: request.url });
      response.writeHead(201).end(GOOD);
    });
  });
  const { client } = aWire(`${url}/base`);
  expect(inWords(await callOf(client, 'once'))).toBe('done');
  const [first] = seen;
  expect(first?.url).toBe('/base/api/v0/accounts/101/auto-message-campaigns');
  expect(first?.headers).toMatchObject({
    'x-svc-auth-token': SECRET,
    'content-type': 'application/json',
    'content-length': String(first?.body.length),
  });
  expect(first?.headers['transfer-encoding']).toBeUndefined();
  expect(JSON.parse(first?.body ?? '')).toEqual(CALLS.once.input.body);
});

describe('connections', () => {
  it('reads share one that is kept, writes take a fresh one each', async () => {
    const ports: Record<string, number[]> = { GET: [], PATCH: [] };
    const { url } = await anHttpServer((request, response) => {
      ports[request.method ?? '']?.push(request.socket.remotePort ?? 0);
      request.resume();
      if (request.method === 'GET') response.end(GOOD);
      else response.writeHead(204).end();
    });
    const { client } = aWire(url);
    for (let round = 0; round < 3; round += 1) {
      await callOf(client, 'read');
      await callOf(client, 'status');
    }
    expect(new Set(ports['GET']).size).toBe(1);
    expect(new Set(ports['PATCH']).size).toBe(3);
  });

  it('a kept one that the server has closed loses no read', async () => {
    let connections = 0;
    const port = await aTcpServer((socket) => {
      connections += 1;
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        // The second request on a kept connection meets its end.
        if (requests === 1) socket.write(http('200 OK', GOOD, 'connection: keep-alive\r\n'));
        else socket.resetAndDestroy();
      });
    });
    const { client } = aWire(`http://127.0.0.1:${port}`);
    for (let round = 0; round < 4; round += 1) expect(inWords(await callOf(client, 'read'))).toBe('done');
    expect(connections).toBeGreaterThan(1);
  });
});

it('a line that breaks in the middle of the TLS handshake has sent nothing', async () => {
  const port = await aTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const result = await callOf(aWire(`https://127.0.0.1:${port}`).client, 'once');
  expect(inWords(result)).toBe('not sent');
  expect(wordsOf(result)).toMatch(/not sent: .*(ECONNRESET|TLS)/);
});

describe('a request with a lost answer', () => {
  const once = async (talk: Parameters<typeof aTcpServer>[0], rule: Rule = 'once') => {
    let connections = 0;
    const port = await aTcpServer((socket) => {
      connections += 1;
      talk(socket);
    });
    const result = await callOf(aWire(`http://127.0.0.1:${port}`).client, rule);
    return { words: inWords(result), connections, message: wordsOf(result) };
  };

  it('reset after the request was written: unknown, sent once', async () => {
    const seen = await once((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(seen).toMatchObject({ words: 'unknown', connections: 1 });
    expect(seen.message).toContain('the connection broke');
  });

  it.each<[Rule, string, string, number]>([
    ['once', '201 Created', 'unknown', 1],
    ['idempotent', '200 OK', 'unknown', 3],
    ['read', '200 OK', 'unknown', 3],
    ['status', '200 OK', 'done', 1],
    ['unsend', '200 OK', 'done', 1],
    // An error is still the error that its status says.
    ['once', '403 Forbidden', 'refused', 1],
  ])('a body cut short, of %s after %s: %s', async (rule, status, words, connections) => {
    const cut = http(status, GOOD).slice(0, -10);
    const seen = await once((socket) => socket.once('data', () => socket.end(cut)), rule);
    expect(seen).toMatchObject({ words, connections });
  });

  it('silence: the time-out of the injected clock ends it, and hangs up', async () => {
    let closed = false;
    const port = await aTcpServer((socket) =>
      socket.on('data', () => undefined).on('close', () => (closed = true)),
    );
    const { client, clock } = aWire(`http://127.0.0.1:${port}`);
    const pending = callOf(client, 'once');
    await expect.poll(() => clock.timeOut()).toBe(1);
    expect(inWords(await pending)).toBe('unknown, timed out');
    await expect.poll(() => closed).toBe(true);
  });
});

// ERROR-14
it.each([301, 302, 307, 308])(
  'a redirect with %i is never followed nor repeated: the key does not leave its host',
  async (status) => {
    let [visits, asked] = [0, 0];
    const thief = await anHttpServer((_, response) => {
      visits += 1;
      response.end(GOOD);
    });
    const { url } = await anHttpServer((request, response) => {
      asked += 1;
      request.resume();
      response.writeHead(status, { location: thief.url }).end();
    });
    const { client } = aWire(url);
    expect(wordsOf(await callOf(client, 'read'))).toContain(`answered ${status}`);
    expect(inWords(await callOf(client, 'once'))).toBe('unknown');
    expect([visits, asked]).toEqual([0, 2]);
  },
);

const MIB = 1024 * 1024;
const blanks = (mib: number) => Buffer.alloc(mib * MIB, ' ');
/** Packed quickly: the best packing of so much takes seconds, and unpacks to the same. */
const brotli = (body: Buffer | string) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** A service that answers every read with these bytes. */
async function aServiceThatSays(headers: Record<string, string>, body: Buffer) {
  const { url } = await anHttpServer((_request, response) => void response.writeHead(200, headers).end(body));
  return aWire(url);
}

it.each([
  ['br', brotli(blanks(33))],
  ['gzip', gzipSync(blanks(33))],
  ['identity', blanks(33)],
])('an answer of more than 32 MiB (%s) is not taken in', async (encoding, body) => {
  const { client } = await aServiceThatSays({ 'content-encoding': encoding }, body);
  const end = await callOf(client, 'read');
  expect(end).toMatchObject({
    kind: 'unknown',
    problem: { what: 'answered 200, but the body was cut off: it is larger than 32 MiB' },
  });
});

it('a large answer below that is read whole', async () => {
  const text = JSON.stringify({ ...CAMPAIGN, name: 'x'.repeat(8 * MIB) });
  const { client } = await aServiceThatSays({ 'content-encoding': 'br' }, brotli(text));
  expect((await callOf(client, 'read')).kind).toBe('done');
});
