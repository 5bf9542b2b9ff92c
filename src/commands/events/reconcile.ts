import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { countKinds, explainAdded, reconcileWorkspace } from '../../cli/events.ts';
import { textFlag } from '../../cli/flags.ts';
import { readPast } from '../../cli/instant-range.ts';

/** Stores the events that lists show and that did not come. */
export const reconcile = defineCommand({
  path: 'events reconcile',
  about: 'store the payments that lists show and that sent no event',
  examples: ['herald events reconcile', 'herald events reconcile --since 7d --format json'],
  flags: { since: textFlag('--since <time>', 'a date, a time, or an age such as 7d', '2d') },
  needs: 'nothing',
  run: async (context, { since }) => {
    const nowMs = context.clock.now();
    const from = readPast('--since', since, nowMs);
    const sinceMs = Date.parse(from);
    await context.events.check();
    const added = await reconcileWorkspace(context, sinceMs);
    const to = new Date(nowMs).toISOString();
    return itemResult(
      { from, to, added: added.length, by_kind: countKinds(added) },
      explainAdded(sinceMs, added),
    );
  },
});
