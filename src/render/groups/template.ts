import { diffArrays } from 'diff';

/** Texts that are equal but for some words, as one text. */
export interface Template {
  /** Equal text, and in place of the words that differ the number of their slot, from 0. */
  readonly pieces: readonly (string | number)[];
  /** By slot: the words of each text. */
  readonly slots: readonly (readonly string[])[];
}

/** Limits of what counts as a few words, such as a first name. */
const SLOTS_MAX = 8;
const SLOT_UNITS_MAX = 60;

/** Below this share of equal text, the texts are different texts. */
const SHARED_MIN = 0.4;

/** Longer texts are not compared. */
const TOKENS_MAX = 5_000;
const EDITS_MAX = 40;

const TOKENS = /[\p{L}\p{M}\p{N}_]+|\s+|[^\s\p{L}\p{M}\p{N}_]/gu;

/** Text that a slot could be mistaken for. */
const LOOKS_LIKE_SLOT = '{{';

/** The texts as one template, or null if they differ in more than a few words. */
export function templateOf(texts: readonly string[]): Template | null {
  if (texts.some((text) => text.includes(LOOKS_LIKE_SLOT))) return null;
  const all = texts.map((text) => text.match(TOKENS) ?? []);
  const [first] = all;
  if (first === undefined || all.some((tokens) => tokens.length > TOKENS_MAX)) return null;
  const byPlace = all.every(({ length }) => length === first.length)
    ? templateFrom(all, equalPlaces(all, first))
    : null;
  return byPlace ?? templateFrom(all, commonTokens(all, first));
}

/** For each text: the places of the tokens that all of them share. */
type Anchors = readonly (readonly number[])[];

function equalPlaces(all: readonly (readonly string[])[], first: readonly string[]): Anchors {
  const places = [...first.keys()].filter((place) => all.every((tokens) => tokens[place] === first[place]));
  return all.map(() => places);
}

/** Null if a text is too different from the first one. */
function commonTokens(all: readonly (readonly string[])[], first: readonly string[]): Anchors | null {
  const partners: ReadonlyMap<number, number>[] = [];
  for (const tokens of all) {
    const edits = diffArrays([...first], [...tokens], { maxEditLength: EDITS_MAX });
    if (edits === undefined) return null;
    const partner = new Map<number, number>();
    let [left, right] = [0, 0];
    for (const { added, removed, value } of edits) {
      if (!added && !removed) value.forEach((_, index) => partner.set(left + index, right + index));
      if (!added) left += value.length;
      if (!removed) right += value.length;
    }
    partners.push(partner);
  }
  const shared = [...first.keys()].filter((place) => partners.every((partner) => partner.has(place)));
  return partners.map((partner) => shared.map((place) => partner.get(place) ?? 0));
}

function templateFrom(all: readonly (readonly string[])[], anchors: Anchors | null): Template | null {
  if (anchors === null) return null;
  const count = anchors[0]?.length ?? 0;
  const pieces: (string | number)[] = [];
  const slots: string[][] = [];
  for (let index = 0; index <= count; index += 1) {
    const between = all.map((tokens, text) => {
      const places = anchors[text] ?? [];
      const from = index === 0 ? 0 : (places[index - 1] ?? 0) + 1;
      return tokens.slice(from, places[index] ?? tokens.length).join('');
    });
    if (between.some((words) => words !== '')) addSlot(pieces, slots, between);
    const anchor = all[0]?.[anchors[0]?.[index] ?? -1];
    if (anchor !== undefined) addText(pieces, anchor);
  }
  return isMostlyShared(pieces, slots) ? { pieces, slots } : null;
}

/** Words with only a blank between them are one slot: `Mary Ann`. */
function addSlot(pieces: (string | number)[], slots: string[][], words: readonly string[]): void {
  const blank = pieces.at(-1);
  const slot = pieces.at(-2);
  if (typeof slot === 'number' && typeof blank === 'string' && /^[^\S\n]+$/.test(blank)) {
    pieces.pop();
    slots[slot] = words.map((word, text) => `${slots[slot]?.[text] ?? ''}${blank}${word}`);
    return;
  }
  pieces.push(slots.length);
  slots.push([...words]);
}

function addText(pieces: (string | number)[], text: string): void {
  const last = pieces.at(-1);
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text;
  else pieces.push(text);
}

function isMostlyShared(
  pieces: readonly (string | number)[],
  slots: readonly (readonly string[])[],
): boolean {
  if (slots.length > SLOTS_MAX) return false;
  if (slots.some((words) => words.some((word) => word.length > SLOT_UNITS_MAX || word.includes('\n'))))
    return false;
  const shared = pieces.reduce<number>(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : 0),
    0,
  );
  const longest = Math.max(0, ...(slots[0] ?? []).map((_, text) => textLength(slots, text)));
  return shared >= SHARED_MIN * (shared + longest);
}

function textLength(slots: readonly (readonly string[])[], text: number): number {
  return slots.reduce((sum, words) => sum + (words[text]?.length ?? 0), 0);
}
