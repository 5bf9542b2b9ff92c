import type { OpenEntry } from '../domain/knowledge.ts';
import { untilNextLookMs } from '../requests/settle-window.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Source } from './source.ts';

/** Limit for the waiting if clocks jump. Entries never need this many looks. */
const ROUNDS_MAX = 100;

/** Options of a wait for lost answers. */
interface Waiting<Look> {
  /** Called after each look but the last. */
  readonly meanwhile?: (look: Look) => Promise<void>;
  /** True if the end of this entry's window changes what the run does. */
  readonly isWorthWaiting?: (entry: OpenEntry, look: Look) => boolean;
}

/**
 * Reads everything repeatedly until no unconfirmed request can still succeed. Only lists that were begun after the
 * window decide about a create: an equal object before that may be another person's, and a missing one may still
 * appear. A plan after that may create it again. Ends early on an interrupt.
 */
export async function lookUntilResolved<Look extends Inspection>(
  { clock, interrupted, report }: ReconcilePorts,
  source: Pick<Source, 'settleMs'> & { look(): Promise<Look> },
  { meanwhile = () => Promise.resolve(), isWorthWaiting = () => true }: Waiting<Look> = {},
): Promise<Look> {
  const { settleMs } = source;
  for (let round = 1; ; round += 1) {
    const inspection = await source.look();
    const waiting = unresolved(inspection).filter((entry) => isWorthWaiting(entry, inspection));
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

/** Unconfirmed entries of accounts in this workspace. A recall waits for a person instead, and so may a create. */
function unresolved({ knowledge, accounts, verdicts }: Inspection): readonly OpenEntry[] {
  const read = new Set(accounts.map((account) => account.accountId));
  const undecided = new Set(
    verdicts.flatMap(({ entry, undecided: id }) => (id === null ? [] : [entry.entry])),
  );
  return knowledge.open
    .filter((entry) => entry.call !== 'unsend' && read.has(entry.accountId))
    .filter(({ entry }) => !undecided.has(entry));
}
