import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { serveSimulator } from '../../src/simulator/serve.ts';
import { createWorld } from '../../src/simulator/world.ts';

it('a simulator that listens sends its events by itself', async () => {
  let hear: (text: string) => void = () => undefined;
  const arrived = new Promise<string>((resolve) => (hear = resolve));
  const receiver = createServer((request, answer) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      answer.end();
      hear(`${request.method} ${request.url} ${body}`);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const served = await serveSimulator(createSimulator(createWorld(), { clock: systemClock }), { port: 0 });
  const post = (path: string, body: object) =>
    fetch(`${served.url}/__sim/${path}`, { method: 'POST', body: JSON.stringify(body) });
  await post('webhooks', { url: `http://127.0.0.1:${port}/events/SECRET` });
  await post('fan', { account_id: '101', fan_id: '101001', does: 'tip', amount: 7 });
  expect(await arrived).toMatch(/^POST \/events\/SECRET \{.*"amount":7/);
  await served.close();
  receiver.close();
});
