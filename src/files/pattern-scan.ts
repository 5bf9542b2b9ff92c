/** Each further open-ended repetition multiplies the time that a search may take. */
const REPEATS_MAX = 3;

/** A repetition of more than this is as good as one without an end. */
const COUNT_MAX = 30;

/** An escape, a class, the head of a group, its end, a choice, a repetition, or any other sign. */
const PIECE =
  /\\(?:k<[^>]*>|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?|\)|\||[*+?]|\{\d+(?:,\d*)?\}|[\s\S]/g;

/** Pieces that stand for a place and take no character. */
const PLACES: readonly string[] = ['^', '$', '\\b', '\\B'];

interface Group {
  /** Whether it can take the same text apart in several ways. */
  ambiguous: boolean;
  /** Whether an open-ended repetition lies behind, with nothing since that has to be there. */
  afterOpen: boolean;
  /** The same for the choices that are over. */
  otherAfterOpen: boolean;
  /** What `afterOpen` is where each choice begins. */
  readonly entered: boolean;
}

interface Repetition {
  readonly least: number;
  readonly most: number;
}

/**
 * Finds what makes a search take exponential time, or a high power of the text's length: a repetition of
 * something that holds a repetition or a choice, open-ended repetitions in a row, which can share the same
 * characters in many ways, and a reference to what was found before. It is stricter than needed: what is
 * harmless can be written otherwise.
 */
export class PatternScan {
  readonly #outer: Group[] = [];
  #group: Group = newGroup(false);
  /** What stands just before, until a quantifier or the next piece says how often; `inner` where it is a group. */
  #atom: { readonly inner: Group | null } | null = null;
  #repeats = 0;

  /** What is wrong with a pattern that compiles, in words; null when nothing is. */
  riskOf(source: string): string | null {
    for (const [piece] of source.matchAll(PIECE)) {
      const repeat = repetitionIn(piece);
      const risk = repeat === null ? this.#take(piece) : this.#repeat(piece, repeat);
      if (risk !== null) return risk;
    }
    return null;
  }

  #repeat(piece: string, { least, most }: Repetition): string | null {
    const inner = this.#atom?.inner ?? null;
    const group = this.#group;
    const isOpen = most > COUNT_MAX;
    if (most > 1 && inner?.ambiguous === true)
      return `"${piece}" repeats a group that itself holds a repetition or a choice`;
    if (isOpen && group.afterOpen)
      return `"${piece}" follows another open-ended repetition, and nothing between them has to be there: give one of them an end, such as {0,${COUNT_MAX}}`;
    this.#repeats += isOpen ? 1 : 0;
    if (this.#repeats > REPEATS_MAX) return `it has more than ${REPEATS_MAX} open-ended repetitions`;
    const hasToBeThere = least > 0 && this.#atom !== null && !isOpen;
    group.afterOpen = isOpen || (inner?.afterOpen ?? false) || (group.afterOpen && !hasToBeThere);
    group.ambiguous ||= least !== most;
    this.#atom = null;
    return null;
  }

  #take(piece: string): string | null {
    if (/^\\(?:[1-9]|k)/.test(piece)) return `"${piece}" refers back to what was found`;
    if (PLACES.includes(piece)) return null;
    // No quantifier came: what stood before stands once, so it has to be there.
    if (this.#atom !== null) this.#group.afterOpen = this.#atom.inner?.afterOpen ?? false;
    this.#atom = null;
    if (piece.startsWith('(')) this.#open();
    else if (piece === ')') this.#close();
    else if (piece === '|') this.#choose();
    else this.#atom = { inner: null };
    return null;
  }

  #open(): void {
    this.#outer.push(this.#group);
    this.#group = newGroup(this.#group.afterOpen);
  }

  #choose(): void {
    const group = this.#group;
    group.ambiguous = true;
    group.otherAfterOpen ||= group.afterOpen;
    group.afterOpen = group.entered;
  }

  #close(): void {
    const inner = this.#group;
    inner.afterOpen ||= inner.otherAfterOpen;
    this.#group = this.#outer.pop() ?? newGroup(false);
    // What is ambiguous inside is so outside.
    this.#group.ambiguous ||= inner.ambiguous;
    this.#atom = { inner };
  }
}

function newGroup(afterOpen: boolean): Group {
  return { ambiguous: false, afterOpen, otherAfterOpen: false, entered: afterOpen };
}

/** What a quantifier asks for; null for every other piece. */
function repetitionIn(piece: string): Repetition | null {
  if (piece === '*') return { least: 0, most: Number.POSITIVE_INFINITY };
  if (piece === '+') return { least: 1, most: Number.POSITIVE_INFINITY };
  if (piece === '?') return { least: 0, most: 1 };
  const [, least, range, most] = /^\{(\d+)(,(\d*))?\}$/.exec(piece) ?? [];
  if (least === undefined) return null;
  if (range === undefined) return { least: Number(least), most: Number(least) };
  return {
    least: Number(least),
    most: most === undefined || most === '' ? Number.POSITIVE_INFINITY : Number(most),
  };
}
