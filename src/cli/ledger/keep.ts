import { BadRangeError, givenRange } from '../../domain/instant-range.ts';
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

function readKeep(keep: string, nowMs: number): string {
  try {
    return givenRange({ from: keep, to: undefined }, nowMs).from ?? '';
  } catch (error) {
    if (!(error instanceof BadRangeError)) throw error;
    const message = error.message.includes(' is empty') ? `--keep ${keep} is not before now.` : error.message;
    throw new CommandError('bad-flag', message.replace('--from', '--keep'));
  }
}
