import { givenRange } from '../instant-range.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import type { StoredEvent } from '../../domain/event-store.ts';
import { reconcileEvents } from '../../events/reconcile.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import { choosePlatformAccounts, openServiceToRead } from '../accounts.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { HeraldError, hasCode } from '../../domain/herald-error.ts';

/** `herald events reconcile`: stores the payments that lists show and that sent no event. */
export async function eventsReconcileCommand(
  context: Context,
  { since }: { readonly since: string },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const nowMs = context.clock.now();
  const sinceMs = readSince(since, nowMs);
  await context.events.check();
  const added = await reconcileWorkspace(context, sinceMs);
  const [from, to] = [new Date(sinceMs).toISOString(), new Date(nowMs).toISOString()];
  const item = { from, to, added: added.length, by_kind: countKinds(added) };
  context.output.result(
    format === 'json' ? renderJson({ schema: 'herald/item/1', item }) : explainAdded(sinceMs, added),
  );
  return EXIT.done;
}

/** Reads the lists of all accounts of the workspace. Sends only GETs. */
export async function reconcileWorkspace(context: Context, sinceMs: number): Promise<readonly StoredEvent[]> {
  const service = await openServiceToRead(context);
  const { primary, secondary } = service.settings.service.platforms;
  const accounts = await choosePlatformAccounts(service, [], [primary, secondary]);
  const nowMs = context.clock.now();
  return reconcileEvents(service.client, context.events, { accounts, primary, sinceMs, nowMs });
}

function readSince(since: string, nowMs: number): number {
  try {
    return Date.parse(givenRange({ from: since, to: undefined }, nowMs).from ?? '');
  } catch (error) {
    if (!hasCode(error, 'bad-flag')) throw error;
    throw new HeraldError('bad-flag', error.message.replaceAll('--from', '--since'));
  }
}

function countKinds(events: readonly StoredEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of events) counts[kind ?? ''] = (counts[kind ?? ''] ?? 0) + 1;
  return counts;
}

/** What was added, and what no list can show. */
export function explainAdded(sinceMs: number, added: readonly StoredEvent[]): Visible {
  const kinds = Object.entries(countKinds(added)).map(([kind, number]) => shown`  ${kind}: ${number}`);
  return joined(
    [
      shown`Compared the lists since ${new Date(sinceMs).toISOString()}: ${count(added.length, 'event')} had not come, and ${added.length === 1 ? 'is' : 'are'} stored now.`,
      ...kinds,
      ...(added.length === 0
        ? []
        : [shown`Events about blocked messages may be missing too, because no list shows them.`]),
    ],
    '\n',
  );
}
