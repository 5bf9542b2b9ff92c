import { LEDGER_BEGIN, type LedgerEdit, type LedgerLines } from '../domain/ledger-store.ts';
import { isCutShort } from './cut-short.ts';
import type { CompactedLine } from './lines.ts';
import { ALL_SERVICES } from './origins.ts';
import type { Passes } from './passes.ts';
import { planCompaction, type CompactionPlan } from './compaction-plan.ts';

/** What a compaction would make of a ledger. */
export interface Compaction {
  /** Lines that are added before all others. */
  readonly marks: readonly string[];
  /** The lines that replace the line of that number; null if it stays. */
  readonly instead: (number: number) => readonly string[] | null;
  /** Whether the line of that number leaves the ledger for an archive. */
  readonly isMoved: (number: number) => boolean;
  readonly movedLines: number;
  /** The numbers of lines that a crash cut off, and that are removed. */
  readonly torn: ReadonlySet<number>;
  /** Exact copies of other lines. */
  readonly repeated: number;
  /** Numbers of unreadable lines. One may belong to an entry that would be moved, so with any nothing is moved. */
  readonly damaged: readonly number[];
  readonly linesBefore: number;
  readonly linesAfter: number;
}

export interface CompactOptions {
  /** Lines before this instant may be moved, ISO 8601 in UTC. */
  readonly before: string;
  readonly at: string;
  readonly run: string;
  readonly who: string;
  /** Where the caller writes the moved lines; null if they are dropped. */
  readonly archive: string | null;
}

/**
 * Moves finished history away. Everything that decides stays: unconfirmed entries, acts that block, uploads, and the
 * latest value of each field of each object, which replaces its line, and the account of each alias. Unreadable lines stay, and the caller refuses a
 * damaged ledger.
 */
export function* compactLedger(options: CompactOptions): Passes<Compaction> {
  const damaged: number[] = [];
  const torn = new Set<number>();
  const plan = yield* planCompaction(options.before, options, (raw) => {
    if (raw.isTorn) torn.add(raw.number);
    else if (raw.line === null && !raw.isLater) damaged.push(raw.number);
  });
  const { firstPass, movedLines, repeatedLines, edits } = plan;
  const marks = movedLines === 0 ? [] : marksOf(plan, options).map((mark) => JSON.stringify(mark));
  return {
    marks,
    instead: (number) => edits.instead(number),
    isMoved: (number) => edits.isMoved(number),
    movedLines,
    torn,
    repeated: repeatedLines,
    damaged,
    linesBefore: firstPass.lines,
    linesAfter: marks.length + firstPass.lines - edits.goneLines,
  };
}

/** Whether the compaction changes anything. */
export function isChange({ movedLines, repeated, torn }: Compaction): boolean {
  return movedLines > 0 || repeated > 0 || torn.size > 0;
}

/** The compaction as the store carries it out; `archive` is null where the lines that leave are dropped. */
export function editOf({ marks, instead, torn, isMoved }: Compaction, archive: string | null): LedgerEdit {
  return {
    marks,
    instead: (text, number) =>
      // Another run may have been writing it.
      torn.has(number) && isCutShort(text) ? [] : instead(number),
    isArchived: (_text, number) => isMoved(number),
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

/**
 * They stand first, so that what another branch adds at the end merges by itself. One for everybody, and one for each
 * simulator in which Herald is known by a name of its own.
 */
function marksOf(
  { views }: CompactionPlan,
  { before, at, run, who, archive }: CompactOptions,
): readonly CompactedLine[] {
  const mark = { v: 1, at, run, type: 'compacted', who, before, archive } as const;
  const atHome = new Set<string>();
  return [...views].flatMap(([name, { knowledge }]): readonly CompactedLine[] => {
    const creators = [...knowledge.creators].toSorted().filter((creator) => !atHome.has(creator));
    if (name !== ALL_SERVICES) return creators.length === 0 ? [] : [{ ...mark, creators, origin: name }];
    for (const creator of creators) atHome.add(creator);
    return [{ ...mark, creators }];
  });
}
