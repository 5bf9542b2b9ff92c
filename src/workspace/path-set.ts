import type { Path } from './findings.ts';

/** Paths that are asked about one by one; a question costs the same however many there are. */
export class PathSet {
  readonly #members = new Set<string>();
  /** Every member with everything that it lies in. */
  readonly #ways = new Set<string>();

  constructor(paths: readonly Path[] = []) {
    for (const path of paths) this.add(path);
  }

  add(path: Path): void {
    this.#members.add(keyOf(path));
    for (let length = 0; length <= path.length; length += 1) this.#ways.add(keyOf(path.slice(0, length)));
  }

  has(path: Path): boolean {
    return this.#members.has(keyOf(path));
  }

  /** Whether one of them is the path, or something that it lies in. */
  covers(path: Path): boolean {
    return path.some((_, index) => this.has(path.slice(0, index))) || this.has(path);
  }

  /** Whether one of them is the path, or lies in it. */
  reaches(path: Path): boolean {
    return this.#ways.has(keyOf(path));
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
