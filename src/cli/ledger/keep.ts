import { BadRangeError, givenRange } from '../../domain/instant-range.ts';
import { CommandError } from '../failure.ts';

/** How much settled history stays in the ledger unless somebody says otherwise. */
export const KEEP_DEFAULT = '90d';

/** Far above every time within which an earlier request is looked at, on any two clocks. */
const KEEP_MIN_MS = 7 * 86_400_000;

/** The instant that `--keep` means: everything since then stays. Throws for what is no time, or too short a time ago. */
export function keepFrom(keep: string, nowMs: number): string {
  const from = readKeep(keep, nowMs);
  if (nowMs - Date.parse(from) >= KEEP_MIN_MS) return from;
  throw new CommandError(
    'bad-flag',
    `--keep ${keep} is less than a week: what may still be under way, or be meant twice, must stay in the ledger.`,
    'Keep at least 7d.',
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
