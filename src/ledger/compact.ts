import { objectKey, type KnownObject } from '../domain/knowledge.ts';
import { effectsOf, type Effect } from './effects.ts';
import { isEntryLine, neededEntries, withTheirClosers } from './keep.ts';
import type { CompactedLine, IntentLine, KnownLine, LedgerLine } from './lines.ts';
import { inView, ownView, viewsOf } from './origins.ts';
import { rawLines, readableLines, type RawLine } from './raw-lines.ts';
import { inOrderOfTime, reduceLedger } from './reduce.ts';

/** What a compaction would make of a ledger. */
export interface Compaction {
  /** The ledger's new text; the old one where nothing is put away. */
  readonly text: string;
  /** The lines that leave it, as they stood, each once. */
  readonly moved: readonly string[];
  /** Lines that stand a second time, word for word. */
  readonly repeated: number;
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
 * each field of each object, which takes the place of its line. Lines that cannot be read stay where they are, so
 * the caller refuses a damaged ledger first.
 */
export function compactLedger(text: string, options: CompactOptions): Compaction {
  const all = rawLines(text);
  const once = withoutRepeats(all);
  const isSettled = settledIn(once, options.before);
  const moved = once.filter(isSettled);
  const repeated = all.length - once.length;
  const lines = moved.length === 0 ? once.map((raw) => raw.text) : compacted(once, isSettled, options);
  return {
    text: moved.length === 0 && repeated === 0 ? text : lines.map((line) => `${line}\n`).join(''),
    moved: moved.map((raw) => raw.text),
    repeated,
    linesBefore: all.length,
    linesAfter: lines.length,
  };
}

/** The mark stands first, so that what another branch adds at the end merges by itself. */
function compacted(once: readonly RawLine[], isSettled: Choice, options: CompactOptions): readonly string[] {
  const goes: Choice = (raw) => isSettled(raw) || raw.line?.type === 'known';
  const remains = remainsOf(once, goes);
  const body = once.flatMap((raw) => (goes(raw) ? (remains.get(raw) ?? []) : [raw.text]));
  return [...marksOf(readableLines(once), options).map((mark) => JSON.stringify(mark)), ...body];
}

/** One for everybody, and one for each simulator in which Herald is known by a name of its own. */
function marksOf(
  lines: readonly LedgerLine[],
  { before, at, run, who, archive }: CompactOptions,
): readonly CompactedLine[] {
  const [everybody = '', ...simulators] = viewsOf(lines);
  const creatorsIn = (view: string) => [...reduceLedger(inView(lines, view)).creators].toSorted();
  const known = creatorsIn(everybody);
  const mark: CompactedLine = { v: 1, at, run, type: 'compacted', who, before, archive, creators: known };
  return [
    mark,
    ...simulators.flatMap((origin) => {
      const creators = creatorsIn(origin).filter((creator) => !known.includes(creator));
      return creators.length === 0 ? [] : [{ ...mark, origin, creators }];
    }),
  ];
}

/** Of lines that say the same word for word the last one: it is the one that holds among those of its instant. */
function withoutRepeats(all: readonly RawLine[]): readonly RawLine[] {
  const last = new Map(all.map((raw) => [raw.text, raw]));
  return all.filter((raw) => last.get(raw.text) === raw);
}

type Choice = (raw: RawLine) => boolean;

/** Only these are understood well enough to be put away; whatever another version adds stays. */
function settledIn(once: readonly RawLine[], before: string): Choice {
  const lines = readableLines(once);
  const hasLater = once.some(({ line }) => line === null);
  const entries = new Set(
    lines.flatMap((line) => (line.type === 'intent' || line.type === 'act' ? [line.entry] : [])),
  );
  const recent = lines.flatMap((line) => (isEntryLine(line) && !isBefore(line, before) ? [line.entry] : []));
  // What one service still needs stays, whichever this workspace works with now.
  const views = viewsOf(lines).map((view) => inView(lines, view));
  const needed = new Set([...recent, ...views.flatMap((view) => [...neededEntries(view)])]);
  const kept = new Set(views.flatMap((view) => [...withTheirClosers(needed, view)]));
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

/** As texts, in the one spelling that Herald writes; another one is left alone. */
function isBefore({ at }: LedgerLine, before: string): boolean {
  return INSTANT.test(at) && at < before;
}

/**
 * What stays of each line that goes: the fields of which it says the last word to those whom it is about. A line
 * that counts for everybody is overruled by such lines only.
 */
function remainsOf(once: readonly RawLine[], goes: Choice): ReadonlyMap<RawLine, readonly string[]> {
  const timed = once.flatMap((raw) => (raw.line === null ? [] : [{ raw, line: raw.line, at: raw.line.at }]));
  const inOrder = inOrderOfTime(timed);
  const lines = inOrder.map(({ line }) => line);
  const remains = viewsOf(lines).flatMap((view) => {
    const seen = new Set(inView(lines, view));
    return [
      ...remainsIn(
        view,
        inOrder.filter(({ line }) => seen.has(line)),
        goes,
      ),
    ];
  });
  return new Map(remains);
}

function remainsIn(
  view: string,
  inOrder: readonly { readonly raw: RawLine; readonly line: LedgerLine }[],
  goes: Choice,
): ReadonlyMap<RawLine, readonly string[]> {
  const intents = new Map<string, IntentLine>();
  for (const { line } of inOrder) if (line.type === 'intent') intents.set(line.entry, line);
  const said = inOrder.flatMap(({ raw, line }) =>
    effectsOf(line, intents).map((effect) => ({ raw, line, effect })),
  );
  const lastWord = new Map<string, Effect>();
  for (const { effect } of said)
    for (const field of Object.keys(effect.parts)) lastWord.set(wordKey(effect, field), effect);

  const remains = new Map<RawLine, string[]>();
  for (const { raw, line, effect } of said) {
    if (!goes(raw) || ownView(line) !== view) continue;
    const fields = Object.entries(effect.parts).filter(
      ([field]) => lastWord.get(wordKey(effect, field)) === effect,
    );
    if (fields.length === 0) continue;
    const known = JSON.stringify(knownOf(line, effect, Object.fromEntries(fields)));
    remains.set(raw, [...(remains.get(raw) ?? []), known]);
  }
  return remains;
}

function wordKey({ accountId, kind, id }: Effect, field: string): string {
  return `${objectKey(accountId, kind, id)} ${field}`;
}

function knownOf(
  { at, run, origin }: LedgerLine,
  { account, accountId, kind, id }: Effect,
  set: Partial<KnownObject>,
): KnownLine {
  const about = origin === undefined ? {} : { origin };
  return { v: 1, at, run, ...about, type: 'known', account, account_id: accountId, kind, live_id: id, set };
}
