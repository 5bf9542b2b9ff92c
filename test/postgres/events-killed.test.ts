import { expect, it } from 'vitest';
import { killOften, KILLS_MS_MAX, RESTARTS } from '../helpers/event-kills.ts';
import { heraldWithPostgres } from '../helpers/herald-with-postgres.ts';
import { listening } from '../helpers/listening.ts';
import { teamOf } from '../helpers/postgres-team.ts';

const real = heraldWithPostgres();

it(
  `a receiver with a database has each event that it acknowledged, after ${RESTARTS} kills at any moment`,
  { timeout: KILLS_MS_MAX },
  async () => {
    const { client, env, runner } = await teamOf(real);
    const { directory, run } = runner();
    await run('state', 'init');
    const acknowledged = await killOften(() => listening(real.herald, directory, [], env));
    const { rows } = await client.query<{ readonly id: string }>(
      `SELECT event::json->>'id' AS id FROM herald.events WHERE event::json->>'source' = 'webhook'`,
    );
    const stored = rows.map(({ id }) => id);
    expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
    expect(stored.length).toBe(new Set(stored).size);
  },
);
