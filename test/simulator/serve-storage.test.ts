import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createPresignedTransport } from '../../src/api/transport.ts';
import type { ModeChanges } from '../../src/simulator/modes.ts';
import { serveSimulator } from '../../src/simulator/serve.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { virtualClock } from './virtual-clock.ts';
import { requestOf } from './visit.ts';
import { aFile, inPieces, UPLOADS, type Started } from './vault-visit.ts';

const MIB = 1_048_576;
const never = new AbortController().signal;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function served(modes: ModeChanges = {}) {
  const clock = virtualClock();
  const simulator = createSimulator(createWorld({ modes: { uploadStepSec: 0, ...modes } }), { clock });
  const { url, close } = await serveSimulator(simulator, { port: 0 });
  closers.push(close);
  const call = async (action: string, body: object): Promise<Response> => {
    clock.pause(1000);
    return fetch(requestOf(`${url}${UPLOADS}/${action}`, 'POST', body));
  };
  return {
    simulator,
    url,
    call,
    start: async (file = aFile()): Promise<Started> => JSON.parse(await (await call('start', file)).text()),
  };
}

/** A put without any client that would set it right. */
function wire(url: string, headers: Record<string, string | number>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'PUT', headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const JPEG = { 'content-type': 'image/jpeg' };

describe('the object store on a socket', () => {
  it('lets a caller hear of a refusal while it still sends', async () => {
    const { simulator, start } = await served({ uploadShape: 'single' });
    const size = 32 * MIB;
    const { put_url } = await start(aFile({ size }));
    simulator.control.addFault({ kind: 'storage', how: 'expired' });
    const put = await createPresignedTransport()({
      url: put_url,
      contentType: 'image/jpeg',
      length: size,
      body: blocks(randomBytes(MIB), 32),
      signal: never,
    });
    expect(put).toMatchObject({ status: 403, bodyText: expect.stringContaining('AccessDenied') });
  });

  it('forgets a body with a sender that went away, and goes on', async () => {
    const { simulator, start } = await served();
    const { put_url } = await start();
    const abort = new AbortController();
    const body = async function* () {
      yield Buffer.from('by');
      abort.abort(new Error('gone'));
      await new Promise(() => undefined);
    };
    const put = { url: put_url, contentType: 'image/jpeg', length: 5 };
    const putBytes = createPresignedTransport();
    await expect(putBytes({ ...put, body: body(), signal: abort.signal })).rejects.toThrow('gone');
    expect(await putBytes({ ...put, body: inPieces('bytes'), signal: never })).toMatchObject({ status: 200 });
    expect(simulator.control.oracle().storage.puts.map(({ status }) => status)).toEqual([null, 200]);
  });

  it('closes although a put is stalled', async () => {
    const { simulator, start } = await served();
    simulator.control.addFault({ kind: 'storage', how: 'stall' });
    const { put_url } = await start();
    const failed = expect(wire(put_url, { ...JPEG, 'content-length': 5 }, 'bytes')).rejects.toThrow();
    await expect.poll(() => simulator.control.oracle().storage.puts[0]?.received).toBe(5);
    await Promise.all(closers.splice(0).map((close) => close()));
    await failed;
  });
});

async function* blocks(block: Uint8Array, count: number): AsyncGenerator<Uint8Array, void> {
  for (let sent = 0; sent < count; sent += 1) yield block;
}
