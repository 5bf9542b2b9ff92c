import type { Send } from '../api/client.ts';
import { InvalidCallError } from '../api/errors.ts';
import type { Exchange } from '../api/send-call.ts';
import {
  isStart,
  type Fact,
  type NewRequest,
  type Outcome,
  type RequestRow,
  type StartCheck,
} from '../state/shapes.ts';
import { isDenied, type Obstacle } from './reasons.ts';
import { repeatedForMs, type Run } from './run.ts';
import { hasCode } from '../domain/herald-error.ts';

/** A request that changes something, with its place in the state. */
export interface Intent<Reply> {
  readonly request: NewRequest;
  /** What a start must not overlook; null for all else. */
  readonly check: StartCheck | null;
  readonly send: Send<Reply>;
  /** Why it must not leave any more, as time went by: asked right before each copy, with the end of the copy before. */
  readonly obstacle?: (earlier: Exchange<unknown> | null) => Obstacle | null | Promise<Obstacle | null>;
  /** What an answer that is a success by its status comes to. Null: it does not tell, so that the request stays open. */
  readonly judge?: (reply: Reply) => Outcome | null;
  /** What follows from its success, recorded together with its end. */
  readonly facts?: (reply: Reply, seq: number) => readonly Fact[];
  /** The id that the service gave, of a create; null if it gave none. */
  readonly createdId?: (reply: Reply) => string | null;
  /** A stop by hand is sent although the state cannot record it. */
  readonly goesUnrecorded?: boolean;
  /** The record of an earlier run: this is one more copy of its request. */
  readonly earlier?: { readonly entry: string; readonly seq: number };
}

/** How a request ended. `failed` proves that the service did not act, `unknown` proves nothing. */
export type Sent<Reply> =
  /**
   * `unrecorded` is why the state does not have it, and `entry` its place there. `news` is what its end records. `stop`: a stop by
   * hand came while this start was under way, so it stays open until what it started is stopped: a run after a kill goes on from
   * there.
   */
  | {
      readonly kind: 'done';
      readonly reply: Reply;
      readonly unrecorded: string | null;
      readonly entry: string | null;
      readonly news: readonly Fact[];
      readonly stop: Obstacle | null;
    }
  | { readonly kind: 'failed'; readonly obstacle: Obstacle }
  | { readonly kind: 'unknown'; readonly obstacle: Obstacle; readonly entry: string | null };

/** What an end is called in the state. A 429 was not carried out. */
const OUTCOMES = {
  done: 'done',
  refused: 'refused',
  throttled: 'refused',
  not_sent: 'not_sent',
} as const satisfies Record<Exclude<Exchange<unknown>['kind'], 'unknown'>, Outcome>;

/**
 * The only place from which a request that starts or stops something leaves. It waits for its turn within the published
 * rates, is recorded, is checked, and leaves within five seconds of that. So whatever may have been carried out is on
 * record, and its window never began much earlier than its record says. What got no answer stays open in the state, and
 * nothing else of its name or content starts until it is settled.
 */
export async function send<Reply>(run: Run, intent: Intent<Reply>): Promise<Sent<Reply>> {
  const copies = new Copies(run, intent);
  let exchange: Exchange<Reply>;
  try {
    exchange = await intent.send((earlier) => copies.record(earlier));
  } catch (error) {
    if (!hasCode(error, 'state-') && !(error instanceof InvalidCallError)) throw error;
    return copies.endUnsent({ kind: 'unrecorded', message: error.message, wasSent: copies.maybeSent });
  }
  if (exchange.kind === 'not_sent' && copies.obstacle !== null) return copies.endUnsent(copies.obstacle);
  return copies.end(exchange);
}

/** The copies of one request: the first one, and those that leave because an earlier one got no answer. */
class Copies<Reply> {
  readonly #run: Run;
  readonly #intent: Intent<Reply>;
  readonly #beganMs: number;
  #begun: { readonly entry: string; readonly seq: number } | null;
  /** Why the last copy did not leave. */
  obstacle: Obstacle | null = null;
  /** A copy left and got no answer: of this run, or of an earlier one. */
  maybeSent: boolean;
  #isRepeat = false;
  /** Why the state does not have this request, although it was sent. */
  #unrecorded: string | null = null;

  constructor(run: Run, intent: Intent<Reply>) {
    this.#run = run;
    this.#intent = intent;
    this.#beganMs = run.clock.monotonicMs();
    this.#begun = intent.earlier ?? null;
    this.maybeSent = intent.earlier !== undefined;
  }

