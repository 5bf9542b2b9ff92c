import type { Context } from '../context.ts';
import { shown, type Visible } from '../../domain/visible.ts';
import { compactLedger, type Compaction } from '../../ledger/compact.ts';
import { archiveText, compactedText } from '../../ledger/compacted-text.ts';
import { archivePath } from '../../ledger/files.ts';
import { LOCK_PATH } from '../../ledger/ledger.ts';
import { LEDGER_PATH, openLedger } from '../../ledger/ledger-file.ts';
import { RawLines, rawLinesOf } from '../../ledger/raw-lines.ts';
import { byteWords } from '../../render/byte-words.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { LedgerCompact } from '../../domain/reports.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { KEEP_DEFAULT, keepFrom } from './keep.ts';

export interface CompactFlags {
  readonly keep: string | undefined;
  /** Drop what leaves the ledger instead of moving it to an archive. */
  readonly drop: boolean;
  readonly dryRun: boolean;
}

/**
 * `herald ledger compact`: puts settled history away, so that the ledger stays small. What decides stays. It holds the
 * lock, and each file is replaced at once: the archive first, so that a crash in between only leaves lines in both.
 */
export async function ledgerCompactCommand(context: Context, flags: CompactFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const nowMs = context.clock.now();
  const before = keepFrom(flags.keep ?? KEEP_DEFAULT, nowMs);
  const report = flags.dryRun
    ? await compact(context, flags, before, nowMs)
    : await locked(context, () => compact(context, flags, before, nowMs));
  context.output.result(format === 'json' ? renderJson(report) : wordsOf(report));
  return EXIT.done;
}

async function locked<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  const release = await context.files.lock(LOCK_PATH);
  try {
    return await context.protect(work, 'Interrupted: the ledger is written to its end first.');
  } finally {
    await release();
  }
}

async function compact(
  { files, identity, onChange }: Context,
  { drop, dryRun }: CompactFlags,
  before: string,
  nowMs: number,
): Promise<LedgerCompact> {
  const at = new Date(nowMs).toISOString();
  const archive = archivePath(at);
  const file = await openLedger(files);
  try {
    const lines = file === null ? new RawLines() : await rawLinesOf(file.bytesFrom(0));
    const options = { before, at, ...identity, archive: drop ? null : archive };
    const compaction = compactLedger(lines.all(), options);
    refuseDamaged(compaction);
    const moves = compaction.moved.size > 0 && !drop;
    const isChanged = compaction.edits.size > 0 || compaction.torn !== null;
    const size = { bytes: lines.bytes };
    if (file !== null && isChanged) {
      const text = counted(compactedText(file.bytesFrom(0), compaction), size);
      if (dryRun) for await (const _ of text);
      else {
        const lost = await files.lockLost(LOCK_PATH);
        if (lost !== null)
          throw new CommandError('locked', `Nothing was put away, because ${lost}.`, 'Run it again.');
        onChange?.();
        if (moves) await files.writeAtomically(archive, archiveText(files, archive, file, compaction.moved));
        await files.writeAtomically(LEDGER_PATH, text);
      }
    }
    return {
      schema: 'herald/ledger-compact/1',
      dry_run: dryRun,
      before,
      archive: moves ? archive : null,
      moved_lines: compaction.moved.size,
      repeated_lines: compaction.repeated,
      lines_before: compaction.linesBefore,
      lines_after: compaction.linesAfter,
      bytes_before: lines.bytes,
      bytes_after: size.bytes,
    };
  } finally {
    await file?.close();
  }
}

/** Counts the bytes that pass. */
async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  size: { bytes: number },
): AsyncGenerator<Uint8Array, void> {
  size.bytes = 0;
  for await (const piece of pieces) {
    size.bytes += piece.byteLength;
    yield piece;
  }
}

function refuseDamaged({ damaged }: Compaction): void {
  const [first] = damaged;
  if (first === undefined) return;
  throw new CommandError(
    'damaged-ledger',
    `${LEDGER_PATH}:${first}: ${count(damaged.length, 'line')} of the ledger cannot be read. Nothing was put away.`,
    'Run herald ledger check: it says what to do about each.',
  );
}

function wordsOf(report: LedgerCompact): Visible {
  const { archive, moved_lines: moved, repeated_lines: repeated, before } = report;
  const since = `settled history of before ${before}`;
  if (moved === 0 && repeated === 0) return shown`Nothing to put away: there is no ${since}.\n`;
  const would = report.dry_run ? 'would be ' : '';
  const parts = [
    ...(moved === 0
      ? []
      : [
          `${count(moved, 'line')} of ${since} ${would}${archive === null ? 'dropped' : `moved to ${archive}`}`,
        ]),
    ...(repeated === 0 ? [] : [`${count(repeated, 'line')} that stood twice ${would}taken out`]),
  ];
  const sizes = `${byteWords(report.bytes_before)} before, ${byteWords(report.bytes_after)} after`;
  return shown`${parts.join('; ')}. ${LEDGER_PATH}: ${report.lines_before} lines before, ${report.lines_after} after; ${sizes}.\n`;
}
