import { afterAll, beforeAll } from 'vitest';
import { builtHerald, type RealHerald } from './real-herald.ts';
import { sharedPostgres, type SharedPostgres } from './shared-postgres.ts';

export interface HeraldWithPostgres {
  readonly herald: RealHerald;
  readonly server: SharedPostgres;
}

/** The built command line and a database server for the tests of a file. They are there once the first test begins. */
export function heraldWithPostgres(): HeraldWithPostgres {
  const server = sharedPostgres();
  let herald: RealHerald | null = null;
  beforeAll(() => {
    herald = builtHerald();
  });
  afterAll(() => herald?.dispose());
  return {
    server,
    get herald() {
      if (herald === null) throw new Error('the command line is there once the first test begins');
      return herald;
    },
  };
}