  /** Records that a copy leaves. Returns why it must not, in a word for the client. */
  async record(earlier: Exchange<unknown> | null): Promise<string | null> {
    this.#isRepeat ||= earlier?.kind === 'unknown';
    this.maybeSent ||= this.#isRepeat;
    if (this.#isRepeat && this.#run.clock.monotonicMs() - this.#beganMs > repeatedForMs(this.#run))
      return 'it was not repeated any longer';
    this.obstacle = (await this.#reasonToStay(earlier)) ?? (await this.#begin());
    return this.obstacle?.kind ?? null;
  }

  async #reasonToStay(earlier: Exchange<unknown> | null): Promise<Obstacle | null> {
    // A change that has begun is finished after an interrupt, but what gets no answer is not repeated any more.
    if (this.#isRepeat && this.#run.interrupted.aborted) return { kind: 'interrupted' };
    return (await this.#intent.obstacle?.(earlier)) ?? null;
  }

  async #begin(): Promise<Obstacle | null> {
    if (this.#unrecorded !== null) return null;
    const { state } = this.#run;
    const { request, check } = this.#intent;
    try {
      // The windows of copies of an earlier run are over.
      const begun =
        this.#begun === null
          ? await state.begin(request, check)
          : await state.repeat(this.#begun.entry, { check, unheard_copy: this.#isRepeat });
      if (begun.kind === 'refused') return { kind: 'hindered', hindrance: begun.hindrance };
      this.#begun = begun;
    } catch (error) {
      if (!hasCode(error, 'state-') || this.#intent.goesUnrecorded !== true) throw error;
      this.#unrecorded = error.message;
    }
    return null;
  }

  /** Nothing left, or nothing more. An earlier copy without an answer keeps its request open. */
  async endUnsent(obstacle: Obstacle): Promise<Sent<Reply>> {
    if (this.maybeSent) return { kind: 'unknown', obstacle, entry: this.#begun?.entry ?? null };
    if (this.#begun !== null) await this.#end('not_sent', {}, []);
    return { kind: 'failed', obstacle };
  }

  async end(exchange: Exchange<Reply>): Promise<Sent<Reply>> {
    const { request, check, createdId, facts, judge } = this.#intent;
    const entry = this.#begun?.entry ?? null;
    // What becomes of one more copy proves nothing about an earlier one without an answer, unless the service knows the request.
    const isFinal = exchange.kind === 'refused' && !isDenied(exchange.problem);
    if (exchange.kind === 'unknown' || (this.maybeSent && exchange.kind !== 'done' && !isFinal)) {
      // Its last byte left at this moment at the latest.
      if (this.#begun !== null) this.#run.state.left(this.#begun.entry);
      return {
        kind: 'unknown',
        obstacle: { kind: 'no-answer', problem: exchange.problem, operation: request.operation },
        entry,
      };
    }
    if (exchange.kind === 'done') {
      const { reply } = exchange;
      const made = createdId === undefined ? {} : { live_id: createdId(reply) };
      const stop =
        check === null || !isStart(request)
          ? null
          : await findStopByHand(this.#run, { live_id: null, ...request, ...made }, check);
      const judged = judge === undefined ? 'done' : judge(reply);
      const outcome = stop === null ? judged : null;
      const news = facts?.(reply, this.#begun?.seq ?? 0) ?? [];
      const done = { kind: 'done', reply, entry, news, stop } as const;
      if (outcome === null) {
        if (entry !== null) this.#run.state.left(entry);
        return { ...done, unrecorded: null };
      }
      const unrecorded = await this.#end(outcome, made, outcome === 'done' ? news : []);
      return { ...done, unrecorded };
    }
    const { problem } = exchange;
    await this.#end(OUTCOMES[exchange.kind], { answer: { status: problem.status, what: problem.what } }, []);
    const kind = exchange.kind === 'not_sent' ? 'not-sent' : 'refused';
    return { kind: 'failed', obstacle: { kind, problem } };
  }

  /** Returns why the end could not be recorded. The request is open then, and the next run asks the lists. */
  async #end(
    outcome: Outcome,
    ending: { readonly live_id?: string | null; readonly answer?: unknown },
    facts: readonly Fact[],
  ): Promise<string | null> {
    if (this.#begun === null) return this.#unrecorded;
    try {
      await this.#run.state.end(this.#begun.entry, { outcome, ...ending }, facts);
      return null;
    } catch (error) {
      if (!hasCode(error, 'state-')) throw error;
      return error.message;
    }
  }
}

/** The stop by hand that forbids a start. A state that cannot be read tells of none. */
export async function findStopByHand(
  { state }: Run,
  about: Pick<RequestRow, 'account_id' | 'kind' | 'name' | 'live_id'>,
  check: StartCheck,
): Promise<Obstacle | null> {
  const request = await state.stopByHand(about, check).catch(() => undefined);
  return request === undefined ? null : { kind: 'hindered', hindrance: { kind: 'stopped-by-hand', request } };
}
