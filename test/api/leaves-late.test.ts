import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { createTransport } from '../../src/api/transport.ts';
import { callOf, inWords, type Rule } from './client-scene.ts';
import { jumpingClock } from './jumping-clock.ts';
import { anHttpServer, aWire } from './wire.ts';

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
