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
  type ObjectRow,
  type OpenRequest,
  type Outcome,
  type RequestRow,
  type StartCheck,
} from './shapes.ts';
import type { Place, Query, Row, Statements, Value } from './sql.ts';

export interface Ending {
  readonly outcome: Outcome;
  /** The id that the service gave, for a create. */
  readonly live_id?: string | null;
  /** What is worth keeping of the answer. */
  readonly answer?: unknown;
  /** It ends only if no copy has left after this one. */
  readonly sent_at?: number;
  /** What a person wrote who closes it. */
  readonly because?: string | null;
}

export interface Run {
  /** Random, and part of the name of each of its requests. It is also the fence of its lease. */
  readonly run: string;
  /** The person, for the history. */
  readonly who: string | null;
  readonly clock: Clock;
  /** The time of the service, in epoch milliseconds, by the clock that is ahead. Left out: that of the machine. */
  readonly latestMs?: () => number;
}

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
   * the lease; null for all else. The same transaction checks that no stop by hand and no other request forbids the start.
   */
  async begin(request: NewRequest, check: StartCheck | null): Promise<Begun> {
    const row = this.#newRow(request);
    const begun = await this.place.database.transaction(async (query, attempt): Promise<Begun> => {
      const earlier = attempt > 1 ? await this.#findRequest(query, row.entry) : undefined;
      if (earlier !== undefined) return { kind: 'begun', entry: row.entry, seq: earlier.seq };
      const seq = await this.#checkedSeq(query, row, check);
      if (typeof seq !== 'number') return { kind: 'refused', hindrance: seq };
      // The indexes of the table refuse a second start, too, whatever was checked.
      await this.#insert(query, { ...row, seq });
      return { kind: 'begun', entry: row.entry, seq };
    });
    if (begun.kind === 'begun') this.#know(row.entry, row.sent_at);
    return begun;
  }

  /** Records that one more copy of a request leaves. `unheard_copy`: an earlier one got no answer and may still take effect. */
  async repeat(
    entry: string,
    { check, unheard_copy }: { readonly check: StartCheck | null; readonly unheard_copy: boolean },
  ): Promise<Begun> {
    const sentAt = this.#latestMs();
    const begun = await this.place.database.transaction(async (query): Promise<Begun> => {
      const request = await this.#findRequest(query, entry);
      if (request === undefined) return { kind: 'refused', hindrance: { kind: 'ended' } };
      const seq = await this.#checkedSeq(query, request, check);
      if (typeof seq !== 'number') return { kind: 'refused', hindrance: seq };
      const values = [entry, sentAt, unheard_copy ? 1 : 0];
      const [repeated] = await this.ask(query, this.statements.repeatRequest, ...values);
      if (repeated === undefined) return { kind: 'refused', hindrance: { kind: 'ended' } };
      return { kind: 'begun', entry, seq: request.seq };
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
    const { outcome, live_id = null, answer = null, because = null, sent_at = null } = ending;
    const endedAtMs = this.#latestMs();
    const kept = answer === null ? null : JSON.stringify(answer);
    const values = [outcome, endedAtMs, kept, because, live_id, sent_at];
    return this.place.database.transaction(async (query, attempt) => {
      const [ended] = await this.ask(query, this.statements.endRequest, entry, ...values);
      if (ended === undefined) {
        const row = attempt > 1 ? await this.#findRequest(query, entry) : undefined;
        return row?.outcome === outcome && row.ended_at === endedAtMs;
      }
      await this.recordFacts(query, facts);
      return true;
    });
  }

  /** For what a person knows to be gone; the history has the reason. False if it is not on record. */
  async forget(
    { account, ...object }: ObjectKey & Pick<RequestRow, 'account'>,
    because: string,
  ): Promise<boolean> {
    const operation = { operation: 'state.forget', command: 'state forget' };
    const row = this.#newRow({ ...object, ...operation, account, name: '' });
    const { account_id, kind, live_id } = object;
    return this.place.database.transaction(async (query, attempt) => {
      const [gone] = await this.ask(query, this.statements.forgetObject, account_id, kind, live_id);
      if (gone === undefined) return attempt > 1 && (await this.#findRequest(query, row.entry)) !== undefined;
      const seq = (await this.nextSeq(query, null)) ?? 0;
      const ended = { outcome: 'closed', ended_at: row.sent_at, because } as const;
      await this.#insert(query, { ...row, ...ended, seq, name: String(gone['name']) });
      return true;
    });
  }

  /** Requests that may still take effect, oldest first. Their age counts from when this process first knew them: after `take`. */
  async open(): Promise<readonly OpenRequest[]> {
    const requests = await this.read<RequestRow>(this.statements.open);
    const nowMs = this.run.clock.monotonicMs();
    return requests.map((request) => {
      const { entry, sent_at } = request;
      // Another process may have sent one more copy since the last look.
      if (this.#copies.get(entry)?.sent_at !== sent_at) this.#copies.set(entry, { sent_at, sinceMs: nowMs });
      return { ...request, known_ms: nowMs - (this.#copies.get(entry)?.sinceMs ?? nowMs) };
    });
  }

  /** Other runs ask how long ago something was, and whatever seems too recent to them costs a wait only. */
  #latestMs(): number {
    return this.run.latestMs?.() ?? this.run.clock.now();
  }

  #know(entry: string, sent_at: number): void {
    this.#copies.set(entry, { sent_at, sinceMs: this.run.clock.monotonicMs() });
  }

  /** The next number, or why nothing may be sent. */
  async #checkedSeq(
    query: Query,
    request: RequestRow,
    check: StartCheck | null,
  ): Promise<number | Hindrance> {
    if (isStart(request)) {
      if (check === null) throw new Error('a start is checked');
      if (this.lease === null) return { kind: 'lease-lost' };
    }
    const seq = await this.nextSeq(query, this.lease === null ? null : this.run.run);
    return seq === null ? { kind: 'lease-lost' } : ((await this.#hindrance(query, request, check)) ?? seq);
  }

  /** Also checks the lease: null if the run with this id has lost it. Without an id, nothing is checked. */
  protected async nextSeq(query: Query, fence: string | null): Promise<number | null> {
    const [row] = await query(this.statements.nextSeq, [this.place.workspace, fence]);
    return row === undefined ? null : Number(row['seq']);
  }

  async #hindrance(query: Query, request: RequestRow, check: StartCheck | null): Promise<Hindrance | null> {
    const { account_id, kind, name, content, entry, live_id, operation } = request;
    if (operation === 'payouts.request') {
      const [other] = await this.ask<RequestRow>(query, this.statements.openPayout, account_id, entry);
      return other === undefined ? null : { kind: 'open-payout', request: other };
    }
    if (check === null) return null;
    const stop = await this.stopByHand(request, check, query);
    if (stop !== undefined) return { kind: 'stopped-by-hand', request: stop };
    const about = [account_id, kind, name, check.other_name ?? name, content, entry, live_id];
    const [near] = await this.ask<RequestRow>(query, this.statements.openNear, ...about);
    return near === undefined ? null : { kind: isStart(near) ? 'open-start' : 'open-stop', request: near };
  }

  /** The last stop by hand that a start must not overlook, of its name or its object. */
  async stopByHand(
    { account_id, kind, name, live_id }: Pick<RequestRow, 'account_id' | 'kind' | 'name' | 'live_id'>,
    { after_seq, other_name }: StartCheck,
    query: Query = this.place.database.read,
  ): Promise<RequestRow | undefined> {
    const about = [account_id, kind, after_seq, name, other_name ?? name, live_id];
    const [stop] = await this.ask<RequestRow>(query, this.statements.stopByHand, ...about);
    return stop;
  }

  async #findRequest(query: Query, entry: string): Promise<RequestRow | undefined> {
    const [row] = await this.ask<RequestRow>(query, this.statements.request, entry);
    return row;
  }

  /** The row of a request that leaves now. It has no number yet. */
  #newRow(request: NewRequest): RequestRow {
    this.#count += 1;
    const { run, who } = this.run;
    return {
      live_id: null,
      target: null,
      purpose: null,
      content: null,
      ...request,
      asked: JSON.stringify(request.asked ?? null),
      seq: 0,
      entry: `${run}-${this.#count}`,
      run,
      who,
      sent_at: this.#latestMs(),
      unheard_copy: 0,
      outcome: null,
      ended_at: null,
      answer: null,
      because: null,
    };
  }

  async #insert(query: Query, row: RequestRow): Promise<void> {
    const columns = Object.keys(COLUMNS.request) as readonly (keyof RequestRow)[];
    await this.ask(query, this.statements.insertRequest, ...columns.map((column) => row[column]));
  }

  /** Records facts in the transaction of the request that they follow from. Recording them twice changes nothing. */
  protected async recordFacts(query: Query, facts: readonly Fact[]): Promise<void> {
    for (const fact of facts) await this.#recordFact(query, fact);
  }

  async #recordFact(query: Query, fact: Fact): Promise<unknown> {
    const { learnMedia, learnAlias, endWindow } = this.statements;
    switch (fact.kind) {
      case 'object':
        return this.#recordObject(query, fact.object);
      case 'status': {
        const { object, status, by, why } = fact;
        const seq = fact.seq ?? (await this.#statusSeq(query, object));
        const set = { status_set: status, status_by: by, status_why: why, status_seq: seq };
        return this.#recordObject(query, { ...object, ...set });
      }
      case 'media':
        return this.ask(query, learnMedia, fact.account_id, fact.digest, fact.media_id);
      case 'alias':
        return this.ask(query, learnAlias, fact.alias, fact.account_id);
      case 'window-over':
        return this.ask(query, endWindow, fact.entry, fact.sent_at ?? null);
    }
  }

  /** The request that set the last status of an object. What is only seen after it keeps that number. */
  async #statusSeq(query: Query, { account_id, kind, live_id }: ObjectKey): Promise<number> {
    const [row] = await this.ask(query, this.statements.statusSeq, account_id, kind, live_id);
    return Number(row?.['status_seq'] ?? 0);
  }

  async #recordObject(query: Query, news: Partial<ObjectRow>): Promise<void> {
    const row: Partial<ObjectRow> = { status_seq: 0, ...news };
    const columns = Object.keys(COLUMNS.object) as readonly (keyof ObjectRow)[];
    const values = columns.filter((column) => column !== 'first_seq').map((column) => row[column] ?? null);
    await this.ask(query, this.statements.learnObject, ...values);
  }

  protected get statements(): Statements {
    return this.place.database.statements;
  }

  /** Sends a statement about the service of this state. */
  protected async ask<Found = Row>(
    query: Query,
    statement: string,
    ...values: readonly Value[]
  ): Promise<readonly Found[]> {
    const { workspace, service } = this.place;
    return (await query(statement, [workspace, service(), ...values])) as readonly Found[];
  }

  protected read<Found = Row>(statement: string, ...values: readonly Value[]): Promise<readonly Found[]> {
    return this.ask<Found>(this.place.database.read, statement, ...values);
  }
}
