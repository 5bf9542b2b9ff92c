const SLUG_LENGTH_MAX = 40;

/** A name with letters that every file system accepts. `otherwise` if nothing is left. */
export function slugOf(name: string, otherwise: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
  return letters === '' ? otherwise : letters;
}

/** Gives out unused file names, also for file systems that ignore case. */
export class FreeNames {
  readonly #isTaken: (path: string) => boolean;
  readonly #given = new Set<string>();

  constructor(isTaken: (path: string) => boolean) {
    this.#isTaken = isTaken;
  }

  /** The wanted name, or the same with a number, without folder and extension. */
  take(folder: string, wanted: string, ending: string): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted}-${count}`;
      const path = `${folder}${name}${ending}`;
      if (this.#given.has(path.toLowerCase()) || this.#isTaken(path)) continue;
      this.#given.add(path.toLowerCase());
      return name;
    }
  }
}
