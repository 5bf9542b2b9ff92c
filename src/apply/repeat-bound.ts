import type { AccountId, LiveId } from '../domain/ids.ts';
import { objectKey } from '../domain/knowledge.ts';
import type { Clock } from '../domain/ports.ts';
import type { Kind } from '../domain/resource.ts';
import type { TargetStatus } from '../domain/status.ts';

/** One command repeats the same status change for no longer than this. */
const REPEATS_MS = 120_000;

/** A status change: which object, and which status it is to get. */
export interface StatusChange {
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly liveId: LiveId;
  readonly target: TargetStatus;
}

/**
 * Since when one command has asked for each status change without an answer. It is shared by all rounds of the
 * command: each of them repeats what the one before could not confirm, and together they must come to an end.
 *
 * | since the first copy | a round begins               | a copy got no answer |
 * |----------------------|------------------------------|----------------------|
 * | up to two minutes    | it asks                      | it is repeated       |
 * | longer               | it asks once, the first time | it is not repeated   |
 *
 * Two time-outs take longer than two minutes, and what is to be stopped must not run on for want of one more request.
 */
export class RepeatBound {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #sinceMs = new Map<string, number>();
  readonly #askedLast = new Set<string>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** A copy is about to leave. */
  sends(change: StatusChange): void {
    const key = keyOf(change);
    if (!this.#sinceMs.has(key)) this.#sinceMs.set(key, this.#clock.monotonicMs());
  }

  /** The service has answered it, or certainly not seen it. */
  isCertain(change: StatusChange): void {
    this.#sinceMs.delete(keyOf(change));
    this.#askedLast.delete(keyOf(change));
  }

  /** Why a round does not ask for it any more; null to ask. */
  reasonNotToBegin(change: StatusChange): string | null {
    const reason = this.reasonNotToRepeat(change);
    if (reason === null || this.#askedLast.has(keyOf(change))) return reason;
    this.#askedLast.add(keyOf(change));
    return null;
  }

  /** How long it may still be repeated; not above zero once that is over. */
  leftMs(change: StatusChange): number {
    const sinceMs = this.#sinceMs.get(keyOf(change));
    return sinceMs === undefined ? REPEATS_MS : sinceMs + REPEATS_MS - this.#clock.monotonicMs();
  }

  /** Why it is not repeated any more; null as long as it may be. */
  reasonNotToRepeat(change: StatusChange): string | null {
    return this.leftMs(change) > 0
      ? null
      : `not confirmed within ${REPEATS_MS / 60_000} minutes, so this run does not repeat it`;
  }
}

function keyOf({ accountId, kind, liveId, target }: StatusChange): string {
  return `${objectKey(accountId, kind, liveId)} ${target}`;
}
