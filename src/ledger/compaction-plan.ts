import { actsOf } from './acts.ts';
import { NOTHING_OUT_OF_ORDER } from './out-of-order.ts';
import { isEntryLine, isExportOrPayout, isOpenPayout, neededActs } from './keep.ts';
import { LineEdits } from './line-edits.ts';
import { lastWordsOf, saysOnlyLastWords, type Compacting } from './last-words.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';
import { ALL_SERVICES, viewOfLine } from './origins.ts';
import { writtenAtMs } from './order.ts';
import type { Passes } from './passes.ts';
import { rawLineOf, type RawLine } from './raw-lines.ts';
import { sameChange } from './reduce.ts';
import type { Reduced } from './reduced.ts';
import { Reduction } from './reduction.ts';
import { SeenNames } from './seen-names.ts';
import { FirstPass } from './first-pass.ts';
import { uncertainStops } from './uncertain-stops.ts';

/** What is to become of each line of a ledger when history of before an instant is put away. */
export interface CompactionPlan {
  readonly firstPass: FirstPass;
  /** What is known in each view: to those who work with the service, and with each simulator that lines name. */
  readonly views: ReadonlyMap<string, Reduced>;
  /** Lines that leave the ledger. */
  readonly movedLines: number;
  /** Lines that occur again later, word for word. */
  readonly repeatedLines: number;
  readonly edits: LineEdits;
}

/**
 * Which lines of before that instant nothing depends on any more. `hear` gets each line in the first pass. A check leaves
 * `compacting` null: it does not need the words that stay of the lines that leave.
 */
export function* planCompaction(
  before: string,
  compacting: Compacting | null,
  hear: (raw: RawLine) => void,
): Passes<CompactionPlan> {
  const firstPass = new FirstPass();
  const recent = new SeenNames();
  yield (text, number) => {
    const raw = rawLineOf(text, number);
    if (raw === null) return;
    firstPass.take(text, raw);
    hear(raw);
    if (raw.line !== null && isEntryLine(raw.line) && !isBefore(raw.line, before)) recent.add(raw.line.entry);
  };
  const simulators = firstPass.simulators();
  if (simulators.length > 0)
    yield (text, number) => {
      const line = rawLineOf(text, number)?.line;
      if (line != null && !firstPass.isRepeated(text, number)) firstPass.takeOrigin(line);
    };
  const oddIntents = new Map<string, IntentLine[]>();
  const views = yield* reductionsOf(firstPass, [ALL_SERVICES, ...simulators], (line) => {
    const named = firstPass.named(line);
    if (named.type === 'intent' && firstPass.odd.has(named.entry))
      oddIntents.set(named.entry, [...(oddIntents.get(named.entry) ?? []), named]);
    return firstPass.ofItsRun(line);
  });
  const kept = yield* keptEntries(firstPass, views, recent);
  return yield* editsOf(firstPass, views, { before, compacting, kept, oddIntents });
}

/** Reads the ledger for these views at once, and again for views with lines in another order than they were written. */
export function* reductionsOf(
  firstPass: FirstPass,
  names: readonly string[],
  lineFor: (line: LedgerLine) => LedgerLine,
): Passes<ReadonlyMap<string, Reduced>> {
  const done = new Map<string, Reduced>();
  let outOfOrder = new Map(names.map((name) => [name, NOTHING_OUT_OF_ORDER]));
  while (outOfOrder.size > 0) {
    const begun = [...outOfOrder].map(([name, known]) => ({
      name,
      reduction: new Reduction(name, isExportOrPayout, known),
    }));
    yield (text, number) => {
      const line = rawLineOf(text, number)?.line;
      if (line == null || firstPass.isRepeated(text, number)) return;
      const counted = lineFor(line);
      for (const { reduction } of begun) reduction.take(counted, number);
    };
    outOfOrder = new Map();
    for (const { name, reduction } of begun) {
      const found = reduction.foundOutOfOrder();
      if (found === null) done.set(name, reduction.result());
      else outOfOrder.set(name, found);
    }
  }
  return new Map(names.flatMap((name) => (done.has(name) ? [[name, done.get(name) as Reduced]] : [])));
}

interface Names {
  has(name: string): boolean;
}

/**
 * The entries of which every line stays: recent ones, those that a later run needs in some view, and the changes that
 * may have ended one of those.
 */
