import { objectKey } from '../domain/knowledge.ts';
import { laterOf, leftOf, type Left } from './ages.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';

/** A status change that may still land, although the object was brought to a status since. */
export interface LateStatusChange extends Left {
  readonly entry: string;
  readonly target: string | null;
}

type About = Pick<IntentLine, 'call' | 'account_id' | 'kind' | 'live_id' | 'target'>;

/** How the entry of a change ended, as far as it is known. */
interface End {
  /** False as long as every line about it says `unknown`. */
  readonly certain: boolean;
  /** The last copy of which nothing was heard; null when there is none. */
  readonly left: Left | null;
}

/**
 * Remembers the copies of status changes that nobody answered: one that lands late undoes what was decided
 * after it, so nothing else is asked of its object before it cannot come any more (ERROR-8).
 */
export class LateStatusChanges {
  readonly #intents = new Map<string, About>();
  readonly #entries = new Map<string, Set<string>>();
  readonly #ends = new Map<string, End>();

  constructor(lines: readonly LedgerLine[]) {
    for (const line of lines) if (line.type === 'intent') this.intended(line.entry, line);
    for (const line of lines) if (line.type === 'outcome') this.concluded(line.entry, line);
    for (const line of lines)
      // The process died before it heard anything.
      if (line.type === 'intent' && !this.#ends.has(line.entry))
        this.#ends.set(line.entry, { certain: false, left: leftOf(line) });
  }

  /** Lines that another run has added since. */
  add(lines: readonly LedgerLine[]): void {
    for (const line of lines) {
      if (line.type === 'intent') {
        this.intended(line.entry, line);
        // Until its end is on record it may be on its way.
        if (!this.#ends.has(line.entry)) this.#ends.set(line.entry, { certain: false, left: leftOf(line) });
      }
      if (line.type === 'outcome') this.concluded(line.entry, line);
    }
  }

  intended(entry: string, intent: About): void {
    if (intent.call !== 'status') return;
    const key = objectKey(intent.account_id, intent.kind, intent.live_id ?? '');
    this.#intents.set(entry, intent);
    this.#entries.set(key, (this.#entries.get(key) ?? new Set()).add(entry));
  }

  /** What is certain takes the place of what was unknown, in whatever order the lines stand. */
  concluded(entry: string, line: Pick<OutcomeLine, 'outcome' | 'unheard_ms' | 'skew_ms'>): void {
    const certain = line.outcome !== 'unknown';
    const known = this.#ends.get(entry);
    if (known?.certain === true && !certain) return;
    const { unheard_ms, skew_ms } = line;
    const left = unheard_ms === null ? null : leftOf({ sent_at_ms: unheard_ms, skew_ms });
    this.#ends.set(entry, { certain, left: known?.certain === certain ? latest(known.left, left) : left });
  }

  /** The last one of each entry, by `objectKey`; none when every copy was heard. */
  of(key: string): readonly LateStatusChange[] {
    return [...(this.#entries.get(key) ?? [])].flatMap((entry) => {
      const left = this.#ends.get(entry)?.left ?? null;
      return left === null ? [] : [{ entry, target: this.#intents.get(entry)?.target ?? null, ...left }];
    });
  }
}

function latest(one: Left | null, other: Left | null): Left | null {
  return one === null || other === null ? (one ?? other) : laterOf(one, other);
}
