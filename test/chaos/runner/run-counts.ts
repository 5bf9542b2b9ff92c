import { renderTable } from '../../../src/render/table.ts';
import type { Result } from '../drive.ts';
import { FAULT_NAMES } from '../fault-rows.ts';
import { FINDING_KINDS, findingsIn } from './answers.ts';
import type { Answer } from './thread.ts';

/** A fault that a long run meets less often than this is as good as never tried. */
const HITS_MIN = 5;
/** Fewer runs than this are a replay: nothing is asked of their counts. */
const RUNS_FOR_COUNTS = 2000;

/** What many runs came to. */
export class RunCounts {
  readonly #hits = new Map<string, number>();
  readonly #ends = new Map<string, number>();
  readonly #found = new Map<string, number>();
  #commands = 0;
  #runs = 0;

  add(answer: Answer<Result>): void {
    this.#runs += 1;
    for (const { kind } of findingsIn(answer)) increase(this.#found, kind, 1);
    if (!('result' in answer)) return;
    const { commands, hits, ends } = answer.result;
    this.#commands += commands;
    for (const [name, times] of hits) increase(this.#hits, name, times);
    for (const [name, times] of ends) increase(this.#ends, name, times);
  }

  /** Each fault, how often it struck, and how the runs that it struck ended. */
  table(): string {
    const outcomes = [...new Set([...this.#ends.keys()].map((key) => key.split(' → ')[1] ?? ''))].sort();
    const names = [...new Set([...FAULT_NAMES, ...this.#hits.keys()])].sort();
    const columns = ['fault', 'hits', ...outcomes].map((header, index) => ({
      header,
      align: index === 0 ? ('left' as const) : ('right' as const),
    }));
    const rows = names.map((name) => [
      name,
      String(this.#hits.get(name) ?? 0),
      ...outcomes.map((outcome) => String(this.#ends.get(`${name} → ${outcome}`) ?? '')),
    ]);
    return renderTable(columns, rows, { colour: false, width: Number.POSITIVE_INFINITY });
  }

  summary(seed: number, minutes: number): string {
    // A breakdown is told only where there is one: it is not a broken promise.
    const kinds = FINDING_KINDS.filter((kind) => kind !== 'breakdown' || this.#found.has(kind));
    const counts = kinds.map((kind) => `${kind}: ${this.#found.get(kind) ?? 0}`);
    return `${this.#runs} runs from seed ${seed}, ${this.#commands} commands: ${counts.join(', ')} in ${minutes.toFixed(1)} minutes`;
  }

  /** Faults that a long run should have met more often. */
  rare(): readonly string[] {
    if (this.#runs < RUNS_FOR_COUNTS) return [];
    return [...FAULT_NAMES].filter((name) => (this.#hits.get(name) ?? 0) < HITS_MIN);
  }
}

function increase(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
