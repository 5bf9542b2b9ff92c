import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { lockTimeoutFlag, requiredFlag } from '../../cli/flags.ts';
import { readPast } from '../../library/instant-range.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';
import { count } from '../../render/wording.ts';

/** Much longer than the time in which an ended request still matters, on any two clocks. */
const KEPT_MS = 7 * 86_400_000;

/** Deletes requests that ended before a time. Sends nothing. */
export const prune = defineCommand({
  path: 'state prune',
  about: 'delete requests that ended long ago; what is known of objects stays',
  examples: ['herald state prune --before 180d', 'herald state prune --before 2026-01-01 --format json'],
  flags: {
    before: requiredFlag('--before <time>', 'a date, a time, or an age such as 180d; at least a week ago'),
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'lease',
  run: async (context, { before: written }, { state }) => {
    const nowMs = context.clock.now();
    const before = readPast('--before', written, nowMs, formatCommand('state', 'prune', '--before', '180d'));
    if (nowMs - Date.parse(before) < KEPT_MS)
      throw new HeraldError(
        'bad-flag',
        `--before ${written} is less than a week ago. Requests that may still matter must stay in the state.`,
        `Use 7d or more: ${formatCommand('state', 'prune', '--before', '7d')}`,
      );
    context.onChange?.();
    const deleted = await state.prune(Date.parse(before));
    return itemResult(
      { before, deleted },
      shown`Deleted ${count(deleted, 'request')} that ended before ${before}. What is known of objects stays.`,
    );
  },
});
