import type { KnownObject } from '../domain/knowledge.ts';
import { isEntryLine, neededEntries, withTheirClosers } from './keep.ts';
import type { CompactedLine, KnownLine, LedgerLine } from './lines.ts';
import { EVERYBODY, ownView } from './origins.ts';
import { timeOf, writtenAtMs } from './order.ts';
import { LEDGER_BEGIN, type LedgerEdit, type LedgerLines } from '../domain/ledger-store.ts';
import { wholeObject } from '../domain/whole-object.ts';
import { readableLines, type RawLine } from './raw-lines.ts';
import { reduceLedger } from './reduce.ts';
import { viewsIn, type View } from './views.ts';
import { lastWords, wordKey, wordsIn, type Word } from './words.ts';

/** What a compaction would make of a ledger. */
export interface Compaction {
  /** Lines that stand before all others. */
  readonly marks: readonly string[];
  /** What stands instead of a line, by its number; each other one stays as it is. */
  readonly edits: ReadonlyMap<number, readonly string[]>;
  /** The number of a last line that a crash cut short, and that is taken out. */
  readonly torn: number | null;
  /** Numbers of the lines that leave it. */
  readonly moved: ReadonlySet<number>;
  /** Lines that stand a second time, word for word. */
  readonly repeated: number;
  /** Numbers of lines that nobody can read: one may be the begin of what leaves, so with any nothing is put away. */
  readonly damaged: readonly number[];
  readonly linesBefore: number;
  readonly linesAfter: number;
}

export interface CompactOptions {
  /** Lines of before this instant may be put away, ISO 8601 in UTC. */
  readonly before: string;
  readonly at: string;
  readonly run: string;
  readonly who: string;
  /** Where the caller puts the lines that leave; null where they are dropped. */
  readonly archive: string | null;
}

/**
 * Puts away settled history. Whatever decides stays: open entries, acts that block, uploads, and the last word on
 * each field of each object, which takes the place of its line. Lines that cannot be read stay where they are, and
 * the caller refuses a damaged ledger.
 */
export function compactLedger(read: readonly RawLine[], options: CompactOptions): Compaction {
  const all = read.filter(({ isTorn }) => !isTorn);
  const { once, views, isSettled, moved, repeated } = settledOf(all, options.before);
  const stays = new Set(once);
  const edits = new Map<number, readonly string[]>();
  for (const raw of all) if (!stays.has(raw)) edits.set(raw.number, NOTHING);
  const marks = moved.length === 0 ? [] : marksOf(views, options).map((mark) => JSON.stringify(mark));
  if (moved.length > 0) {
    const goes: Choice = (raw) => isSettled(raw) || raw.line?.type === 'known';
    const remains = remainsOf(once, views, goes);
    for (const raw of once) if (goes(raw)) edits.set(raw.number, remains.get(raw) ?? NOTHING);
  }
  const gone = [...edits.values()].reduce((sum, instead) => sum + 1 - instead.length, 0);
  return {
    marks,
    edits,
    torn: read.find(({ isTorn }) => isTorn)?.number ?? null,
    moved: new Set(moved.map(({ number }) => number)),
    repeated,
    damaged: all.flatMap(({ line, isLater, number }) => (line === null && !isLater ? [number] : [])),
    linesBefore: all.length,
    linesAfter: marks.length + all.length - gone,
  };
}

const NOTHING: readonly string[] = [];

/** The compaction as the store carries it out; `archive` is null where the lines that leave are dropped. */
export function editOf({ marks, edits, torn, moved }: Compaction, archive: string | null): LedgerEdit {
  return {
    marks,
    instead: (text, number) =>
      // Another run may have been writing it.
      number === torn && wholeObject(text) === null ? NOTHING : (edits.get(number) ?? null),
    isArchived: (_text, number) => moved.has(number),
    archive,
  };
}

/** In bytes, of the ledger as the edit leaves it. */
export async function sizeAfter(lines: LedgerLines, { marks, instead }: LedgerEdit): Promise<number> {
  let bytes = 0;
  const count = (text: string) => (bytes += Buffer.byteLength(text) + 1);
  const take = (text: string, number: number) => {
    if (text.trim() !== '') for (const one of instead(text, number) ?? [text]) count(one);
  };
  for (const mark of marks) count(mark);
  const { torn } = await lines.read(LEDGER_BEGIN, take);
  if (torn !== null) take(torn.text, torn.number);
  return bytes;
}

