import type { Policy } from '../domain/policy.ts';
import type { BannedWords } from './rules/banned-words.ts';
import type { QuietHours } from './rules/quiet-hours.ts';

/** The policies that a preview and a calendar show, in the words of `herald.yaml`. */
export function shownPolicy(policy: Policy): {
  quiet_hours?: { from: string; to: string; timezone: string };
  banned_words?: string[];
} {
  const quiet = policy['quiet_hours'] as QuietHours | undefined;
  const banned = policy['banned_words'] as BannedWords | undefined;
  return {
    ...(quiet === undefined
      ? {}
      : { quiet_hours: { from: quiet.from, to: quiet.to, timezone: quiet.timezone } }),
    ...(banned === undefined ? {} : { banned_words: [...banned.words] }),
  };
}
