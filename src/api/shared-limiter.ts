import type { Clock } from '../domain/ports.ts';
import type { Bucket, RateBudget, Slot } from '../domain/rate-budget.ts';
import { URGENCIES, type RateMessage, type RateStore, type Urgency } from '../domain/rate-store.ts';
import { FallbackLimiter } from './fallback-limiter.ts';
import { queuesOf, scopeOf, type Asked, type Ticket } from './rate-asks.ts';
import { RateReports } from './rate-reports.ts';
import { RateTalk } from './rate-talk.ts';
import { RequestQueues, type Waiting } from './request-queues.ts';

export interface SharedLimiterPorts {
  readonly clock: Clock;
  /** The part of every rate that all processes take together, above 0 and at most 1. */
  readonly share: number;
  readonly store: RateStore;
  /** Names the token without revealing it. */
  readonly tokenScope: string;
  readonly urgency: () => Urgency;
  /** A UUID of this process. */
  readonly run: string;
  /** Called when the processes cannot be asked, with the reason. */
  readonly onAlone: (reason: string) => void;
}

/** Others learn of an answer within this time. A place is held for longer anyway. */
const REPORT_WITHIN_MS = 150;
/** A process with requests under way is heard at least this often. One that is silent for 10 s counts as ended. */
const HEARTBEAT_MS = 3_000;
/** How often a process that is alone asks for the others. */
const PROBE_MS = 5_000;
/** A grant that was not used so long after its begin is given back. */
const USE_WITHIN_MS = 1_000;
/** The part of its share that a process takes while it cannot ask the others. */
const ALONE_PART = 1 / 4;

/**
 * Keeps all processes of one token under the published rates together (decision 42). It asks the store for grants, several at
 * once and ahead of their time, and reports each answer, from which on a place is held for one second. While the store
 * cannot be reached, requests go on at a quarter of the share.
 */
export class SharedLimiter implements RateBudget {
  readonly #ports: SharedLimiterPorts;
  readonly #talk: RateTalk;
  readonly #queues = new RequestQueues<readonly Bucket[]>();
  readonly #reports = new RateReports();
  /** All buckets that were used, by key. */
  readonly #buckets = new Map<string, Bucket>();
  readonly #blockedUntilMs = new Map<string, number>();
  /** Grants that wait for their begin, by queue. */
  readonly #tickets = new Map<string, Ticket[]>();
  readonly #nextAskMs = new Map<string, number>();
  /** Numbers of grants with a request under way. */
  readonly #open = new Set<number>();
  #alone: FallbackLimiter | null = null;
  #exchanging: Promise<void> | null = null;
  #next = 1;
  #heardMs = 0;
  #isDueSoon = false;
  #wakeUp = new AbortController();

  constructor(ports: SharedLimiterPorts) {
    this.#ports = ports;
    this.#talk = new RateTalk(ports.store, ports.clock);
    ports.store.beforeClose(() => this.#leave());
  }

  reserveOrder(): number {
    return this.#queues.reserveOrder();
  }

  acquire(buckets: readonly Bucket[], signal?: AbortSignal, turn = this.reserveOrder()): Promise<Slot> {
    signal?.throwIfAborted();
    for (const bucket of buckets) this.#buckets.set(bucket.key, bucket);
    return this.#queues.add(
      { buckets, order: turn, signal, facts: buckets },
      {
        onAdded: (waiting) => {
          this.#alone?.ask(waiting);
          this.#lookSoon();
        },
        onLeft: (waiting) => {
          this.#alone?.forget(waiting);
          this.#lookSoon();
        },
      },
    );
  }

  penalise(bucket: Bucket, ms: number): void {
    const now = this.#ports.clock.monotonicMs();
    const untilMs = Math.max(this.#blockedUntilMs.get(bucket.key) ?? 0, now + ms);
    this.#blockedUntilMs.set(bucket.key, untilMs);
    this.#reports.blocked(scopeOf(bucket, this.#ports.tokenScope), bucket.key, untilMs, now);
    this.#alone?.penalise(bucket, ms);
    this.#lookSoon();
  }

  /** Once for all requests that are asked for at the same moment. */
  #lookSoon(): void {
    if (this.#isDueSoon) return;
    this.#isDueSoon = true;
    queueMicrotask(() => {
      this.#isDueSoon = false;
      this.#look();
    });
  }

  /** Grants what may begin, asks for more if it is time, and sets the timer for what is next. */
  #look(): void {
    const now = this.#ports.clock.monotonicMs();
    this.#wakeUp.abort();
    for (const [queueKey, tickets] of this.#tickets) this.#serve(queueKey, tickets, now);
    const exchangeMs = this.#exchanging === null ? this.#exchangeDueMs(now) : Infinity;
    if (exchangeMs <= now) {
      this.#exchanging = this.#exchange().finally(() => {
        this.#exchanging = null;
        this.#lookSoon();
      });
    }
    const starts = [...this.#tickets.values()].map(([first]) => first?.startsMs ?? Infinity);
    const nextMs = Math.min(exchangeMs <= now ? Infinity : exchangeMs, ...starts);
    // An idle limiter must not keep the process alive.
    if (nextMs < Infinity) this.#startTimer(nextMs - now);
  }

