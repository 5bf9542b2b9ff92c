import type { SendTime } from './ages.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import type { LinePlace } from './object-times.ts';
import { ORDER_ERROR_MS, writtenTime } from './order.ts';
import { objectKey } from '../domain/knowledge.ts';
import { STATUS_MAY_LAG_MS } from '../domain/status.ts';

/** The last status change or recall of an object that was answered with success. */
export interface AnsweredChange {
  readonly entry: string;
  /** The status that it asked for. Null for a recall. */
  readonly target: string | null;
  /** When its answer was written down. */
  readonly answered: SendTime;
}

type Timed = AnsweredChange & Pick<LinePlace, 'ms' | 'place'>;

/** By `objectKey`, as JSON. */
export type KeptAnswers = readonly (readonly [string, Timed])[];

/** Older ones than that, next to the last line of the ledger, are not needed: reads show them by then. */
const NEEDED_MS = STATUS_MAY_LAG_MS + ORDER_ERROR_MS;

/** So many are held at least before those that are too old are let go of. */
const HELD = 64;

/** An answer as its lines have it. Of a long ledger almost none is looked at: by then, most are too old. */
interface Noted extends Pick<LinePlace, 'ms' | 'place'> {
  readonly line: LedgerLine;
  readonly intent: IntentLine & { readonly live_id: string };
}

/**
 * Status changes and recalls that were answered in the last seconds before the last line of the ledger. Only a few are held,
 * however long the ledger is.
 */
export class RecentAnswers {
  readonly #last: Map<string, Timed>;
  #noted: Noted[] = [];
  #full = HELD;

  constructor(kept: KeptAnswers = []) {
    this.#last = new Map(kept);
  }

  /** An answer of that time. `lastMs`: when the line was written that was written last so far. */
  note(line: LedgerLine, intent: IntentLine | undefined, { ms, place }: LinePlace, lastMs: number): void {
    if (intent === undefined || line.type !== 'outcome' || line.outcome !== 'done') return;
    const { call, target } = intent;
    const isChange = call === 'unsend' || (call === 'status' && target !== null);
    if (!isChange || !hasId(intent)) return;
    if (!Number.isFinite(ms) || ms < lastMs - NEEDED_MS) return;
    this.#noted.push({ line, intent, ms, place });
    if (this.#noted.length >= this.#full) this.#settle(lastMs);
  }

  /** By `objectKey`. Later lines do not change the result. */
  since(lastMs: number): ReadonlyMap<string, AnsweredChange> {
    this.#settle(lastMs);
    return new Map(this.#last);
  }

  kept(lastMs: number): KeptAnswers {
    this.#settle(lastMs);
    return [...this.#last];
  }

  /** Keeps the last answer of each object, and lets go of those that are too old. */
  #settle(lastMs: number): void {
    for (const { line, intent, ms, place } of this.#noted) {
      if (ms < lastMs - NEEDED_MS) continue;
      const { account_id: accountId, kind, live_id: liveId, target, entry } = intent;
      const key = objectKey(accountId, kind, liveId);
      const known = this.#last.get(key);
      if (known !== undefined && (known.ms > ms || (known.ms === ms && known.place > place))) continue;
      this.#last.set(key, { entry, target, answered: writtenTime(line), ms, place });
    }
    this.#noted = [];
    for (const [key, { ms }] of this.#last) if (ms < lastMs - NEEDED_MS) this.#last.delete(key);
    this.#full = Math.max(HELD, 2 * this.#last.size);
  }
}

function hasId(intent: IntentLine): intent is Noted['intent'] {
  return intent.live_id !== null;
}
