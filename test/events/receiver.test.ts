import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Receiver, type ReceiverOptions, type ReceiverProblem } from '../../src/events/receiver.ts';

const SECRET = 'a-secret-of-the-test';
const running: Receiver[] = [];
afterEach(async () => {
  for (const receiver of running.splice(0)) await receiver.stop();
});

async function listening(more: Partial<ReceiverOptions> = {}) {
  const bodies: string[] = [];
  const problems: ReceiverProblem[] = [];
  const started = await Receiver.start({
    host: '127.0.0.1',
    port: 0,
    pathSecret: SECRET,
    signature: null,
    store: async (body) => void bodies.push(Buffer.from(body).toString()),
    isHealthy: () => true,
    report: (problem) => problems.push(problem),
    ...more,
  });
  running.push(started);
  const url = `${started.origin}/events/${SECRET}`;
  const receiver = { url, origin: started.origin, stop: () => started.stop() };
  const post = async (body: string, headers: Record<string, string> = {}, url = receiver.url) =>
    (await fetch(url, { method: 'POST', body, headers })).status;
  return { receiver, bodies, problems, post };
}

/** A store that says when a body has come, and keeps it once it may. */
function aSlowStore() {
  let [begin, keep] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const kept = new Promise<void>((resolve) => (keep = resolve));
  return { begun, keep, store: () => (begin(), kept) };
}

