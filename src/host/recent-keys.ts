import { createHash } from 'node:crypto';
import { isTimedKey, SAME_CONTENT_MS } from '../domain/event-store.ts';

/** Slots of one generation. Half of them are filled at most. */
const SLOTS = 524_288;
/** So many of the newest keys are known for certain. */
export const RECENT_KEYS_MIN = SLOTS / 2;
const TIMED_MAX = 100_000;

/**
 * The keys of recent events in memory of a fixed size: 96 bits of each in two generations. When the newer generation is
 * full, the older one is forgotten.
 */
export class RecentKeys {
  #newer = new KeyTable();
  #older = new KeyTable();
  /** Timed keys, with the time of the last event. */
  readonly #timed = new Map<string, number>();

  has(key: string, atMs: number): boolean {
    if (isTimedKey(key)) return atMs - (this.#timed.get(key) ?? Number.NEGATIVE_INFINITY) < SAME_CONTENT_MS;
    const words = wordsOf(key);
    return this.#newer.has(words) || this.#older.has(words);
  }

  add(key: string, atMs: number): void {
    if (isTimedKey(key)) return this.#addTimed(key, atMs);
    if (this.#newer.count >= RECENT_KEYS_MIN) {
      [this.#newer, this.#older] = [this.#older, this.#newer];
      this.#newer.clear();
    }
    this.#newer.add(wordsOf(key));
  }

  #addTimed(key: string, atMs: number): void {
    this.#timed.delete(key);
    this.#timed.set(key, atMs);
    for (const [oldest, sinceMs] of this.#timed) {
      if (this.#timed.size <= TIMED_MAX && atMs - sinceMs < SAME_CONTENT_MS) break;
      this.#timed.delete(oldest);
    }
  }
}

type Words = readonly [number, number, number];

/** The first word is never 0, which marks a free slot. */
function wordsOf(key: string): Words {
  const hash = createHash('sha1').update(key).digest();
  return [(hash.readUInt32LE(0) | 1) >>> 0, hash.readUInt32LE(4), hash.readUInt32LE(8)];
}

class KeyTable {
  count = 0;
  readonly #slots = new Uint32Array(SLOTS * 3);

  clear(): void {
    this.#slots.fill(0);
    this.count = 0;
  }

  has(words: Words): boolean {
    return this.#slots[this.#placeOf(words)] !== 0;
  }

  add(words: Words): void {
    const place = this.#placeOf(words);
    if (this.#slots[place] !== 0) return;
    this.#slots.set(words, place);
    this.count += 1;
  }

  /** The place of the key, or a free one. */
  #placeOf([first, second, third]: Words): number {
    for (let slot = second % SLOTS; ; slot = (slot + 1) % SLOTS) {
      const place = slot * 3;
      const known = this.#slots[place];
      if (known === 0) return place;
      if (known === first && this.#slots[place + 1] === second && this.#slots[place + 2] === third)
        return place;
    }
  }
}