/** What a compaction goes by. */
interface Settled {
  /** Each line once. */
  readonly once: readonly RawLine[];
  readonly views: readonly View[];
  readonly isSettled: Choice;
  readonly moved: readonly RawLine[];
  readonly repeated: number;
}

/** Which lines of before that instant nothing depends on any more. */
export function settledOf(all: readonly RawLine[], before: string): Settled {
  const once = withoutRepeats(all);
  const views = viewsIn(readableLines(once));
  const isSettled = settledIn(once, views, before);
  return { once, views, isSettled, moved: once.filter(isSettled), repeated: all.length - once.length };
}

/**
 * They stand first, so that what another branch adds at the end merges by itself. One for everybody, and one for each
 * simulator in which Herald is known by a name of its own.
 */
function marksOf(
  views: readonly View[],
  { before, at, run, who, archive }: CompactOptions,
): readonly CompactedLine[] {
  const mark = { v: 1, at, run, type: 'compacted', who, before, archive } as const;
  const atHome = new Set<string>();
  return views.flatMap(({ name, lines }): readonly CompactedLine[] => {
    const creators = [...reduceLedger(lines).creators].toSorted().filter((creator) => !atHome.has(creator));
    if (name !== EVERYBODY) return creators.length === 0 ? [] : [{ ...mark, creators, origin: name }];
    for (const creator of creators) atHome.add(creator);
    return [{ ...mark, creators }];
  });
}

/** Of lines that say the same word for word the last one: it is the one that holds among those of its instant. */
function withoutRepeats(all: readonly RawLine[]): readonly RawLine[] {
  const last = new Map(all.map((raw) => [raw.key, raw]));
  return all.filter((raw) => last.get(raw.key) === raw);
}

type Choice = (raw: RawLine) => boolean;

/** Only these are understood well enough to be put away; whatever another version adds stays. */
function settledIn(once: readonly RawLine[], views: readonly View[], before: string): Choice {
  const lines = readableLines(once);
  const hasLater = once.some(({ line }) => line === null);
  const entries = new Set(
    lines.flatMap((line) => (line.type === 'intent' || line.type === 'act' ? [line.entry] : [])),
  );
  const recent = lines.flatMap((line) => (isEntryLine(line) && !isBefore(line, before) ? [line.entry] : []));
  const kept = withTheirClosers(new Set([...recent, ...neededEntries(views)]), lines);
  return ({ line }) => {
    if (line === null) return false;
    switch (line.type) {
      case 'seen':
      case 'protection':
      case 'rewrite':
        return isBefore(line, before);
      case 'intent':
      case 'act':
        return !kept.has(line.entry);
      case 'outcome':
      case 'acknowledged':
        // One without its intent may belong to a line that only a later version reads.
        return !kept.has(line.entry) && (entries.has(line.entry) || !hasLater) && isBefore(line, before);
      default:
        return false;
    }
  };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** In the one spelling that Herald writes; another one is left alone. */
function isBefore(line: LedgerLine, before: string): boolean {
  return INSTANT.test(line.at) && writtenAtMs(line) < Date.parse(before);
}

/**
 * What stays of each line that goes: the fields of which it says the last word to those whom it is about. A line
 * that counts for everybody is overruled by such lines only.
 */
function remainsOf(
  once: readonly RawLine[],
  views: readonly View[],
  goes: Choice,
): ReadonlyMap<RawLine, readonly string[]> {
  const rawOf = new Map(once.map((raw) => [raw.line, raw]));
  const remains = new Map<RawLine, string[]>();
  for (const { name, lines } of views) {
    const words = wordsIn(lines);
    const last = lastWords(words);
    for (const word of words) {
      const raw = rawOf.get(word.line);
      if (raw === undefined || !goes(raw) || ownView(word.line) !== name) continue;
      const fields = Object.entries(word.effect.parts).filter(
        ([field]) => last.get(wordKey(word, field)) === word,
      );
      if (fields.length === 0) continue;
      const known = JSON.stringify(knownOf(word, Object.fromEntries(fields)));
      remains.set(raw, [...(remains.get(raw) ?? []), known]);
    }
  }
  return remains;
}

function knownOf(
  { line, effect: { account, accountId, kind, id } }: Word,
  set: Partial<KnownObject>,
): KnownLine {
  const { run, origin } = line;
  const about = origin === undefined ? {} : { origin };
  return {
    v: 1,
    ...timeOf(line),
    run,
    ...about,
    type: 'known',
    account,
    account_id: accountId,
    kind,
    live_id: id,
    set,
  };
}
