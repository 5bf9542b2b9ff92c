import type { Path } from './findings.ts';

/** A set of paths. A lookup takes the same time for any size. */
export class PathSet {
  readonly #members = new Set<string>();
  /** All members and all their ancestors. */
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

  /** True if a member is the path, or an ancestor of it. */
  covers(path: Path): boolean {
    return path.some((_, index) => this.has(path.slice(0, index))) || this.has(path);
  }

  /** True if a member is the path, or a descendant of it. */
  reaches(path: Path): boolean {
    return this.#ways.has(keyOf(path));
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
