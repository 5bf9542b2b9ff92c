import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { shown, type Visible } from '../../domain/visible.ts';
import type { Lease } from '../../domain/lease.ts';
import { compactLedger, editOf, isChange, sizeAfter, type Compaction } from '../../ledger/compact.ts';
import { throughLedger } from '../../ledger/passes.ts';
import { underLease } from '../../ledger/under-lease.ts';
import { byteWords } from '../../render/byte-words.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { LedgerCompact } from '../../domain/reports.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { leaseWait } from '../lease-wait.ts';
import { KEEP_DEFAULT, keepFrom, keptFrom } from './keep.ts';

export interface CompactFlags {
  readonly keep: string | undefined;
  /** Delete removed lines instead of moving them to an archive. */
  readonly drop: boolean;
  readonly dryRun: boolean;
}

const interruptWords = () => ({
  first: 'Interrupted. Finishing the write of the ledger.',
  second: `Stopped immediately. Check the ledger: ${formatCommand('ledger', 'check')}`,
});

/**
 * `herald ledger compact`: moves old, finished history to an archive file. Lines that later decisions need stay.
 * Holds the lock. The archive is replaced first, so a crash in between only leaves lines in both files.
 */
export async function ledgerCompactCommand(context: Context, flags: CompactFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const nowMs = context.clock.now();
  const keep = keepFrom(flags.keep ?? KEEP_DEFAULT, nowMs);
  const report = flags.dryRun
    ? await compact(context, flags, keep, nowMs, null)
    : await underLease(
        context.state.leases,
        (lease) => context.protect(() => compact(context, flags, keep, nowMs, lease), interruptWords()),
        leaseWait(context),
      );
  context.output.result(format === 'json' ? renderJson(report) : wordsOf(context, report));
  return EXIT.done;
}

/** `lease` is null for a dry run. */
async function compact(
  { state, identity, onChange }: Context,
  { drop }: CompactFlags,
  keep: string,
  nowMs: number,
  lease: Lease | null,
): Promise<LedgerCompact> {
  const at = new Date(nowMs).toISOString();
  const { ledger } = state;
  const archive = drop ? null : ledger.archiveFor(at);
  const lines = await ledger.open();
  try {
    const bytes = await lines.size();
    const before = await keptFrom(lines, keep);
    const options = { before, at, ...identity, archive };
    const compaction = await throughLedger(lines, compactLedger(options));
    refuseDamaged(ledger.name, compaction);
    const movedTo = compaction.movedLines > 0 ? archive : null;
    const edit = editOf(compaction, movedTo);
    const bytesAfter = isChange(compaction) ? await sizeAfter(lines, edit) : bytes;
    if (isChange(compaction) && lease !== null) {
      onChange?.();
      await ledger.compact(lines, edit, lease);
    }
    return {
      schema: 'herald/ledger-compact/1',
      dry_run: lease === null,
      before,
      archive: movedTo,
      moved_lines: compaction.movedLines,
      repeated_lines: compaction.repeated,
      cut_lines: compaction.torn.size,
      lines_before: compaction.linesBefore,
      lines_after: compaction.linesAfter,
      bytes_before: bytes,
      bytes_after: bytesAfter,
    };
  } finally {
    await lines.close();
  }
}

function refuseDamaged(name: string, { damaged }: Compaction): void {
  const [first] = damaged;
  if (first === undefined) return;
  throw new CommandError(
    'damaged-ledger',
    `${name}:${first}: ${count(damaged.length, 'line')} cannot be read. Nothing was moved.`,
    `To see how to fix each: ${formatCommand('ledger', 'check')}`,
  );
}

function wordsOf({ state }: Context, report: LedgerCompact): Visible {
  const { archive, moved_lines: moved, repeated_lines: repeated, cut_lines: cut, before } = report;
  const since = `finished history from before ${before}`;
  if (moved === 0 && repeated === 0 && cut === 0) return shown`Nothing to move: ${since} does not exist.\n`;
  const would = report.dry_run ? 'would be ' : '';
  const parts = [
    ...(moved === 0
      ? []
      : [
          `${count(moved, 'line')} of ${since} ${would}${archive === null ? 'dropped' : `moved to ${archive}`}`,
        ]),
    ...(repeated === 0 ? [] : [`${count(repeated, 'line')} that occurred twice ${would}removed`]),
    ...(cut === 0 ? [] : [`${count(cut, 'line')} that a crash cut short ${would}removed`]),
  ];
  const sizes = `${byteWords(report.bytes_before)} before, ${byteWords(report.bytes_after)} after`;
  return shown`${parts.join('; ')}. ${state.ledger.name}: ${report.lines_before} lines before, ${report.lines_after} after; ${sizes}.\n`;
}
