import { BadRangeError, givenRange } from '../../domain/instant-range.ts';
import type { LedgerLines } from '../../domain/ledger-store.ts';
import { newestTime } from '../../ledger/newest-time.ts';
import { throughLedger } from '../../ledger/passes.ts';
import { CommandError } from '../failure.ts';

/** History that stays in the ledger by default. */
export const KEEP_DEFAULT = '90d';

/** Much longer than the time in which an earlier request still matters, on any two clocks. */
const KEEP_MIN_MS = 7 * 86_400_000;

/** The time that `--keep` means. Throws if it is not valid, or less than a week ago. */
export function keepFrom(keep: string, nowMs: number): string {
  const from = readKeep(keep, nowMs);
  if (nowMs - Date.parse(from) >= KEEP_MIN_MS) return from;
  throw new CommandError(
    'bad-flag',
    `--keep ${keep} is less than a week. Requests that may still matter must stay in the ledger.`,
    'Use --keep 7d or more.',
  );
}

/**
 * The same, but at least a week before the newest line: this machine's clock may be ahead, and nothing is concluded from
 * one clock (decision 18).
 */
export async function keptFrom(lines: LedgerLines, before: string): Promise<string> {
  const newestMs = await throughLedger(lines, newestTime());
  if (newestMs === null || newestMs - KEEP_MIN_MS >= Date.parse(before)) return before;
  return new Date(newestMs - KEEP_MIN_MS).toISOString();
}

function readKeep(keep: string, nowMs: number): string {
  try {
    return givenRange({ from: keep, to: undefined }, nowMs).from ?? '';
  } catch (error) {
    if (!(error instanceof BadRangeError)) throw error;
    const message = error.message.includes(' is empty') ? `--keep ${keep} is not before now.` : error.message;
    throw new CommandError('bad-flag', message.replace('--from', '--keep'));
  }
}
