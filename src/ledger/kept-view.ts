import type { ViewBytes } from '../domain/ledger-store.ts';
import { knownLists } from '../domain/objects-on-record.ts';
import type { OutOfOrder } from './out-of-order.ts';
import { HeldEntries, type KeptEntry } from './held-entries.ts';
import { AccountIds, type KeptAccountIds } from './account-ids.ts';
import { KnownObjects } from './known-objects.ts';
import type { IntentLine } from './lines.ts';
import { MediaInVaults, type KeptMedia } from './media-on-record.ts';
import { ObjectTable } from './object-table.ts';
import type { Written } from './order.ts';
import type { Placed } from './placed.ts';
import { RecentAnswers, type KeptAnswers } from './recent-answers.ts';
import { isSuspectAmong, type ReductionState } from './reduction-state.ts';
import { SeenNames } from './seen-names.ts';

/**
 * The number of what a view says and how. It grows with every change of either: a view of another number is not used,
 * and the ledger is read from its first line.
 */
export const VIEW_FORMAT = 8;

/** What a reading has come to, so that a later one can go on from there. */
export interface View {
  readonly state: ReductionState;
  readonly outOfOrder: OutOfOrder;
  /** Numbers of lines that cannot be read, and of those that a crash cut short. */
  readonly damaged: readonly number[];
  readonly cut: readonly number[];
  readonly otherWorldsLines: number;
}

type Pairs = readonly (readonly [string, string])[];

/** All but what is kept as tables. */
interface Head extends Pick<View, 'damaged' | 'cut' | 'otherWorldsLines'> {
  readonly careful: { readonly origins: Pairs; readonly entries: string[]; readonly changes: string[] };
  /** Of the records of objects. */
  readonly texts: readonly string[];
  readonly size: number;
  readonly sizes: readonly (readonly [string, number])[];
  readonly mayHaveProtected: boolean;
  readonly accounts: KeptAccountIds;
  readonly creators: readonly string[];
  readonly media: KeptMedia;
  readonly stops: readonly IntentLine[];
  readonly answers: KeptAnswers;
  readonly held: readonly KeptEntry[];
  readonly ended: number;
  readonly orphans: readonly string[];
  readonly origins: Pairs;
  readonly bareRuns: number;
  readonly misnamed: readonly string[];
  readonly lastBareRun: string | null;
  readonly tangled: readonly Placed[];
  readonly closers: readonly Placed[];
  readonly place: number;
  readonly lastMs: number | null;
  readonly last: Written | null;
}

/** The lengths of all parts, in bytes. */
const END_BYTES = 48;
/** Places in memory that numbers need. */
const ALIGNED = 8;

/** Whether this machine has its numbers in the order of views. */
export const keepsViews = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** A view as bytes, piece by piece. Throws if it has something that cannot be kept. */
export function* viewBytes(view: View): Generator<Uint8Array, undefined> {
  const { state } = view;
  const texts = state.objects.sharedTexts();
  const table = yield* state.objects.tableBytes(texts);
  const head = Buffer.from(JSON.stringify({ ...headOf(view), texts: texts.list }, refuseOddNumbers));
  yield new Uint8Array(padding(table.bytes));
  const parts = [table.keys, table.names, state.ended.table, state.bareRuns.table];
  for (const { buffer, byteOffset, byteLength } of parts)
    yield new Uint8Array(buffer, byteOffset, byteLength);
  yield head;
  const lengths = [table.bytes, ...parts.map(({ byteLength }) => byteLength), head.length];
  yield new Uint8Array(new Float64Array(lengths).buffer);
}

/** Null where the bytes are not a whole view. */
export function viewFrom(bytes: ViewBytes): View | null {
  try {
    return wholeViewFrom(bytes);
  } catch {
    return null;
  }
}

function wholeViewFrom(bytes: ViewBytes): View | null {
  if (bytes.length < END_BYTES) return null;
  const lengths = [...new Float64Array(copyOf(bytes, bytes.length - END_BYTES, END_BYTES))];
  const [end = 0, ...others] = lengths;
  const starts: number[] = [];
  let at = end + padding(end);
  for (const length of others) {
    starts.push(at);
    at += length;
  }
  if (at + END_BYTES !== bytes.length) return null;
  const part = (index: number) => copyOf(bytes, starts[index] ?? 0, others[index] ?? 0);
  const numbers = (index: number) => () => new Uint32Array(part(index));
  const head = JSON.parse(Buffer.from(part(4)).toString('utf8')) as Head;
  const table = new ObjectTable({ ...head, bytes, end, keys: numbers(0), names: numbers(1) });
  return viewOf(head, new KnownObjects(table), {
    ended: new SeenNames({ size: head.ended, table: numbers(2) }),
    bareRuns: new SeenNames({ size: head.bareRuns, table: numbers(3) }),
  });
}

/** Numbers need memory of their own: bytes may begin anywhere. */
function copyOf(bytes: ViewBytes, from: number, length: number): ArrayBuffer {
  return length === 0 ? new ArrayBuffer(0) : new Uint8Array(bytes.at(from, length)).buffer;
}

function padding(length: number): number {
  return (ALIGNED - (length % ALIGNED)) % ALIGNED;
}

function headOf({ state, outOfOrder, damaged, cut, otherWorldsLines }: View): Omit<Head, 'texts'> {
  const { sizes, mayHaveProtected } = knownLists(state.objects.snapshot());
  const { at, at_skew_ms, after_ms, skew_ms } = state.last ?? {};
  return {
    damaged,
    cut,
    otherWorldsLines,
    careful: {
      origins: [...outOfOrder.origins],
      entries: [...outOfOrder.entries],
      changes: [...outOfOrder.changes],
    },
    size: state.objects.snapshot().size,
    sizes: [...sizes],
    mayHaveProtected,
    accounts: state.accounts.kept(),
    creators: [...state.creators],
    media: state.media.kept(),
    stops: state.stops,
    answers: state.answers.kept(state.lastMs),
    held: state.held.kept(),
    ended: state.ended.size,
    orphans: [...state.orphans],
    origins: [...state.origins],
    bareRuns: state.bareRuns.size,
    misnamed: [...state.misnamed],
    lastBareRun: state.lastBareRun,
    tangled: state.tangled,
    closers: state.closers,
    place: state.place,
    lastMs: Number.isFinite(state.lastMs) ? state.lastMs : null,
    last: at === undefined ? null : { at, at_skew_ms, after_ms, skew_ms },
  };
}

function viewOf(head: Head, objects: KnownObjects, names: Pick<ReductionState, 'ended' | 'bareRuns'>): View {
  const { damaged, cut, otherWorldsLines, careful } = head;
  return {
    damaged,
    cut,
    otherWorldsLines,
    outOfOrder: {
      origins: new Map(careful.origins),
      entries: new Set(careful.entries),
      changes: new Set(careful.changes),
    },
    state: {
      ...names,
      objects,
      accounts: new AccountIds(head.accounts),
      creators: new Set(head.creators),
      media: new MediaInVaults(head.media),
      stops: [...head.stops],
      answers: new RecentAnswers(head.answers),
      held: new HeldEntries(isSuspectAmong(objects), head.held),
      orphans: new Set(head.orphans),
      origins: new Map(head.origins),
      misnamed: new Set(head.misnamed),
      lastBareRun: head.lastBareRun,
      tangled: [...head.tangled],
      closers: [...head.closers],
      place: head.place,
      lastMs: head.lastMs ?? Number.NEGATIVE_INFINITY,
      last: head.last,
    },
  };
}

/** JSON has no word for them. */
function refuseOddNumbers(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('no finite number');
  return value;
}
