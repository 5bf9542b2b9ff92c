import { objectKey } from '../domain/knowledge.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';

/** A status change that may still land, although the object was brought to a status since. */
export interface Unheard {
  readonly target: string | null;
  /** Epoch milliseconds of this machine. */
  readonly sentAtMs: number;
}

type About = Pick<IntentLine, 'call' | 'account_id' | 'kind' | 'live_id' | 'target'>;

/**
 * Remembers the copies of status changes that nobody answered: one that lands late undoes what was decided
 * after it, so nothing else is asked of its object before it cannot come any more (rulebook 1.2.2).
 */
export class UnheardStatuses {
  readonly #intents = new Map<string, About>();
  readonly #last = new Map<string, Unheard>();

  constructor(lines: readonly LedgerLine[]) {
    for (const line of lines) if (line.type === 'intent') this.intended(line.entry, line);
    for (const line of lines) if (line.type === 'outcome') this.concluded(line.entry, line);
  }

  intended(entry: string, intent: About): void {
    this.#intents.set(entry, intent);
  }

  concluded(entry: string, { unheard_ms: sentAtMs }: Pick<OutcomeLine, 'unheard_ms'>): void {
    const intent = this.#intents.get(entry);
    if (intent === undefined || intent.call !== 'status' || sentAtMs === null) return;
    const key = objectKey(intent.account_id, intent.kind, intent.live_id ?? '');
    const known = this.#last.get(key);
    if (known === undefined || known.sentAtMs < sentAtMs)
      this.#last.set(key, { target: intent.target, sentAtMs });
  }

  /** By `objectKey`; null when every copy was heard. */
  of(key: string): Unheard | null {
    return this.#last.get(key) ?? null;
  }
}
