import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { callOf, CAMPAIGN, aClientScene, json } from './client-scene.ts';
import { anHttpServer, aWire } from './wire.ts';

const MIB = 1024 * 1024;
const blanks = (mib: number) => Buffer.alloc(mib * MIB, ' ');
/** Packed quickly: the best packing of so much takes seconds, and unpacks to the same. */
const brotli = (body: Buffer | string) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** A service that answers every read with these bytes; `sent` counts what left it. */
async function aServiceThatSays(headers: Record<string, string>, body: Buffer) {
  const { url } = await anHttpServer((_request, response) => void response.writeHead(200, headers).end(body));
  return aWire(url);
}

it.each([
  ['br', brotli(blanks(33))],
  ['gzip', gzipSync(blanks(33))],
  ['identity', blanks(33)],
])(
  'an answer of more than 32 MiB (%s) is not taken in',
  async (encoding, body) => {
    const { client } = await aServiceThatSays({ 'content-encoding': encoding }, body);
    const end = await callOf(client, 'read');
    expect(end).toMatchObject({
      kind: 'unknown',
      problem: { what: 'answered 200, but the body was cut off: it is larger than 32 MiB' },
    });
  },
  30_000,
);

it('a large answer below that is read whole', async () => {
  const text = JSON.stringify({ ...CAMPAIGN, name: 'x'.repeat(8 * MIB) });
  const { client } = await aServiceThatSays({ 'content-encoding': 'br' }, brotli(text));
  expect((await callOf(client, 'read')).kind).toBe('done');
});

const IMPOSSIBLE = ['../../../x', '\u001b[31m', '', '-1', '01', '1e3', '12345678901234567890', 1.5, null, {}];

// ERROR-2
it.each(IMPOSSIBLE)('a created object with the id %j proves nothing about what was made', async (id) => {
  const { client } = aClientScene(() => json({ ...CAMPAIGN, id }, 201));
  expect(await callOf(client, 'once')).toMatchObject({
    kind: 'unknown',
    problem: { what: 'answered 201, but the body is not what the document says at id' },
  });
});
