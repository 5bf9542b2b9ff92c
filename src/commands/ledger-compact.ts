import type { Context } from '../context.ts';
import { compactLedger, type Compaction } from '../ledger/compact.ts';
import { archivePath } from '../ledger/files.ts';
import { ledgerText, LOCK_PATH } from '../ledger/ledger.ts';
import { LEDGER_PATH } from '../ledger/ledger-file.ts';
import { withoutTornLine } from '../ledger/raw-lines.ts';
import { byteWords } from '../render/byte-words.ts';
import { renderJson } from '../render/json.ts';
import { count } from '../render/wording.ts';
import type { LedgerCompact } from './day-two-shapes.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';
import { chooseFormat } from './formats.ts';
import { KEEP_DEFAULT, keepFrom } from './ledger-keep.ts';

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
  const format = chooseFormat(context, ['text', 'json']);
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
  const text = await ledgerText(files);
  const whole = withoutTornLine(text);
  const compaction = compactLedger(whole, { before, at, ...identity, archive: drop ? null : archive });
  refuseDamaged(compaction);
  const moves = compaction.moved.length > 0 && !drop;
  if (!dryRun && compaction.text !== text) {
    const lost = await files.lockLost(LOCK_PATH);
    if (lost !== null)
      throw new CommandError('locked', `Nothing was put away, because ${lost}.`, 'Run it again.');
    onChange?.();
    if (moves) await files.writeAtomically(archive, await archiveText(files, archive, compaction));
    await files.writeAtomically(LEDGER_PATH, compaction.text);
  }
  return {
    schema: 'herald/ledger-compact/1',
    dry_run: dryRun,
    before,
    archive: moves ? archive : null,
    moved_lines: compaction.moved.length,
    repeated_lines: compaction.repeated,
    lines_before: compaction.linesBefore,
    lines_after: compaction.linesAfter,
    bytes_before: bytesOf(text),
    bytes_after: bytesOf(compaction.text),
  };
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

/** What was put away on the same day before stays. */
async function archiveText(files: Context['files'], archive: string, { moved }: Compaction): Promise<string> {
  const earlier = (await files.exists(archive)) ? await files.readText(archive) : '';
  const known = new Set(earlier.split('\n'));
  const added = moved.filter((line) => !known.has(line));
  const ends = earlier === '' || earlier.endsWith('\n') ? '' : '\n';
  return `${earlier}${ends}${added.map((line) => `${line}\n`).join('')}`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function wordsOf(report: LedgerCompact): string {
  const { archive, moved_lines: moved, repeated_lines: repeated, before } = report;
  const since = `settled history of before ${before}`;
  if (moved === 0 && repeated === 0) return `Nothing to put away: there is no ${since}.\n`;
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
  return `${parts.join('; ')}. ${LEDGER_PATH}: ${report.lines_before} lines before, ${report.lines_after} after; ${sizes}.\n`;
}
