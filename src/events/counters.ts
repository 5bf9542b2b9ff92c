/** What a receiver counts since it started. */
export const COUNTED = [
  'received',
  'stored',
  'repeated',
  'not_stored',
  'unknown_kind',
  'not_json',
  'unknown_account',
  'wrong_path',
  'wrong_method',
  'wrong_source',
  'wrong_signature',
  'too_large',
  'cut_off',
  'overload',
] as const;
export type Counted = (typeof COUNTED)[number];
export type Counts = Readonly<Record<Counted, number>>;

/** Says the same thing at most so often. */
const SAY_EVERY_MS = 60_000;

export class Counters {
  readonly counts: Record<Counted, number>;
  readonly #say: (what: Counted, count: number) => void;
  readonly #now: () => number;
  readonly #saidMs = new Map<Counted, number>();

  /** `say` gets what went wrong, at most once a minute for each kind of problem. */
  constructor(now: () => number, say: (what: Counted, count: number) => void) {
    this.counts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Record<Counted, number>;
    this.#now = now;
    this.#say = say;
  }

  count(what: Counted): void {
    this.counts[what] += 1;
  }

  /** Counts something that an operator should see. */
  complain(what: Counted): void {
    this.count(what);
    const nowMs = this.#now();
    if (nowMs - (this.#saidMs.get(what) ?? Number.NEGATIVE_INFINITY) < SAY_EVERY_MS) return;
    this.#saidMs.set(what, nowMs);
    this.#say(what, this.counts[what]);
  }
}
