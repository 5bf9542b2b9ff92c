import type { Clock } from '../domain/ports.ts';
import type { HeldLease } from './lease.ts';
import {
  COLUMNS,
  isStart,
  type Begun,
  type Fact,
  type Hindrance,
  type NewRequest,
  type ObjectKey,
  type ObjectNews,
  type ObjectRow,
  type OpenRequest,
  type Outcome,
  type RequestRow,
  type StartCheck,
} from './shapes.ts';
import { nextSeq, type Place, type Query, type Row, type Value } from './sql.ts';

/** What `end` records. */
export interface Ending {
  readonly outcome: Outcome;
  /** The id that the service gave, for a create. */
  readonly live_id?: string | null;
  /** What is worth keeping of the answer. */
  readonly answer?: unknown;
  /** What a person wrote who closes it. */
  readonly because?: string | null;
}

/** What a person forgets: an object that the service does not have any more. */
export type ForgottenObject = ObjectKey & Pick<RequestRow, 'account'>;

/** What the checks of a request look at. */
type Checked = Pick<
  RequestRow,
  'entry' | 'operation' | 'account_id' | 'kind' | 'name' | 'live_id' | 'target' | 'content'
>;

/** A run, as its requests name it. */
export interface Run {
  /** Random, and part of the name of each of its requests. It is also the fence of its lease. */
  readonly run: string;
  /** The person, for the history. */
  readonly who: string | null;
  readonly clock: Clock;
}

/** The requests of one run. */
export class Requests {
  protected readonly place: Place;
  protected readonly run: Run;
  /** Null for a run without the lease: it starts nothing. */
  protected lease: HeldLease | null = null;
  /** The last copy of each open request, and since when this process knows it, on its monotonic clock. */
  readonly #copies = new Map<string, { readonly sent_at: number; readonly sinceMs: number }>();
  #count = 0;

  protected constructor(place: Place, run: Run) {
    this.place = place;
    this.run = run;
  }

