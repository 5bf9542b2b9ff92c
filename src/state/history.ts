import { underLease, type Place } from './place.ts';
import { requestRow } from './requests.ts';
import type { HistoryFilter, Past, RequestRow } from './shapes.ts';
import type { Row } from './sql.ts';

/** Requests of one name, of one account or of the workspace, newest first. */
export async function history(place: Place, filter: HistoryFilter): Promise<readonly RequestRow[]> {
  const { database, workspace, service } = place;
  const { statements, read } = database;
  const { address, account_id = null, entry, before_seq = Number.MAX_SAFE_INTEGER, limit } = filter;
  const key = [workspace, service()];
  const rows: readonly Row[] =
    entry !== undefined
      ? await read(statements.request, [...key, entry])
      : address !== undefined
        ? await read(statements.historyOfName, [
            ...key,
            address.account_id,
            address.kind,
            address.name,
            before_seq,
            limit,
          ])
        : await read(statements.history, [...key, account_id, before_seq, limit]);
  return rows.map(requestRow);
}

/** Stops by hand that were recorded after a number, oldest first: by this run or by any other. */
export async function stopsSince(place: Place, seq: number): Promise<readonly RequestRow[]> {
  const { database, workspace, service } = place;
  const rows = await database.read(database.statements.stopsSince, [workspace, service(), seq]);
  return rows.map(requestRow);
}

/** What ended requests still say about the objects of these accounts. */
export async function past(place: Place, accountIds: readonly string[]): Promise<Past> {
  const { database, workspace, service } = place;
  const { statements, read } = database;
  const statusTimes = new Map<number, number>();
  const refused: Past['refused'][number][] = [];
  for (const id of accountIds) {
    const key = [workspace, service(), id];
    for (const row of await read(statements.statusTimes, key))
      statusTimes.set(Number(row['seq']), Number(row['sent_at']));
    for (const row of await read(statements.refused, key))
      refused.push(row as unknown as Past['refused'][number]);
  }
  return { statusTimes, refused };
}

/** Deletes requests that ended before a time, in epoch milliseconds. What is known of objects stays. */
export async function prune(place: Place, fence: string, beforeMs: number): Promise<number> {
  const { database, workspace, service } = place;
  const rows = await underLease(place, fence, (query) =>
    query(database.statements.prune, [workspace, service(), beforeMs]),
  );
  return rows.length;
}
