import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { SharedLimiter } from '../../src/api/shared-limiter.ts';
import type { Clock } from '../../src/domain/ports.ts';
import type { Bucket } from '../../src/domain/rate-budget.ts';
import type { RateAnswer, RateMessage, RateStore, Urgency } from '../../src/domain/rate-store.ts';
import { eventClock } from '../api/event-clock.ts';

/** The time to the database and back. */
const WAY_MS = 1;

export interface ProcessOptions {
  readonly share?: number;
  readonly urgency?: Urgency;
  readonly tokenScope?: string;
}

/** A process that asks the database for its rates. */
export interface RateProcess {
  readonly limiter: SharedLimiter;
  /** Why it could not ask the others; empty if it always could. */
  readonly aloneBecause: string[];
  /** Messages that it has sent. */
  readonly exchanges: () => number;
  /** From now on no message of it arrives anywhere. */
  kill(): void;
  /** The next message of it arrives, and its answer does not. */
  loseAnswer(): void;
  /** Ends as a command does. */
  leave(): Promise<void>;
}

export const token: Bucket = { key: 'token', perSecond: 25 };
export const list: Bucket = { key: 'endpoint:campaigns.list', perSecond: 5 };
export const create: Bucket = { key: 'endpoint:broadcasts.create', perSecond: 1 };

/**
 * Processes with one clock, which moves only when nothing else can happen, and one real database, which takes the time
 * from that clock.
 */
export function rateProcesses(url: string) {
  const client = new pg.Pool({ connectionString: url, max: 1 });
  // The server may stop first.
  client.on('error', () => undefined);
  let pending = 0;
  let setForwardMs = 0;
  const clock = eventClock(Date.UTC(2026, 5, 1, 12), () => pending > 0);
  const ask = async (message: RateMessage): Promise<RateAnswer> => {
    pending += 1;
    try {
      const at = new Date(clock.now() + setForwardMs).toISOString();
      const { rows } = await client.query(
        'SELECT herald.rate_exchange($1::jsonb, $2::timestamptz) AS answer',
        [JSON.stringify(message), at],
      );
      return rows[0].answer as RateAnswer;
    } finally {
      pending -= 1;
    }
  };
  const start = (options: ProcessOptions = {}): RateProcess => {
    const { share = 1, urgency = 'plan', tokenScope = 'one token' } = options;
    const aloneBecause: string[] = [];
    let leave: () => Promise<void> = async () => undefined;
    let isKilled = false;
    let losesAnswer = false;
    let exchanges = 0;
    const never = new Promise<never>(() => undefined);
    const store: RateStore = {
      exchange: async (message) => {
        exchanges += 1;
        await clock.sleep(WAY_MS);
        if (isKilled) return never;
        const answer = await ask(message);
        await clock.sleep(WAY_MS);
        if (losesAnswer) {
          losesAnswer = false;
          throw new Error('the connection was cut');
        }
        return isKilled ? never : answer;
      },
      beforeClose: (work) => (leave = work),
    };
    const ports = { clock, share, store, tokenScope, urgency: () => urgency, run: randomUUID() };
    return {
      limiter: new SharedLimiter({ ...ports, onAlone: (reason) => void aloneBecause.push(reason) }),
      aloneBecause,
      exchanges: () => exchanges,
      kill: () => void (isKilled = true),
      loseAnswer: () => void (losesAnswer = true),
      leave: () => leave(),
    };
  };
  return {
    clock,
    client,
    start,
    ask,
    /** Sets the clock of the database. */
    setForward: (ms: number) => void (setForwardMs += ms),
    end: () => client.end(),
  };
}

/** A server that counts strictly: in no second, wherever it begins, more arrivals than the limit. */
export function strictServer(clock: Clock) {
  const arrivals = new Map<string, number[]>();
  return {
    tooMany: 0,
    arrive(buckets: readonly Bucket[]) {
      const now = clock.monotonicMs();
      for (const { key, perSecond } of buckets) {
        const recent = (arrivals.get(key) ?? []).filter((at) => now - at < 1000);
        if (recent.length >= perSecond) this.tooMany += 1;
        arrivals.set(key, [...recent, now]);
      }
    },
  };
}