  /**
   * Records a request right before its first byte leaves. `check` is what a start must not overlook, and a start needs it and
   * the lease; null for all else. The same transaction checks that no stop by hand and no other request forbids the start. For a
   * stop, the answer has the starts that it may have come too early for.
   */
  async begin(request: NewRequest, check: StartCheck | null): Promise<Begun> {
    const entry = this.#nextEntry();
    const sentAt = this.run.clock.now();
    const checked = { ...request, entry };
    const { database, service, workspace } = this.place;
    const begun = await database.transaction(async (query, attempt): Promise<Begun> => {
      const key = [workspace, service(), entry];
      const [earlier] = attempt > 1 ? await query(database.statements.request, key) : [];
      if (earlier !== undefined) return this.#begun(query, checked, Number(earlier['seq']));
      const seq = await this.#checkedSeq(query, checked, check);
      if (typeof seq !== 'number') return { kind: 'refused', hindrance: seq };
      // The indexes of the table refuse a second start, too, whatever was checked.
      await query(database.statements.insertRequest, this.#rowOf(request, entry, seq, sentAt));
      return this.#begun(query, checked, seq);
    });
    if (begun.kind === 'begun') this.#know(entry, sentAt);
    return begun;
  }

  /** Records that one more copy of a request leaves. `unheard_copy`: an earlier one got no answer and may still take effect. */
  async repeat(
    entry: string,
    { check, unheard_copy }: { readonly check: StartCheck | null; readonly unheard_copy: boolean },
  ): Promise<Begun> {
    const { database, service, workspace } = this.place;
    const sentAt = this.run.clock.now();
    const begun = await database.transaction(async (query): Promise<Begun> => {
      const [row] = await query(database.statements.request, [workspace, service(), entry]);
      if (row === undefined) return { kind: 'refused', hindrance: { kind: 'ended' } };
      const request = requestRow(row);
      const seq = await this.#checkedSeq(query, request, check);
      if (typeof seq !== 'number') return { kind: 'refused', hindrance: seq };
      const values = [workspace, service(), entry, sentAt, unheard_copy ? 1 : 0];
      const [repeated] = await query(database.statements.repeatRequest, values);
      if (repeated === undefined) return { kind: 'refused', hindrance: { kind: 'ended' } };
      return this.#begun(query, request, request.seq);
    });
    if (begun.kind === 'begun') this.#know(entry, sentAt);
    return begun;
  }

  /** The last byte of a copy has left, or can leave no more: from here on its age counts. Without it, from `begin` on. */
  left(entry: string): void {
    const copy = this.#copies.get(entry);
    if (copy !== undefined) this.#know(entry, copy.sent_at);
  }

  /**
   * Records how a request ended, with the facts that follow from it, in one transaction. False if it had ended before: by a
   * person, or by another run. An end needs no lease: what has happened is true for every run.
   */
  async end(entry: string, ending: Ending, facts: readonly Fact[] = []): Promise<boolean> {
    const { database, service, workspace } = this.place;
    const { outcome, live_id = null, answer = null, because = null } = ending;
    const endedAtMs = this.run.clock.now();
    const text = answer === null ? null : JSON.stringify(answer);
    return database.transaction(async (query, attempt) => {
      const { statements } = database;
      const key = [workspace, service(), entry];
      const values = [...key, outcome, endedAtMs, text, because, live_id];
      const [ended] = await query(statements.endRequest, values);
      if (ended === undefined) {
        const [row] = attempt > 1 ? await query(statements.request, key) : [];
        return row !== undefined && row['outcome'] === outcome && row['ended_at'] === endedAtMs;
      }
      await recordFacts(query, this.place, facts);
      return true;
    });
  }

  /**
   * A person has found out how a request ended; false if it had ended before. The caller has waited for its window, so nothing
   * waits for it any more.
   */
  closeRequest(entry: string, because: string): Promise<boolean> {
    return this.end(entry, { outcome: 'closed', because }, [{ kind: 'window-over', entry }]);
  }

  /**
   * A person knows that the service does not have an object any more. It is removed, and the reason is in the history. False if
   * it is not on record.
   */
  async forget({ account, ...object }: ForgottenObject, because: string): Promise<boolean> {
    const { database, service, workspace } = this.place;
    const entry = this.#nextEntry();
    const sentAt = this.run.clock.now();
    const { account_id, kind, live_id } = object;
    return database.transaction(async (query, attempt) => {
      const { statements } = database;
      const key = [workspace, service()];
      const [gone] = await query(statements.forgetObject, [...key, account_id, kind, live_id]);
      if (gone === undefined)
        return attempt > 1 && (await query(statements.request, [...key, entry])).length > 0;
      const request: NewRequest = {
        ...object,
        operation: 'state.forget',
        command: 'state forget',
        account,
        name: String(gone['name']),
        target: null,
        purpose: null,
        content: null,
        asked: null,
      };
      const seq = (await nextSeq(query, this.place, null)) ?? 0;
      await query(statements.insertRequest, this.#rowOf(request, entry, seq, sentAt));
      await query(statements.endRequest, [...key, entry, 'closed', sentAt, null, because, null]);
      return true;
    });
  }

  /** Requests that may still take effect, oldest first. Their age counts from when this process first knew them: after `take`. */
  async open(): Promise<readonly OpenRequest[]> {
    const { database, service, workspace } = this.place;
    const rows = await database.read(database.statements.open, [workspace, service()]);
    const nowMs = this.run.clock.monotonicMs();
    return rows.map((row) => {
      const request = requestRow(row);
      const { entry, sent_at } = request;
      // Another process may have sent one more copy since the last look.
      if (this.#copies.get(entry)?.sent_at !== sent_at) this.#copies.set(entry, { sent_at, sinceMs: nowMs });
      return { ...request, known_ms: nowMs - (this.#copies.get(entry)?.sinceMs ?? nowMs) };
    });
  }

  #nextEntry(): string {
    return `${this.run.run}-${(this.#count += 1)}`;
  }

  #know(entry: string, sent_at: number): void {
    this.#copies.set(entry, { sent_at, sinceMs: this.run.clock.monotonicMs() });
  }

  /** The next number, or why nothing may be sent. */
  async #checkedSeq(query: Query, request: Checked, check: StartCheck | null): Promise<number | Hindrance> {
    if (isStart(request)) {
      if (check === null) throw new Error('a start is checked');
      if (this.lease === null) return { kind: 'lease-lost' };
    }
    const seq = await nextSeq(query, this.place, this.lease === null ? null : this.run.run);
    return seq === null ? { kind: 'lease-lost' } : ((await this.#hindrance(query, request, check)) ?? seq);
  }

  async #hindrance(query: Query, request: Checked, check: StartCheck | null): Promise<Hindrance | null> {
    const { database, service, workspace } = this.place;
    const { statements } = database;
    const { account_id, kind, name, live_id, entry, operation } = request;
    if (operation === 'payouts.request') {
      const [other] = await query(statements.openPayout, [workspace, service(), account_id, entry]);
      return other === undefined ? null : { kind: 'open-payout', request: requestRow(other) };
    }
    if (check === null) return null;
    const names = [name, check.other_name ?? name];
    const values = [workspace, service(), account_id, kind, check.after_seq, ...names, live_id];
    const [stop] = await query(statements.stopByHand, values);
    if (stop !== undefined) return { kind: 'stopped-by-hand', request: requestRow(stop) };
    const [near] = await this.#openNear(query, request, names);
    return near === undefined ? null : { kind: isStart(near) ? 'open-start' : 'open-stop', request: near };
  }

  async #openNear(
    query: Query,
    { account_id, kind, content, entry, live_id }: Checked,
    names: readonly string[],
  ): Promise<readonly RequestRow[]> {
    const { database, service, workspace } = this.place;
    const values = [workspace, service(), account_id, kind, ...names, content, entry, live_id];
    return (await query(database.statements.openNear, values)).map(requestRow);
  }

  async #begun(query: Query, request: Checked, seq: number): Promise<Begun> {
    const { entry, name } = request;
    if (isStart(request) || (request.kind !== 'campaign' && request.kind !== 'broadcast'))
      return { kind: 'begun', entry, seq, open_starts: [] };
    const near = await this.#openNear(query, { ...request, content: null }, [name, name]);
    return { kind: 'begun', entry, seq, open_starts: near.filter(isStart) };
  }

  #rowOf(request: NewRequest, entry: string, seq: number, sentAt: number): readonly Value[] {
    const { service, workspace } = this.place;
    const { run, who } = this.run;
    const { command, operation, account, account_id, kind, name, live_id, target, purpose, content } =
      request;
    const about = [command, operation, account, account_id, kind, name, live_id, target, purpose, content];
    const sent = [JSON.stringify(request.asked ?? null), sentAt, 0];
    return [workspace, service(), seq, entry, run, who, ...about, ...sent, null, null, null, null];
  }
}

/** A row as it is in the table. */
export function requestRow(row: Row): RequestRow {
  return row as unknown as RequestRow;
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
