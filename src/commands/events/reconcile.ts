import { chooseAccounts, openService } from '../../cli/accounts.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { textFlag } from '../../cli/flags.ts';
import { readPast } from '../../library/instant-range.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import type { StoredEvent } from '../../events/event.ts';
import { reconcileEvents } from '../../events/reconcile.ts';
import { count } from '../../render/wording.ts';

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

/** Compares the events with the lists of all accounts of the workspace, and stores what did not come. Sends only GETs. */
export async function reconcileWorkspace(context: Context, sinceMs: number): Promise<readonly StoredEvent[]> {
  const service = await openService(context, { mayLackFile: true });
  const { primary } = service.workspace.service.platforms;
  const accounts = await chooseAccounts(service, [], { id: 'platformAccountId', anyPlatform: true });
  const nowMs = context.clock.now();
  return reconcileEvents(service.client, context.events, { accounts, primary, sinceMs, nowMs });
}

function countKinds(events: readonly StoredEvent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of events) counts[kind ?? ''] = (counts[kind ?? ''] ?? 0) + 1;
  return counts;
}

/** What was added, and what no list can show. */
export function explainAdded(sinceMs: number, added: readonly StoredEvent[]): Visible {
  const kinds = Object.entries(countKinds(added)).map(([kind, number]) => shown`  ${kind}: ${number}`);
  const compared = shown`Compared the lists since ${new Date(sinceMs).toISOString()}: ${count(added.length, 'event')} had not come, and ${added.length === 1 ? 'is' : 'are'} stored now.`;
  if (added.length === 0) return compared;
  const blocked = shown`Events about blocked messages may be missing too, because no list shows them.`;
  return joined([compared, ...kinds, blocked], '\n');
}
