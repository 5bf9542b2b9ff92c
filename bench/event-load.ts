import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What senders saw in one window. */
export interface Load {
  /** Milliseconds from each request to its answer, sorted. */
  readonly latencies: readonly number[];
  /** Events without the answer 200. */
  readonly refused: number;
}

interface Sending {
  readonly perSecond: number;
  readonly seconds: number;
  /** Number of the first event. */
  readonly from: number;
}

const CONNECTIONS = 64;

/** Sends events at a steady pace, whether earlier ones were answered or not. */
export async function sendEvents(url: string, { perSecond, seconds, from }: Sending): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  const latencies: number[] = [];
  let refused = 0;
  const underWay: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const dueMs = started + (number * 1000) / perSecond - performance.now();
    if (dueMs > 0) await sleep(dueMs);
    const sentMs = performance.now();
    underWay.push(
      post(url, agent, bodyOf(from + number)).then((status) => {
        if (status === 200) latencies.push(performance.now() - sentMs);
        else refused += 1;
      }),
    );
  }
  await Promise.all(underWay);
  agent.destroy();
  return { latencies: latencies.toSorted((left, right) => left - right), refused };
}

/** A part of the sorted values, such as 0.99. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function bodyOf(number: number): string {
  return JSON.stringify({
    id: `evt-${number}`,
    event_id: `evt-${number}`,
    event: 'fans.tip.received',
    created_at: new Date(1_780_000_000_000 + number).toISOString(),
    account_id: 1000 + (number % 60),
    platform_account_id: `p${1000 + (number % 60)}`,
    fan: { id: String(5_550_000 + (number % 1000)), name: 'A fan with a name' },
    amount: 5 + (number % 20),
    currency: 'USD',
    message: 'Thank you for the lovely evening! '.repeat(4),
  });
}

function post(url: string, agent: Agent, body: string): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? null));
    });
    sent.on('error', () => resolve(null));
    sent.end(body);
  });
}

/** Clock ticks in a second, as Linux has told every program since 2003. */
const TICKS = 100;

/** Processor time of a process so far, in milliseconds. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}
