import { givenRange } from '../instant-range.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { EVENTS_BEGIN, type StoredEvent } from '../../domain/event-store.ts';
import type { Hole } from '../../operations/events/holes.ts';
import { reconcileEvents, type EventReconciliation } from '../../operations/events/reconcile-events.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import { choosePlatformAccounts, openServiceToRead } from '../accounts.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { HeraldError, hasCode } from '../../domain/herald-error.ts';

/** `herald events reconcile`: stores the events that lists show and that did not come. */
export async function eventsReconcileCommand(
  context: Context,
  { since }: { readonly since?: string },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const sinceMs = sinceOf(since, context.clock.now());
  const writer = await context.events.openToAdd();
  try {
    const found = await reconcileWorkspace(context, (event) => writer.add(event), sinceMs);
    const { from, to, added, holes } = found;
    const item = { from, to, added: added.length, by_kind: byKind(added), possibly_missed: holes };
    context.output.result(
      format === 'json' ? renderJson({ schema: 'herald/item/1', item }) : reconciledWords(found),
    );
    return EXIT.done;
  } finally {
    await writer.close();
  }
}

/** Reads the lists of all accounts of the workspace. Sends only GETs. */
export async function reconcileWorkspace(
  context: Context,
  add: (event: StoredEvent) => Promise<unknown>,
  sinceMs: number | null,
  after = EVENTS_BEGIN,
): Promise<EventReconciliation> {
  const service = await openServiceToRead(context);
  const { primary, secondary } = service.settings.service.platforms;
  const accounts = await choosePlatformAccounts(service, [], [primary, secondary]);
  return reconcileEvents(
    {
      client: service.client,
      store: context.events,
      add,
      nowMs: context.clock.now(),
      run: context.identity.run,
    },
    accounts.map((account) => ({ ...account, isPrimary: account.platform === primary })),
    sinceMs,
    after,
  );
}

function sinceOf(since: string | undefined, nowMs: number): number | null {
  try {
    const { from } = givenRange({ from: since, to: undefined }, nowMs);
    return from === undefined ? null : Date.parse(from);
  } catch (error) {
    if (!hasCode(error, 'bad-flag')) throw error;
    throw new HeraldError('bad-flag', error.message.replaceAll('--from', '--since'));
  }
}

function byKind(events: readonly StoredEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of events) counts[kind ?? ''] = (counts[kind ?? ''] ?? 0) + 1;
  return counts;
}

/** What was added, and what no list can show. */
export function reconciledWords({ from, to, added, holes }: EventReconciliation): Visible {
  const kinds = Object.entries(byKind(added)).map(([kind, number]) => shown`  ${kind}: ${number}`);
  return joined(
    [
      shown`Compared the lists from ${from} to ${to}: ${count(added.length, 'event')} had not come, and ${added.length === 1 ? 'is' : 'are'} stored now.`,
      ...kinds,
      ...holes.map(holeWords),
    ],
    '\n',
  );
}

function holeWords({ from, to, why }: Hole): Visible {
  const reason = why === 'not_listening' ? 'the receiver was not listening' : 'events did not come';
  return shown`Between ${from} and ${to}, ${reason}. Blocked messages of that time may be unknown, because no list shows them.`;
}
