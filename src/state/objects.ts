import { COLUMNS } from './schema.ts';
import type { Fact, ObjectNews, ObjectRow } from './shapes.ts';
import { nextSeq, type Place, type Query, type Value } from './sql.ts';

/** Records facts in the transaction of the request that they follow from. Recording them twice changes nothing. */
export async function recordFacts(query: Query, place: Place, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) await recordFact(query, place, fact);
}

async function recordFact(query: Query, place: Place, fact: Fact): Promise<void> {
  const { database, workspace, service } = place;
  const { statements } = database;
  const key = [workspace, service()];
  switch (fact.kind) {
    case 'object':
      return recordObject(query, place, fact.object, {});
    case 'status': {
      const seq = fact.seq ?? (await nextSeq(query, place, null)) ?? 0;
      const { status, by, why } = fact;
      const set = { status_set: status, status_by: by, status_why: why, status_seq: seq };
      return recordObject(query, place, fact.object, set);
    }
    case 'media':
      await query(statements.learnMedia, [...key, fact.account_id, fact.digest, fact.media_id]);
      return;
    case 'alias':
      await query(statements.learnAlias, [...key, fact.alias, fact.account_id]);
      return;
    case 'window-over':
      await query(statements.endWindow, [...key, fact.entry]);
      return;
  }
}

async function recordObject(
  query: Query,
  { database, workspace, service }: Place,
  news: ObjectNews,
  status: Partial<ObjectRow>,
): Promise<void> {
  const row: Partial<ObjectRow> = { status_seq: 0, ...news, ...status };
  const columns = Object.keys(COLUMNS.object) as readonly (keyof ObjectRow)[];
  const values = columns
    .filter((column) => column !== 'first_seq')
    .map((column): Value => row[column] ?? null);
  await query(database.statements.learnObject, [workspace, service(), ...values]);
}
