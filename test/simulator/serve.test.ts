import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { serveSimulator } from '../../src/simulator/serve.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { aCampaignBody, CAMPAIGNS, requestOf } from './visit.ts';
import { flowClock } from '../helpers/flow-clock.ts';

async function served(): Promise<{ simulator: Simulator; url: string }> {
  const simulator = createSimulator(createWorld(), { clock: flowClock() });
  const { url, close } = await serveSimulator(simulator, { port: 0 });
  onTestFinished(close);
  return { simulator, url };
}

const create = (url: string, signal?: AbortSignal) =>
  fetch(requestOf(url + CAMPAIGNS, 'POST', aCampaignBody(), signal === undefined ? {} : { signal }));

/** What arrives on the wire, without a client that hides anything. */
function wire(url: string): Promise<{ headers: IncomingHttpHeaders; bytes: number; ended: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-svc-auth-token': 'sim-key', 'content-type': 'application/json' };
    const sent = httpRequest(url + CAMPAIGNS, { method: 'POST', headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.on('error', () => resolve({ headers: answer.headers, bytes, ended: 'cut off' }));
      answer.on('end', () => resolve({ headers: answer.headers, bytes, ended: 'whole' }));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(aCampaignBody()));
  });
}

describe('on a socket', () => {
  it('says in every answer that it only pretends', async () => {
    const { url } = await served();
    for (const response of [await create(url), await fetch(`${url}/nothing`)])
      expect(response.headers.get('x-herald-simulator')).toBe('1');
  });

  it('resets the connection, before or after the commit', async () => {
    const { simulator, url } = await served();
    simulator.control.addFault({ kind: 'broken_answer', when: 'before_commit', how: 'reset', nth: 1 });
    simulator.control.addFault({ kind: 'broken_answer', when: 'after_commit', how: 'reset', nth: 2 });
    await expect(wire(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.control.oracle().commits).toHaveLength(0);
    await expect(wire(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.control.oracle().commits).toHaveLength(1);
  });

  it('sends less than it promised and cuts the line', async () => {
    const { simulator, url } = await served();
    simulator.control.addFault({ kind: 'broken_answer', when: 'after_commit', how: 'truncated' });
    const { headers, bytes, ended } = await wire(url);
    expect(ended).toBe('cut off');
    expect(bytes).toBeLessThan(Number(headers['content-length']));
    await expect(create(url).then((response) => response.text())).rejects.toThrow('terminated');
  });

  it('says nothing until the caller gives up', async () => {
    const { simulator, url } = await served();
    simulator.control.addFault({ kind: 'broken_answer', when: 'after_commit', how: 'timeout', nth: 1 });
    const abort = new AbortController();
    const pending = create(url, abort.signal);
    await expect.poll(() => simulator.control.oracle().commits.length).toBe(1);
    abort.abort(new Error('gave up'));
    await expect(pending).rejects.toThrow('gave up');
    expect((await create(url)).status).toBe(201);
  });

  it('logs one line for each request of the service', async () => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const simulator = createSimulator(createWorld(), { clock: flowClock(), log });
    const how = 'connect ECONNREFUSED';
    simulator.control.addFault({ kind: 'broken_answer', when: 'before_commit', how, nth: 2 });
    const get = (path: string) =>
      simulator.fetch(requestOf(`http://simulator.test${path}`, 'GET', undefined));
    await get('/api/v0/accounts');
    await get('/__sim/oracle');
    await expect(get('/api/v0/accounts')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(lines).toEqual(['GET /api/v0/accounts 200', 'GET /api/v0/accounts connect ECONNREFUSED']);
  });
});
