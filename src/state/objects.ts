import { nextSeq, type Place } from './place.ts';
import type { Fact, Known, ObjectNews, ObjectRow } from './shapes.ts';
import { COLUMNS } from './schema.ts';
import type { Query, Row, Value } from './sql.ts';

/** Records what was learned, in a transaction of its own. */
export async function learn(place: Place, facts: readonly Fact[]): Promise<void> {
  if (facts.length > 0) await place.database.transaction((query) => recordFacts(query, place, facts));
}

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
  place: Place,
  news: ObjectNews,
  status: Partial<ObjectRow>,
): Promise<void> {
  const { database, workspace, service } = place;
  // Only a new row takes this number: an object that is known keeps its own.
  const first_seq = await lastSeq(query, place);
  const row: Partial<ObjectRow> = { status_seq: 0, first_seq, ...news, ...status };
  const values = (Object.keys(COLUMNS.object) as readonly (keyof ObjectRow)[]).map(
    (column): Value => row[column] ?? null,
  );
  await query(database.statements.learnObject, [workspace, service(), ...values]);
}

async function lastSeq(query: Query, { database, workspace }: Place): Promise<number> {
  const [row] = await query(database.statements.workspace, [workspace]);
  return Number(row?.['seq'] ?? 0);
}

/** What is known of these accounts, and of the whole workspace. */
export async function known(place: Place, accountIds: readonly string[]): Promise<Known> {
  const { database, workspace, service } = place;
  const { statements, read } = database;
  const key = [workspace, service()];
  // The number comes first: a stop by hand that is recorded between these statements is news then, and not overlooked.
  const [row] = await read(statements.workspace, [workspace]);
  const objects: ObjectRow[] = [];
  const media: Known['media'][number][] = [];
  for (const id of accountIds) {
    for (const one of await read(statements.objects, [...key, id])) objects.push(objectRow(one));
    for (const one of await read(statements.media, [...key, id]))
      media.push(one as unknown as Known['media'][number]);
  }
  const aliases = (await read(statements.aliases, key)) as unknown as Known['aliases'];
  return { objects, media, aliases, seq: Number(row?.['seq'] ?? 0), isCut: row?.['cut'] === 1 };
}

/** Objects on record as ours that nothing has stopped, on every account: also on those that the workspace no longer reads. */
export async function running({ database, workspace, service }: Place): Promise<readonly ObjectRow[]> {
  return (await database.read(database.statements.running, [workspace, service()])).map(objectRow);
}

/** Objects with this id, of either kind and on any account. */
export async function findById(
  { database, workspace, service }: Place,
  liveId: string,
): Promise<readonly ObjectRow[]> {
  const rows = await database.read(database.statements.objectsById, [workspace, service(), liveId]);
  return rows.map(objectRow);
}

/** How many objects are known. */
export async function countObjects({ database, workspace, service }: Place): Promise<number> {
  const [row] = await database.read(database.statements.countObjects, [workspace, service()]);
  return Number(row?.['n'] ?? 0);
}

/** A row as it is in the table. */
function objectRow(row: Row): ObjectRow {
  return row as unknown as ObjectRow;
}
