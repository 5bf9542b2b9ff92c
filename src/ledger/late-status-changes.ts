import { objectKey } from '../domain/knowledge.ts';
import { laterOf, sendTimeOf, type SendTime } from './ages.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';

/** A status change that may still be executed, although the object got another status since. */
export interface LateStatusChange extends SendTime {
  readonly entry: string;
  readonly target: string | null;
  /** Another copy of it got an answer, so its entry is closed, and no run waits for it at its end. */
  readonly isClosed: boolean;
}

type About = Pick<IntentLine, 'call' | 'account_id' | 'kind' | 'live_id' | 'target'>;

/** How the entry of a change ended, as far as it is known. */
interface End {
  /** False as long as every line about it says `unknown`. */
  readonly certain: boolean;
  /** The last copy without an answer; null if there is none. */
  readonly left: SendTime | null;
}

/**
 * Remembers copies of status changes that got no answer. A late one can undo a later decision, so Herald sends no other
 * status change for the object until the copy can no longer be executed (ERROR-8).
 */
export class LateStatusChanges {
  readonly #intents = new Map<string, About>();
  readonly #entries = new Map<string, Set<string>>();
  readonly #ends = new Map<string, End>();

  constructor(lines: readonly LedgerLine[]) {
    for (const line of lines) if (line.type === 'intent') this.intended(line.entry, line);
    for (const line of lines) if (line.type === 'outcome') this.concluded(line.entry, line);
    for (const line of lines)
      // The process died before it got an answer.
      if (line.type === 'intent' && !this.#ends.has(line.entry))
        this.#ends.set(line.entry, { certain: false, left: sendTimeOf(line) });
  }

  /** Lines that another run has added since. */
  add(lines: readonly LedgerLine[]): void {
    for (const line of lines) {
      if (line.type === 'intent') {
        this.intended(line.entry, line);
        // Until its outcome is recorded, it may be under way.
        if (!this.#ends.has(line.entry))
          this.#ends.set(line.entry, { certain: false, left: sendTimeOf(line) });
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

  /** A known outcome replaces an unknown one, in any order of the lines. */
  concluded(entry: string, line: Pick<OutcomeLine, 'outcome' | 'unheard_ms' | 'skew_ms'>): void {
    const certain = line.outcome !== 'unknown';
    const known = this.#ends.get(entry);
    if (known?.certain === true && !certain) return;
    const { unheard_ms, skew_ms } = line;
    const left = unheard_ms === null ? null : sendTimeOf({ sent_at_ms: unheard_ms, skew_ms });
    this.#ends.set(entry, { certain, left: known?.certain === certain ? latest(known.left, left) : left });
  }

  /** The last one of each entry, by `objectKey`; none if every copy got an answer. */
  of(key: string): readonly LateStatusChange[] {
    return [...(this.#entries.get(key) ?? [])].flatMap((entry) => {
      const end = this.#ends.get(entry);
      if (end === undefined || end.left === null) return [];
      const target = this.#intents.get(entry)?.target ?? null;
      return [{ entry, target, isClosed: end.certain, ...end.left }];
    });
  }
}

function latest(one: SendTime | null, other: SendTime | null): SendTime | null {
  return one === null || other === null ? (one ?? other) : laterOf(one, other);
}
