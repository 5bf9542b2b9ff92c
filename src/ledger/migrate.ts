import type { Lease } from '../domain/lease.ts';
import { LEDGER_BEGIN, type SharedState } from '../domain/ledger-store.ts';
import { archiveDay, refusedByMark, type LedgerPlace, type LinePages } from '../domain/ledger-transfer.ts';
import { StateError } from '../domain/state-error.ts';
import { digestLines, type LineDigest } from './line-digest.ts';
import { underLease } from './under-lease.ts';

export interface MigrateOptions {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly who: string;
  /** Copies the lines of a place that was moved to a third one. */
  readonly force: boolean;
}

/** A ledger that was moved. */
export interface Migration extends LineDigest {
  readonly from: LedgerPlace;
  readonly to: LedgerPlace;
  /** How many of the lines were not in the new place before. */
  readonly added: number;
  readonly archives: number;
}

/**
 * Moves the ledger to another place. Neither place is in use meanwhile. Each step can be repeated, so a move that was
 * killed is finished by the same command. At no time can both places be used:
 *
 * | step                                   | the old place    | the new place    |
 * |----------------------------------------|------------------|------------------|
 * | before                                 | used             | empty, or moved  |
 * | the lines are copied, in one step      | used             | refuses          |
 * | both are read again and compared       | used             | refuses          |
 * | the old place gets its mark            | refuses          | refuses          |
 * | late lines are copied, the mark leaves | refuses          | used             |
 */
export async function migrateLedger(
  from: SharedState,
  to: SharedState,
  options: MigrateOptions,
): Promise<Migration> {
  const [old, place] = [from.ledger.transfer.place, to.ledger.transfer.place];
  if (old.name === place.name)
    throw new StateError('state-failed', `${old.name} is both places.`, 'Name two places.');
  return underLease(to.leases, (toLease) =>
    underLease(from.leases, async (fromLease) => {
      await refuseElsewhere(from, place, options);
      return move({ from, to, fromLease, toLease }, options);
    }),
  );
}

interface Move {
  readonly from: SharedState;
  readonly to: SharedState;
  readonly fromLease: Lease;
  readonly toLease: Lease;
}

async function move({ from, to, fromLease, toLease }: Move, { at, who }: MigrateOptions): Promise<Migration> {
  const [source, target] = [from.ledger.transfer, to.ledger.transfer];
  const archives = await from.ledger.archives();
  for (const archive of archives) {
    const lines = await archive.open();
    const texts: string[] = [];
    await lines.read(LEDGER_BEGIN, (text) => texts.push(text));
    await lines.close();
    await target.uniteArchive(to.ledger.archiveFor(archiveDay(archive.name)), [texts]);
  }
  const arriving = { type: 'arriving', other: source.place, at, who } as const;
  const added = await target.unite(source.lines(), arriving, toLease);
  const copied = await compare(source.lines(), target.lines(), target.place);
  await refuseLost(fromLease, toLease);
  await source.setMark({ type: 'moved', other: target.place, at, who }, fromLease);
  // A stop by hand goes ahead without the lease, so it may have added a line until the mark was there.
  const late = await target.unite(source.lines(), null, toLease);
  const { lines, digest } = late === 0 ? copied : await compare(source.lines(), target.lines(), target.place);
  return {
    from: source.place,
    to: target.place,
    lines,
    digest,
    added: added + late,
    archives: archives.length,
  };
}

/** The number and the digest of the lines, which have to be the same in both places. */
async function compare(old: LinePages, copied: LinePages, place: LedgerPlace): Promise<LineDigest> {
  const wanted = await digestLines(old);
  const there = await digestLines(copied, (key) => wanted.keys.has(key));
  if (there.lines === wanted.lines && there.digest === wanted.digest) return wanted;
  throw new StateError(
    'state-failed',
    `${place.name} has ${there.lines} of ${wanted.lines} lines after the copy. The old place is still in use.`,
    'Run the command again.',
  );
}

async function refuseElsewhere(
  { ledger: { transfer } }: SharedState,
  to: LedgerPlace,
  { force }: MigrateOptions,
): Promise<void> {
  const mark = await transfer.mark();
  if (mark === null || mark.other.name === to.name || (force && mark.type === 'moved')) return;
  const { message, next } = refusedByMark(transfer.place, mark);
  const hint = 'To copy these older lines anyway: --force';
  throw new StateError('state-moved', message, mark.type === 'moved' ? `${next}. ${hint}` : next);
}

async function refuseLost(...leases: readonly Lease[]): Promise<void> {
  for (const lease of leases) {
    const lost = await lease.lost();
    if (lost !== null)
      throw new StateError(
        'state-failed',
        `The lease was lost: ${lost}. The old place is still in use.`,
        'Run the command again.',
      );
  }
}
