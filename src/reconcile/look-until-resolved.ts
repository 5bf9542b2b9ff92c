import type { OpenEntry } from '../domain/knowledge.ts';
import { untilNextLookMs } from '../requests/settle-window.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Source } from './source.ts';

/** Bounds the waiting when clocks jump: every entry asks for no more looks than these. */
const ROUNDS_MAX = 100;

/** How a wait for lost answers goes. */
interface Waiting<Look> {
  /** Hears of each look that is not the last. */
  readonly meanwhile?: (look: Look) => Promise<void>;
  /** Whether something is to be done with what the window of this entry tells. */
  readonly isWorthWaiting?: (entry: OpenEntry, look: Look) => boolean;
}

/**
 * Reads everything, and again, until no request whose answer was lost can still be carried out. Only lists begun
 * after the window tell what became of a create: an equal object that shows earlier may be another person's, and
 * absence means nothing yet. A plan made after that may create what never came. Ends early when the run is interrupted.
 */
export async function lookUntilResolved<Look extends Inspection>(
  { clock, interrupted, report }: ReconcilePorts,
  source: Pick<Source, 'settleMs'> & { look(): Promise<Look> },
  { meanwhile = () => Promise.resolve(), isWorthWaiting = () => true }: Waiting<Look> = {},
): Promise<Look> {
  const { settleMs } = source;
  for (let round = 1; ; round += 1) {
    const inspection = await source.look();
    const waiting = unsettled(inspection).filter((entry) => isWorthWaiting(entry, inspection));
    if (waiting.length === 0 || interrupted.aborted || round >= ROUNDS_MAX) return inspection;
    await meanwhile(inspection);
    const nowMs = clock.now();
    const left = Math.max(...waiting.map((entry) => entry.sentAtMs + settleMs - nowMs));
    report({ kind: 'resolving', requests: waiting.length, leftMs: left, isFirst: round === 1 });
    const nextLookMs = Math.min(...waiting.map((entry) => untilNextLookMs(nowMs - entry.sentAtMs, settleMs)));
    await clock.sleep(nextLookMs, interrupted).catch(() => undefined);
    report({ kind: 'idle' });
  }
}

/** Entries of accounts that this workspace still reads; an unsend waits for a person instead, and so may a create. */
function unsettled({ knowledge, accounts, verdicts }: Inspection): readonly OpenEntry[] {
  const read = new Set(accounts.map((account) => account.accountId));
  const undecided = new Set(
    verdicts.flatMap(({ entry, undecided: id }) => (id === null ? [] : [entry.entry])),
  );
  return knowledge.open
    .filter((entry) => entry.call !== 'unsend' && read.has(entry.accountId))
    .filter(({ entry }) => !undecided.has(entry));
}
