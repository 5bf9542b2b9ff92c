import { objectKey } from '../domain/knowledge.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';

/** A status change that may still land, although the object was brought to a status since. */
export interface Unheard {
  readonly target: string | null;
  /** Epoch milliseconds of this machine. */
  readonly sentAtMs: number;
}

type About = Pick<IntentLine, 'call' | 'account_id' | 'kind' | 'live_id' | 'target'>;

/** How the entry of a change ended, as far as it is known. */
interface End {
  /** False as long as every line about it says `unknown`. */
  readonly certain: boolean;
  /** When its last copy left of which nothing was heard; null when there is none. */
  readonly sentAtMs: number | null;
}

/**
 * Remembers the copies of status changes that nobody answered: one that lands late undoes what was decided
 * after it, so nothing else is asked of its object before it cannot come any more (rulebook 1.2.2).
 */
export class UnheardStatuses {
  readonly #intents = new Map<string, About>();
  readonly #entries = new Map<string, Set<string>>();
  readonly #ends = new Map<string, End>();

  constructor(lines: readonly LedgerLine[]) {
    for (const line of lines) if (line.type === 'intent') this.intended(line.entry, line);
    for (const line of lines) if (line.type === 'outcome') this.concluded(line.entry, line);
    for (const line of lines)
      // The process died before it heard anything.
      if (line.type === 'intent' && !this.#ends.has(line.entry))
        this.#ends.set(line.entry, { certain: false, sentAtMs: line.sent_at_ms });
  }

  intended(entry: string, intent: About): void {
    if (intent.call !== 'status') return;
    const key = objectKey(intent.account_id, intent.kind, intent.live_id ?? '');
    this.#intents.set(entry, intent);
    this.#entries.set(key, (this.#entries.get(key) ?? new Set()).add(entry));
  }

  /** What is certain takes the place of what was unknown, in whatever order the lines stand. */
  concluded(entry: string, line: Pick<OutcomeLine, 'outcome' | 'unheard_ms'>): void {
    const certain = line.outcome !== 'unknown';
    const known = this.#ends.get(entry);
    if (known?.certain === true && !certain) return;
    const sentAtMs = known?.certain === certain ? latest(known.sentAtMs, line.unheard_ms) : line.unheard_ms;
    this.#ends.set(entry, { certain, sentAtMs });
  }

  /** By `objectKey`; null when every copy was heard. */
  of(key: string): Unheard | null {
    let last: Unheard | null = null;
    for (const entry of this.#entries.get(key) ?? []) {
      const sentAtMs = this.#ends.get(entry)?.sentAtMs ?? null;
      if (sentAtMs !== null && (last === null || last.sentAtMs < sentAtMs))
        last = { target: this.#intents.get(entry)?.target ?? null, sentAtMs };
    }
    return last;
  }
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
