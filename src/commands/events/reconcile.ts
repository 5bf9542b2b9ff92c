import { chooseAccounts, openService } from '../../cli/accounts.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { textFlag } from '../../cli/flags.ts';
import { readPast } from '../../library/instant-range.ts';
import { joined, shown } from '../../domain/visible.ts';
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
    const { added, by_kind, text } = await reconcileWorkspace(context, sinceMs);
    return itemResult({ from, to: new Date(nowMs).toISOString(), added, by_kind }, text);
  },
});

/**
 * Compares the events with the lists of all accounts of the workspace, and stores what did not come. Sends only GETs. Tells what was
 * added, and what no list can show.
 */
export async function reconcileWorkspace(context: Context, sinceMs: number) {
  const service = await openService(context, { mayLackFile: true });
  const { primary } = service.workspace.service.platforms;
  const accounts = await chooseAccounts(service, [], { id: 'platformAccountId', anyPlatform: true });
  const nowMs = context.clock.now();
  const events = await reconcileEvents(service.client, context.events, { accounts, primary, sinceMs, nowMs });
  const added = events.length;
  const by_kind: Record<string, number> = {};
  for (const { kind } of events) by_kind[kind ?? ''] = (by_kind[kind ?? ''] ?? 0) + 1;
  const compared = shown`Compared the lists since ${new Date(sinceMs).toISOString()}: ${count(added, 'event')} had not come, and ${added === 1 ? 'is' : 'are'} stored now.`;
  const kinds = Object.entries(by_kind).map(([kind, number]) => shown`  ${kind}: ${number}`);
  const blocked = shown`Events about blocked messages may be missing too, because no list shows them.`;
  return { added, by_kind, text: added === 0 ? compared : joined([compared, ...kinds, blocked], '\n') };
}