  #serve(queueKey: string, tickets: Ticket[], now: number): void {
    const blocked = this.#isBlocked(this.#queues.head(queueKey)?.facts ?? [], now);
    const isUsable = ({ usableUntilMs }: Ticket) => !blocked && usableUntilMs >= now;
    const usable = tickets.filter(isUsable).slice(0, this.#queues.length(queueKey));
    for (const ticket of tickets) if (!usable.includes(ticket)) this.#reports.unused(ticket.number, now);
    const later = usable.filter(({ startsMs }) => startsMs > now);
    if (later.length === 0) this.#tickets.delete(queueKey);
    else this.#tickets.set(queueKey, later);
    for (const ticket of usable) {
      const waiting = this.#queues.head(queueKey);
      if (ticket.startsMs <= now && waiting !== undefined) this.#grant(waiting, ticket);
    }
  }

  #grant(waiting: Waiting<readonly Bucket[]>, ticket: Ticket): void {
    const { number } = ticket;
    this.#queues.remove(waiting);
    this.#open.add(number);
    const end = (after: (now: number) => void) => {
      if (!this.#open.delete(number)) return;
      after(this.#ports.clock.monotonicMs());
      this.#lookSoon();
    };
    waiting.grant({
      answered: () => end((now) => this.#reports.answered(number, now)),
      // The next request of the same buckets may use it.
      abandon: () =>
        end(() => {
          const others = this.#tickets.get(waiting.queueKey) ?? [];
          this.#tickets.set(waiting.queueKey, [ticket, ...others]);
        }),
      isOpen: () => !this.#isBlocked(waiting.facts, this.#ports.clock.monotonicMs()),
    });
  }

  #isBlocked(buckets: readonly Bucket[], now: number): boolean {
    return buckets.some(({ key }) => (this.#blockedUntilMs.get(key) ?? 0) > now);
  }

  #exchangeDueMs(now: number): number {
    if (this.#alone !== null && this.#queues.isEmpty) return Infinity;
    if (this.#talk.isStuck) return now + PROBE_MS;
    if (this.#alone !== null) return this.#heardMs + PROBE_MS;
    const beats = this.#open.size > 0 ? this.#heardMs + HEARTBEAT_MS : Infinity;
    const asks = [...this.#queues.heads()]
      .map(({ queueKey }) => queueKey)
      .filter((key) => this.#queues.length(key) > (this.#tickets.get(key)?.length ?? 0))
      .map((key) => this.#nextAskMs.get(key) ?? now);
    return Math.min(beats, this.#reports.sinceMs + REPORT_WITHIN_MS, ...asks);
  }

  /** One exchange, repeated while the store may only be late. */
  async #exchange(): Promise<void> {
    const { clock, share, tokenScope, onAlone } = this.#ports;
    const asked: Asked[] =
      this.#alone === null
        ? queuesOf(this.#queues, this.#tickets, this.#nextAskMs, {
            share,
            tokenScope,
            now: clock.monotonicMs(),
          })
        : [];
    const result = await this.#talk.exchange(() => this.#message(asked, false));
    const now = clock.monotonicMs();
    this.#heardMs = now;
    if (result.kind === 'failed') {
      if (this.#alone !== null) return;
      onAlone(result.reason);
      this.#alone = new FallbackLimiter(clock, share * ALONE_PART, this.#queues, () => this.#lookSoon());
      this.#alone.begin(this.#buckets.values());
      return;
    }
    const { granted, again_ms: againMs } = result.answer;
    for (const { queue, number, in_ms: inMs } of granted) {
      const queueKey = asked[queue]?.queueKey ?? '';
      const ticket = { number, startsMs: now + inMs, usableUntilMs: result.sentMs + inMs + USE_WITHIN_MS };
      this.#tickets.set(queueKey, [...(this.#tickets.get(queueKey) ?? []), ticket]);
      this.#next = Math.max(this.#next, number + 1);
    }
    for (const { queueKey, count } of asked) {
      const got = granted.filter(({ queue }) => asked[queue]?.queueKey === queueKey).length;
      if (got < count && againMs !== null) this.#nextAskMs.set(queueKey, now + againMs);
      else this.#nextAskMs.delete(queueKey);
    }
    this.#alone?.end();
    this.#alone = null;
  }

  #message(asked: readonly Asked[], leaves: boolean): Omit<RateMessage, 'turn'> & { arrived: () => void } {
    const { clock, run, tokenScope, urgency } = this.#ports;
    const { reports, arrived } = this.#reports.take(clock.monotonicMs());
    const scopes = [...this.#buckets.values()].map((bucket) => scopeOf(bucket, tokenScope));
    return {
      run,
      urgency: URGENCIES.indexOf(urgency()),
      scopes: [tokenScope, ...new Set(scopes.filter((scope) => scope !== tokenScope))],
      first: this.#next,
      ...reports,
      queues: asked.map(({ buckets, waiting }) => ({ buckets, waiting })),
      asks: asked
        .flatMap(({ orders }, queue) => orders.map((order) => ({ order, queue })))
        .toSorted((left, right) => left.order - right.order)
        .map(({ queue }) => queue),
      leaves,
      arrived,
    };
  }

  /** Gives back all places, so that the others need not wait for them. */
  async #leave(): Promise<void> {
    this.#wakeUp.abort();
    await this.#exchanging;
    if (this.#talk.hasNotBegun || this.#alone !== null) return;
    const now = this.#ports.clock.monotonicMs();
    for (const number of this.#open) this.#reports.answered(number, now);
    for (const tickets of this.#tickets.values())
      for (const { number } of tickets) this.#reports.unused(number, now);
    await this.#talk.say(() => this.#message([], true));
  }

  #startTimer(ms: number): void {
    this.#wakeUp = new AbortController();
    this.#ports.clock.sleep(Math.max(0, ms), this.#wakeUp.signal).then(
      () => this.#look(),
      () => undefined,
    );
  }
}