function* keptEntries(
  firstPass: FirstPass,
  views: ReadonlyMap<string, Reduced>,
  recent: SeenNames,
): Passes<Names> {
  const needed = new Set([...views.values()].flatMap(neededIn));
  const isNeeded = (entry: string) => recent.has(entry) || needed.has(entry);
  const endless = new Map([...views].map(([name, { lines }]) => [name, endlessChanges(lines, isNeeded)]));
  const closers = new SeenNames();
  if ([...endless.values()].some(({ size }) => size > 0))
    yield (text, number) => {
      const raw = rawLineOf(text, number)?.line;
      if (raw?.type !== 'intent' || raw.call === 'create' || firstPass.isRepeated(text, number)) return;
      const key = sameChange(raw);
      const view = viewOfLine(firstPass.named(raw));
      const counts = view === ALL_SERVICES ? [...endless.values()] : [endless.get(view)];
      if (counts.some((keys) => keys?.has(key) === true)) closers.add(raw.entry);
    };
  return { has: (entry) => isNeeded(entry) || closers.has(entry) };
}

/** Of the table in `keep.ts`: what one view needs. */
function neededIn(view: Reduced): readonly string[] {
  return [...uncertainStops(view).map(({ entry }) => entry), ...unconfirmedIn(view)];
}

function unconfirmedIn({ knowledge, lines }: Reduced): readonly string[] {
  const acts = actsOf(lines);
  return [...knowledge.open.map(({ entry }) => entry), ...neededActs(acts, acts.some(isOpenPayout))];
}

/** By `sameChange`: the changes among these entries that have no end of their own. */
function endlessChanges(
  lines: readonly LedgerLine[],
  isNeeded: (entry: string) => boolean,
): ReadonlySet<string> {
  const ended = new Set(
    lines.flatMap((line) => (line.type === 'outcome' && line.outcome !== 'unknown' ? [line.entry] : [])),
  );
  return new Set(
    lines.flatMap((line) =>
      line.type === 'intent' && line.call !== 'create' && isNeeded(line.entry) && !ended.has(line.entry)
        ? [sameChange(line)]
        : [],
    ),
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** In the one spelling that Herald writes; another one is left alone. */
function isBefore(line: LedgerLine, before: string): boolean {
  return INSTANT.test(line.at) && writtenAtMs(line) < Date.parse(before);
}

interface EditRules {
  readonly before: string;
  readonly compacting: Compacting | null;
  readonly kept: Names;
  /** In the order of the file. */
  readonly oddIntents: ReadonlyMap<string, readonly IntentLine[]>;
}

/** Judges line by line. It holds the intents of entries that have begun and not yet ended. */
function* editsOf(
  firstPass: FirstPass,
  views: ReadonlyMap<string, Reduced>,
  { before, compacting, kept, oddIntents }: EditRules,
): Passes<CompactionPlan> {
  const edits = new LineEdits();
  const underWay = new Map<string, IntentLine>();
  let movedLines = 0;
  let repeatedLines = 0;
  yield (text, number) => {
    const raw = rawLineOf(text, number);
    if (raw === null || raw.isTorn) return;
    if (firstPass.isRepeated(text, number)) {
      repeatedLines += 1;
      edits.leaves(number, 'taken out');
      return;
    }
    if (raw.line === null) return;
    const line = firstPass.named(raw.line);
    if (line.type === 'intent' && !firstPass.odd.has(line.entry)) underWay.set(line.entry, line);
    const isMoved = isFinished(line, firstPass, before, kept);
    if (isMoved || saysOnlyLastWords(line)) {
      const intent =
        line.type === 'outcome' ? (underWay.get(line.entry) ?? oddIntent(line, oddIntents)) : undefined;
      const view = views.get(viewOfLine(line));
      const words = compacting === null ? [] : lastWordsOf({ line, text, number, intent }, view, compacting);
      if (isMoved) edits.leaves(number, 'moved', words);
      else edits.wouldLeave(number, words);
      if (isMoved) movedLines += 1;
    }
    if (line.type === 'outcome' && line.outcome !== 'unknown') underWay.delete(line.entry);
  };
  if (movedLines > 0) edits.applyKnown();
  return { firstPass, views, movedLines, repeatedLines, edits };
}

/** Only these are understood well enough to be put away; whatever another version adds stays. */
function isFinished(line: LedgerLine, firstPass: FirstPass, before: string, kept: Names): boolean {
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
      return (
        !kept.has(line.entry) &&
        (firstPass.isBegun(line.entry) || !firstPass.hasUnreadable) &&
        isBefore(line, before)
      );
    default:
      return false;
  }
}

/** The intent of an outcome, in its view, where the lines of the entry are in another order than they were written. */
function oddIntent(
  outcome: OutcomeLine,
  all: ReadonlyMap<string, readonly IntentLine[]>,
): IntentLine | undefined {
  const view = viewOfLine(outcome);
  return all.get(outcome.entry)?.findLast(({ origin }) => origin === undefined || origin === view);
}
