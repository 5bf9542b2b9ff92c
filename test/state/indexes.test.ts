import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { statementsIn } from '../../src/state/sql.ts';

/** SQLite has no statistics here, as in a new state. */
const connection = new DatabaseSync(':memory:');
const { tables, open, openNear, openPayout, stopByHand, historyOfName, objects } = statementsIn('');
for (const statement of tables) connection.exec(statement);

it.each([
  ['the open requests', open, 'open_requests'],
  ['what is open about a name or an object', openNear, 'open_requests'],
  ['the open payout of an account', openPayout, /open_requests|one_payout/],
  ['stops by hand of a name or an object', stopByHand, 'stops_by_hand'],
  ['the history of a name', historyOfName, 'requests_of_name'],
  [
    'the objects of an account',
    objects,
    'sqlite_autoindex_object_1 (workspace=? AND service=? AND account_id=?)',
  ],
])('%s are found without reading what has ended', (_what, statement, index) => {
  const plan = connection.prepare(`EXPLAIN QUERY PLAN ${statement}`).all({}) as { detail: string }[];
  expect(plan[0]?.detail).toEqual(
    typeof index === 'string' ? expect.stringContaining(index) : expect.stringMatching(index),
  );
});
