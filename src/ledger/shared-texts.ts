/** So many texts are shared at most: each one is in memory wherever a view is used. */
const TEXTS_MAX = 10_000;

/** Texts that many objects have, by numbers. */
export class SharedTexts {
  readonly list: string[];
  readonly #numbers: Map<string, number>;

  constructor(list: readonly string[] = []) {
    this.list = [...list];
    this.#numbers = new Map(list.map((text, number) => [text, number]));
  }

  /** Its number, or the text itself if there are too many already. */
  shared(text: string): number | string {
    const known = this.#numbers.get(text);
    if (known !== undefined || this.list.length === TEXTS_MAX) return known ?? text;
    this.#numbers.set(text, this.list.length);
    return this.list.push(text) - 1;
  }

  /** The text of a number; everything else as it is. */
  whole(value: unknown): unknown {
    return typeof value === 'number' ? this.list[value] : value;
  }
}
