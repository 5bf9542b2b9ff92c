import { every, systemClock } from './clock.ts';

/** Where the line stands: a terminal's stream. */
interface ProgressPlace {
  write(text: string): unknown;
  readonly columns: () => number;
  /** False while something else stands on the line. */
  readonly isFree: () => boolean;
}

const CLEAR_LINE = '\r\u001b[2K';
/** A wait is shown when people begin to wonder. */
const TOLD_AFTER_MS = 1000;
const LOOK_EVERY_MS = 250;
const GAP = ' · ';

/** One line that is written over: how far the work is, and how long an answer has been awaited. */
export class ProgressLine {
  readonly #place: ProgressPlace;
  readonly #waits = new Set<{ readonly sinceMs: number }>();
  #stopLooking: (() => void) | null = null;
  #text = '';
  #shown = '';

  constructor(place: ProgressPlace) {
    this.#place = place;
  }

  show(text: string): void {
    this.#text = text;
    this.#draw();
  }

  /** Clears the line for other output. */
  end(): void {
    this.#text = '';
    this.#clear();
  }

  async awaiting<Result>(answer: Promise<Result>): Promise<Result> {
    const wait = { sinceMs: systemClock.monotonicMs() };
    this.#waits.add(wait);
    this.#stopLooking ??= every(LOOK_EVERY_MS, () => this.#draw());
    try {
      return await answer;
    } finally {
      this.#waits.delete(wait);
      if (this.#waits.size === 0) {
        this.#stopLooking?.();
        this.#stopLooking = null;
        this.#draw();
      }
    }
  }

  #clear(): void {
    if (this.#shown !== '') this.#place.write(CLEAR_LINE);
    this.#shown = '';
  }

  #draw(): void {
    const line = this.#line();
    if (line === this.#shown || !this.#place.isFree()) return;
    this.#clear();
    if (line === '') return;
    this.#place.write(line);
    this.#shown = line;
  }

  #line(): string {
    const columns = this.#place.columns() - 1;
    const wait = this.#waitWords();
    if (wait === '') return cutToWidth(this.#text, columns);
    const text = cutToWidth(this.#text, columns - wait.length - GAP.length - 1);
    return text === '' ? cutToWidth(wait, columns) : text + GAP + wait;
  }

  /** `waiting for the service, 5 s`: the longest wait, for it is the one that tells. */
  #waitWords(): string {
    const [longest] = this.#waits;
    const ms = longest === undefined ? 0 : systemClock.monotonicMs() - longest.sinceMs;
    return ms < TOLD_AFTER_MS ? '' : `waiting for the service, ${Math.floor(ms / 1000)} s`;
  }
}

/** What fits for sure: a line that wraps could not be written over. Anything but plain text may take two columns. */
function cutToWidth(text: string, columns: number): string {
  let used = 0;
  let units = 0;
  for (const character of text) {
    used += /[ -~]/.test(character) ? 1 : 2;
    if (used > columns) break;
    units += character.length;
  }
  return text.slice(0, units);
}