async function connected(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** The head of a request, to which its last lines are added. */
function headOf(url: string): string {
  return `POST ${new URL(url).pathname} HTTP/1.1\r\nhost: x\r\n`;
}

/** Sends bytes on a raw connection, and resolves with what comes back once it is closed. */
function raw(url: string, text: string, leaves: boolean): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(text);
      if (leaves) socket.end();
    });
    socket.on('data', (piece: Buffer) => (answer += piece.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

describe('the receiver of events', () => {
  it('answers 200 once the body is stored, and not before', async () => {
    const { begun, keep, store } = aSlowStore();
    const { receiver, post } = await listening({ store });
    const answers: number[] = [];
    const answered = post('{}').then((status) => answers.push(status));
    await begun;
    // An answer that does not wait for the store would be here before that of a later request.
    expect(await post('{}', {}, `${receiver.url}x`)).toBe(404);
    expect(answers).toEqual([]);
    keep();
    await answered;
    expect(answers).toEqual([200]);
  });

  it('answers 503 if it is not stored, and goes on', async () => {
    let full = true;
    const { post, problems } = await listening({
      store: async () => {
        if (full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      },
    });
    const first = await post('{}');
    full = false;
    expect([first, await post('{}'), problems]).toEqual([503, 200, ['not_stored']]);
  });

  it('answers 404 for a wrong secret, and 405 for another method', async () => {
    const { receiver, post, problems } = await listening();
    const wrong = receiver.url.replace(SECRET, 'another-secret-0000');
    expect(await post('{}', {}, wrong)).toBe(404);
    expect(await post('{}', {}, `${receiver.url}x`)).toBe(404);
    expect(await post('{}', {}, `${receiver.url}?page=1`)).toBe(200);
    expect((await fetch(receiver.url)).status).toBe(405);
    expect(problems).toEqual(['wrong_path', 'wrong_path', 'wrong_method']);
  });

  it('takes a body of 1 MiB, and answers 413 above', async () => {
    const { post, bodies, problems } = await listening();
    expect(await post('x'.repeat(1_048_576))).toBe(200);
    expect(await post('x'.repeat(1_048_577))).toBe(413);
    expect([bodies.length, problems]).toEqual([1, ['too_large']]);
  });

  it('stores nothing of a body that its sender did not finish', async () => {
    const { receiver, bodies, problems } = await listening();
    const head = `POST ${new URL(receiver.url).pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n`;
    await raw(receiver.url, `${head}{"half`, true);
    expect([bodies, problems]).toEqual([[], ['cut_off']]);
  });

  it('answers 400 to what is not HTTP, and stays up', async () => {
    const { receiver, post } = await listening();
    expect(await raw(receiver.url, 'nonsense\r\n\r\n', false)).toContain('400 Bad Request');
    expect(await post('{}')).toBe(200);
  });

  it('answers 250 connections that are open at once, and refuses those that are too many', async () => {
    const { receiver, bodies, post } = await listening();
    const sockets = await Promise.all(Array.from({ length: 250 }, () => connected(receiver.url)));
    const answers = await Promise.all(
      sockets.map(async (socket, number) => {
        const body = `{"id":${number}}`;
        const answer = once(socket, 'data') as Promise<[Buffer]>;
        socket.write(`${headOf(receiver.url)}content-length: ${body.length}\r\n\r\n${body}`);
        return String((await answer)[0]).split('\r\n')[0];
      }),
    );
    expect([new Set(answers), new Set(bodies).size]).toEqual([new Set(['HTTP/1.1 200 OK']), 250]);
    const more = await Promise.all(Array.from({ length: 100 }, () => connected(receiver.url)));
    while (!more.some(({ closed }) => closed)) await turn();
    for (const socket of [...sockets, ...more]) socket.destroy();
    expect(await post('{}')).toBe(200);
  });

  it('cuts off a sender that is too slow, and answers others meanwhile', async () => {
    const { receiver, bodies, problems, post } = await listening({ requestMs: 300 });
    const slow = raw(receiver.url, `${headOf(receiver.url)}content-length: 100\r\n\r\n{"half`, false);
    expect(await post('{}')).toBe(200);
    expect(await slow).toContain('HTTP/1.1 408 Request Timeout');
    expect([bodies, new Set(problems)]).toEqual([['{}'], new Set(['cut_off'])]);
  });

  it('answers 413 to a body that never ends, and closes its connection', async () => {
    const { receiver, bodies, post } = await listening({ requestMs: 500 });
    const socket = await connected(receiver.url);
    const piece = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    let answer = '';
    socket.on('data', (part: Buffer) => (answer += part.toString()));
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    const pour = () => void (socket.writable && socket.write(piece, () => setImmediate(pour)));
    socket.write(`${headOf(receiver.url)}transfer-encoding: chunked\r\n\r\n`);
    pour();
    await closed;
    expect([answer.split('\r\n')[0], bodies]).toEqual(['HTTP/1.1 413 Payload Too Large', []]);
    expect(await post('{}')).toBe(200);
  });

  it('says at /healthz whether events can be stored, without the secret', async () => {
    let isHealthy = true;
    const { receiver } = await listening({ isHealthy: () => isHealthy });
    const ask = async () => (await fetch(`${receiver.origin}/healthz`)).status;
    expect(await ask()).toBe(200);
    isHealthy = false;
    expect(await ask()).toBe(503);
  });

  it('finishes what is under way when it stops, and does not wait for its connection', async () => {
    const { begun, keep, store } = aSlowStore();
    const { receiver, post } = await listening({ store });
    const answer = fetch(receiver.url, { method: 'POST', body: '{}' });
    await begun;
    const stopped = receiver.stop();
    keep();
    const { status, headers } = await answer;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
    await expect(post('{}')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});

describe('the check of signatures', () => {
  const secret = 's3cret';
  const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', secret).update(text).digest(encoding);

  it.each([
    ['hex', () => hmac('{}')],
    ['base64', () => hmac('{}', 'base64')],
    ['hex', () => `sha256=${hmac('{}')}`],
    ['base64', () => `sha256=${hmac('{}', 'base64')}`],
  ] as const)('accepts the format %s, alone or behind its algorithm', async (format, sign) => {
    const signature = { header: 'x-signature', algorithm: 'sha256', format, secret } as const;
    const { post } = await listening({ signature });
    expect(await post('{}', { 'x-signature': sign() })).toBe(200);
    expect(await post('{} ', { 'x-signature': sign() })).toBe(401);
  });

  it('refuses a wrong and a missing one, and one of another algorithm', async () => {
    const signature = { header: 'x-signature', algorithm: 'sha256', format: 'hex', secret } as const;
    const { post, problems, bodies } = await listening({ signature });
    expect(await post('{}')).toBe(401);
    expect(await post('{}', { 'x-signature': 'nonsense' })).toBe(401);
    expect(await post('{}', { 'x-signature': `sha1=${hmac('{}')}` })).toBe(401);
    expect([problems, bodies]).toEqual([Array.from({ length: 3 }, () => 'wrong_signature'), []]);
  });
});
