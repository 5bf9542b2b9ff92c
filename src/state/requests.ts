import type { Clock } from '../domain/ports.ts';
import { isUniqueViolation } from './problems.ts';
import type {
  Begun,
  Fact,
  Hindrance,
  NewRequest,
  OpenRequest,
  Outcome,
  RequestRow,
  StartCheck,
} from './shapes.ts';
import { recordFacts } from './objects.ts';
import type { Query, Row, Value } from './sql.ts';
import type { Place } from './place.ts';

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

/** The requests of one run. */
export class Requests {
  readonly #place: Place;
  /** Null for a run without the lease: it may only stop things. */
  readonly #fence: () => string | null;
  readonly #run: { readonly id: string; readonly who: string | null };
  readonly #clock: Clock;
  /** Since when this process knows each unconfirmed request, on its monotonic clock. */
  readonly #knownSinceMs = new Map<string, number>();
  #count = 0;

  constructor(
    place: Place,
    run: { readonly id: string; readonly who: string | null; readonly fence: () => string | null },
    clock: Clock,
  ) {
    this.#place = place;
    this.#run = run;
    this.#fence = run.fence;
    this.#clock = clock;
  }

  /**
   * Records a request right before its first byte leaves. For a start, the same transaction checks that no stop by hand and no
   * other start forbids it.
   */
  async begin(request: NewRequest, check: StartCheck | null): Promise<Begun> {
    const entry = `${this.#run.id}-${(this.#count += 1)}`;
    const { database, service } = this.#place;
    const begun = await this.#refusingSecond(request, entry, () =>
      database.transaction(async (query, attempt): Promise<Begun> => {
        const { statements } = database;
        if (attempt > 1) {
          const [earlier] = await query(statements.request, [this.#place.workspace, service(), entry]);
          if (earlier !== undefined) return { kind: 'begun', entry, seq: Number(earlier['seq']) };
        }
        const seq = await this.#nextSeq(query);
        if (seq === null) return refused({ kind: 'lease-lost' });
        const hindrance = await this.#hindrance(query, { ...request, entry }, check);
        if (hindrance !== null) return refused(hindrance);
        await query(statements.insertRequest, this.#rowOf(request, entry, seq));
        return { kind: 'begun', entry, seq };
      }),
    );
    if (begun.kind === 'begun') this.#knownSinceMs.set(entry, this.#clock.monotonicMs());
    return begun;
  }

  /** Records that one more copy of a request leaves. `unheard_copy`: an earlier one got no answer and may still take effect. */
  async repeat(
    { entry, ...request }: Pick<RequestRow, 'entry' | keyof NewRequest>,
    { check, unheard_copy }: { readonly check: StartCheck | null; readonly unheard_copy: boolean },
  ): Promise<Begun> {
    const { database, service, workspace } = this.#place;
    const begun = await database.transaction(async (query): Promise<Begun> => {
      const seq = await this.#nextSeq(query);
      if (seq === null) return refused({ kind: 'lease-lost' });
      const hindrance = await this.#hindrance(query, { ...request, entry }, check);
      if (hindrance !== null) return refused(hindrance);
      const values = [workspace, service(), entry, this.#clock.now(), unheard_copy ? 1 : 0];
      const [row] = await query(database.statements.repeatRequest, values);
      return row === undefined
        ? refused({ kind: 'ended' })
        : { kind: 'begun', entry, seq: Number(row['seq']) };
    });
    if (begun.kind === 'begun') this.#knownSinceMs.set(entry, this.#clock.monotonicMs());
    return begun;
  }

  /**
   * Records how a request ended, with the facts that follow from it, in one transaction. False if it had ended before: by a
   * person, or by another run. An end needs no lease: what has happened is true for every run.
   */
  async end(entry: string, ending: Ending, facts: readonly Fact[]): Promise<boolean> {
    const { database, service, workspace } = this.#place;
    const { outcome, live_id = null, answer = null, because = null } = ending;
    const endedAtMs = this.#clock.now();
    return database.transaction(async (query, attempt) => {
      const { statements } = database;
      const key = [workspace, service(), entry];
      const text = answer === null ? null : JSON.stringify(answer);
      const [ended] = await query(statements.endRequest, [
        ...key,
        outcome,
        endedAtMs,
        text,
        because,
        live_id,
      ]);
      if (ended === undefined) {
        const [row] = attempt > 1 ? await query(statements.request, key) : [];
        return row !== undefined && row['outcome'] === outcome && row['ended_at'] === endedAtMs;
      }
      await recordFacts(query, this.#place, facts);
      return true;
    });
  }

  /** All requests that may still take effect, oldest first. */
  async open(): Promise<readonly OpenRequest[]> {
    const { database, service, workspace } = this.#place;
    const rows = await database.read(database.statements.open, [workspace, service()]);
    const nowMs = this.#clock.monotonicMs();
    return rows.map((row) => {
      const request = requestRow(row);
      const sinceMs = this.#knownSinceMs.get(request.entry) ?? nowMs;
      this.#knownSinceMs.set(request.entry, sinceMs);
      return { ...request, known_ms: nowMs - sinceMs };
    });
  }

  async #nextSeq(query: Query): Promise<number | null> {
    const { database, workspace } = this.#place;
    const [row] = await query(database.statements.nextSeq, [workspace, this.#fence()]);
    return row === undefined ? null : Number(row['seq']);
  }

  async #hindrance(
    query: Query,
    request: Omit<NewRequest, 'asked'> & { readonly entry: string },
    check: StartCheck | null,
  ): Promise<Hindrance | null> {
    const { database, service, workspace } = this.#place;
    const { statements } = database;
    const { account_id, kind, name, live_id, content, entry, operation } = request;
    if (operation === 'payouts.request') {
      const [other] = await query(statements.openPayout, [workspace, service(), account_id, entry]);
      return other === undefined ? null : { kind: 'open-payout', request: requestRow(other) };
    }
    if (check === null) return null;
    const object = [workspace, service(), account_id, kind];
    const names = [name, check.other_name ?? name];
    const [stop] = await query(statements.stopByHand, [...object, check.after_seq, ...names, live_id]);
    if (stop !== undefined) return { kind: 'stopped-by-hand', request: requestRow(stop) };
    const [start] = await query(statements.openStart, [...object, ...names, content, entry]);
    return start === undefined ? null : { kind: 'open-start', request: requestRow(start) };
  }

  /** The indexes of the table refuse a second start even where the check before it did not see the first one. */
  async #refusingSecond(request: NewRequest, entry: string, work: () => Promise<Begun>): Promise<Begun> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !isUniqueViolation(error.cause)) throw error;
      const { database } = this.#place;
      const check = { after_seq: Number.MAX_SAFE_INTEGER, other_name: null };
      const found = await database.transaction((query) =>
        this.#hindrance(query, { ...request, entry }, check),
      );
      if (found === null) throw error;
      return refused(found);
    }
  }

  #rowOf(request: NewRequest, entry: string, seq: number): readonly Value[] {
    const { service, workspace } = this.#place;
    const { id: run, who } = this.#run;
    const { command, operation, account, account_id, kind, name, live_id, target, purpose, content } =
      request;
    const about = [command, operation, account, account_id, kind, name, live_id, target, purpose, content];
    const sent = [JSON.stringify(request.asked ?? null), this.#clock.now(), 0];
    return [workspace, service(), seq, entry, run, who, ...about, ...sent, null, null, null, null];
  }
}

function refused(hindrance: Hindrance): Begun {
  return { kind: 'refused', hindrance };
}

/** A row as it is in the table. */
export function requestRow(row: Row): RequestRow {
  return row as unknown as RequestRow;
}
