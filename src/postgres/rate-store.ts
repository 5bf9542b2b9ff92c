import type { RateAnswer, RateMessage, RateStore } from '../domain/rate-store.ts';
import type { Database } from './database.ts';

/** The rates that all processes with one token share, and what to do before the connection ends. */
export interface PostgresRates extends RateStore {
  /** Lets each user of the rates give back what it holds. */
  end(): Promise<void>;
}

/** One statement for each exchange, which relies on no session. */
export function postgresRates(database: Database): PostgresRates {
  const leaving = new Set<() => Promise<void>>();
  return {
    exchange: async (message: RateMessage) => {
      const [row] = await database.query('SELECT herald.rate_exchange($1::jsonb) AS answer', [
        JSON.stringify(message),
      ]);
      return row?.['answer'] as RateAnswer;
    },
    beforeClose: (leave) => void leaving.add(leave),
    end: async () => {
      await Promise.all([...leaving].map((leave) => leave()));
    },
  };
}
