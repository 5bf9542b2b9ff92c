import type { LedgerLine, OutcomeLine } from './lines.ts';
import { ALL_SERVICES, viewOfLine } from './origins.ts';
import { reduceLedger, sameChange } from './reduce.ts';
import { aboutKey, lastStatements, statementsIn } from './statements.ts';

/** The lines of a ledger as they count for one service. */
export interface View {
  /** The simulator; `ALL_SERVICES` for the service that no line names. */
  readonly name: string;
  /** In the order in which they stand. */
  readonly lines: readonly LedgerLine[];
}

/**
 * One view for the service, and one per simulator in the ledger. A simulator's view has only its own lines and the
 * shared lines that affect them, so all views together are about as long as the ledger. It decides about its own lines
 * as all lines that count for it would. The first view decides about the rest.
 *
 * | shared lines                                              | why a simulator's view has them                 |
 * |-----------------------------------------------------------|-------------------------------------------------|
 * | every line of an entry that its lines name                | begin and end belong together                   |
 * | confirmed changes of an object with an unconfirmed change | a later one proves that the unconfirmed is over |
 * | the latest facts about an object that its lines mention   | its own facts hold only if they are later       |
 */
export function viewsIn(lines: readonly LedgerLine[]): readonly View[] {
  const own = new Map<string, number[]>([[ALL_SERVICES, []]]);
  for (const [place, line] of lines.entries()) push(own, viewOfLine(line), place);
  const everybodys = own.get(ALL_SERVICES) ?? [];
  const everybody = { name: ALL_SERVICES, lines: linesAt(lines, everybodys) };
  const simulators = [...own.keys()].filter((name) => name !== ALL_SERVICES).toSorted();
  if (simulators.length === 0) return [everybody];
  const index = indexOf(lines, everybodys);
  return [
    everybody,
    ...simulators.map((name) => ({ name, lines: simulatorsView(index, own.get(name) ?? []) })),
  ];
}

/** Where what a simulator's view may need stands among the lines for everybody. Places are those among all lines. */
interface Index {
  readonly lines: readonly LedgerLine[];
  readonly everybodys: readonly number[];
  readonly byEntry: ReadonlyMap<string, readonly number[]>;
  /** Entries of changes that were heard of, by `sameChange`. */
  readonly heard: ReadonlyMap<string, readonly string[]>;
  /** Places of the last words on each object, by `objectKey`. */
  readonly words: ReadonlyMap<string, readonly number[]>;
}

function indexOf(lines: readonly LedgerLine[], everybodys: readonly number[]): Index {
  const byEntry = new Map<string, number[]>();
  const placeOf = new Map<LedgerLine, number>();
  const outcomes: OutcomeLine[] = [];
  for (const place of everybodys) {
    const line = lines[place];
    if (line === undefined) continue;
    placeOf.set(line, place);
    if ('entry' in line) push(byEntry, line.entry, place);
    if (line.type === 'outcome') outcomes.push(line);
  }
  const heard = new Map<string, string[]>();
  for (const outcome of outcomes)
    for (const key of closedBy(outcome, linesAt(lines, byEntry.get(outcome.entry) ?? [])))
      push(heard, key, outcome.entry);
  const words = new Map<string, number[]>();
  for (const word of new Set(lastStatements(statementsIn(linesAt(lines, everybodys))).values()))
    for (const place of 'entry' in word.line
      ? (byEntry.get(word.line.entry) ?? [])
      : [placeOf.get(word.line)])
      if (place !== undefined) push(words, aboutKey(word), place);
  return { lines, everybodys, byEntry, heard, words };
}

/** The other entries that an outcome may end, by `sameChange`. */
function closedBy({ outcome, live_id }: OutcomeLine, ofEntry: readonly LedgerLine[]): readonly string[] {
  if (outcome !== 'done' && outcome !== 'adopted') return [];
  return ofEntry.flatMap((line) =>
    line.type === 'intent' && line.call !== 'create'
      ? [sameChange({ ...line, live_id: live_id ?? line.live_id })]
      : [],
  );
}

function simulatorsView(index: Index, own: readonly number[]): readonly LedgerLine[] {
  const { lines, byEntry, heard, words, everybodys } = index;
  const ownLines = linesAt(lines, own);
  const entries = new Set(ownLines.flatMap((line) => ('entry' in line ? [line.entry] : [])));
  // Only an edited file has an entry that both begin. Then the shared lines say something else there, too.
  if (ownLines.some((line) => (line.type === 'intent' || line.type === 'act') && byEntry.has(line.entry)))
    return linesAt(lines, inPlace([...everybodys, ...own]));
  const placesOf = (names: Iterable<string>) => [...names].flatMap((entry) => byEntry.get(entry) ?? []);
  const named = inPlace([...own, ...placesOf(entries)]);
  const told = linesAt(lines, named);
  const open = reduceLedger(told).open.map(({ call, accountId, liveId }) =>
    sameChange({ call, account_id: accountId, live_id: liveId }),
  );
  const closers = new Set([...new Set(open)].flatMap((key) => heard.get(key) ?? []));
  const objects = new Set(statementsIn(told).map(aboutKey));
  const overruling = [...objects].flatMap((key) => words.get(key) ?? []);
  return linesAt(lines, inPlace([...named, ...placesOf(closers), ...overruling]));
}

function linesAt(lines: readonly LedgerLine[], places: readonly number[]): readonly LedgerLine[] {
  return places.flatMap((place) => lines[place] ?? []);
}

function inPlace(places: readonly number[]): readonly number[] {
  return [...new Set(places)].toSorted((left, right) => left - right);
}

function push<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [item]);
  else known.push(item);
}
