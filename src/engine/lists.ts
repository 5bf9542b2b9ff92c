import { isUnread, ServiceError } from '../api/errors.ts';
import type { Change } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { KINDS, type Declared, type Kind, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { isStopped, showsTarget, readStatus, type TargetStatus } from '../domain/status.ts';
import { Moment } from '../domain/time.ts';
import { scanScope } from '../live/scan.ts';
import { listIds } from '../plan/decide/decision.ts';
import { isDenied, type Obstacle } from './reasons.ts';
import { lagMs, listServesMs, type Run } from './run.ts';

/** A complete list of an account and kind, and when its reading began. */
interface List {
  readonly byName: ReadonlyMap<string, readonly Observed[]>;
  readonly begunAt: Moment;
}

/** One account as the plan saw it and as this run has changed it, with the lists by which its creates and starts go. */
export class AccountLists {
  readonly #run: Run;
  readonly #account: ResolvedAccount;
  readonly #planned: ReadonlyMap<string, Observed>;
  readonly #lists = new Map<Kind, List>();
  /** What this run has stopped, by id: to which status, and when by the monotonic clock. */
  readonly #stopped = new Map<string, { readonly status: TargetStatus; readonly atMs: number }>();

  constructor(
    run: Run,
    account: ResolvedAccount,
    { observed, begunAt }: { readonly observed: readonly Observed[]; readonly begunAt: Moment },
  ) {
    this.#run = run;
    this.#account = account;
    const own = observed.filter(({ accountId }) => accountId === account.accountId);
    this.#planned = new Map(own.map((one) => [`${one.kind}/${one.live.id}`, one]));
    for (const kind of KINDS)
      this.#lists.set(kind, { begunAt, byName: groupByName(own.filter((one) => one.kind === kind)) });
  }

  planned(kind: Kind, liveId: string | null): Observed | undefined {
    return this.#planned.get(`${kind}/${liveId ?? ''}`);
  }

  /** An object as it should be by now: as the plan saw it, with the status to which this run has stopped it. */
  expected(kind: Kind, liveId: string): Observed | undefined {
    const object = this.planned(kind, liveId);
    const stopped = this.#stopped.get(liveId);
    if (object === undefined || stopped === undefined) return object;
    return { ...object, live: { ...object.live, status: stopped.status } };
  }

  /** The ids of the name of what is created or started, by a list that is less than 30 s old, or why that must not be. */
  async findBaseline(change: Change, declared: Declared | null): Promise<readonly string[] | Obstacle> {
    const { name, kind } = change.address;
    const list = await this.#readFresh(kind);
    if ('kind' in list) return list;
    const surprise = this.#findSurprise(change, declared, list);
    if (surprise !== null) return surprise;
    return (list.byName.get(name) ?? []).map(({ live }) => live.id);
  }

  async #readFresh(kind: Kind): Promise<List | Obstacle> {
    const known = this.#lists.get(kind);
    if (known !== undefined && known.begunAt.elapsedMs(this.#run.clock) <= listServesMs(this.#run))
      return known;
    const begunAt = new Moment(this.#run.clock);
    try {
      // What it is for has its turn already.
      const observed = await scanScope(this.#run.client.urgent(), { account: this.#account, kind });
      const list = { byName: groupByName(observed), begunAt };
      this.#lists.set(kind, list);
      return list;
    } catch (error) {
      if (!isUnread(error)) throw error;
      const isRefused = error instanceof ServiceError && isDenied(error.problem);
      return { kind: 'unread', message: error.message, isDenied: isRefused };
    }
  }

  /** Objects of the name that the plan did not know, or that run although it knew them stopped; its own are as the plan saw them. */
  #findSurprise(change: Change, declared: Declared | null, list: List): Obstacle | null {
    const names = [change.address.name, declared?.renamedFrom ?? null].filter((name) => name !== null);
    const own = listIds(change);
    const ids = names
      .flatMap((name) => list.byName.get(name) ?? [])
      .filter((one) => this.#isSurprise(one, list, own.includes(one.live.id)))
      .map(({ live }) => live.id);
    return ids.length === 0 ? null : { kind: 'list-changed', ids };
  }

  #isSurprise({ kind, live }: Observed, { begunAt }: List, isOwn: boolean): boolean {
    const stopped = this.#stopped.get(live.id);
    // A list may lag behind a stop of this run.
    if (stopped !== undefined)
      return !showsTarget(live, stopped.status) && begunAt.monotonicMs - stopped.atMs >= lagMs(this.#run);
    const before = this.planned(kind, live.id)?.live;
    if (before === undefined) return true;
    return isOwn ? readStatus(before) !== readStatus(live) : isStopped(before) && !isStopped(live);
  }

  noteStatus(liveId: string, status: TargetStatus): void {
    if (isStopped({ status })) this.#stopped.set(liveId, { status, atMs: this.#run.clock.monotonicMs() });
    else this.#stopped.delete(liveId);
  }
}

function groupByName(observed: readonly Observed[]): List['byName'] {
  return groupBy(observed, ({ live }) => live.name ?? '');
}
