import { choosePlatformAccounts, openServiceToRead } from './accounts.ts';
import type { Context } from './context.ts';
import { type ValuesOf, textFlag, textsFlag } from './flags.ts';
import { readRange } from './instant-range.ts';
import { compareText } from '../domain/diagnostic.ts';
import { globOf } from '../domain/glob.ts';
import { type Visible, joined, shown } from '../domain/visible.ts';
import { nameEvent, type StoredEvent } from '../events/event.ts';
import { reconcileEvents } from '../events/reconcile.ts';
import { count } from '../render/wording.ts';
import { loadSettings } from '../workspace/load.ts';

/** The filters of each command that reads events. */
export const EVENT_FILTERS = {
  account: textsFlag('--account <account>', 'only events of this account: an alias or an id (repeatable)'),
  kind: textsFlag('--kind <pattern>', 'only events of this kind; * matches any characters (repeatable)'),
  fan: textFlag('--fan <id>', 'only events of this fan'),
  source: textFlag('--source <source>', 'webhook, or list for those that did not come'),
  from: textFlag('--from <time>', 'received since: a date, a time, or an age such as 30d'),
  to: textFlag('--to <time>', 'received until: a date, a time, or an age'),
};

/** An event as it is shown. */
interface ShownEvent extends StoredEvent {
  /** A short name of the event, for `events show`. */
  readonly ref: string;
  /** The alias of the workspace; null for other accounts. */
  readonly account: string | null;
}

/** The stored events that the filters choose, newest first. All filters may be left out. */
export async function readEvents(
  context: Context,
  { account = [], kind = [], fan, source, from, to }: Partial<ValuesOf<typeof EVENT_FILTERS>> = {},
): Promise<readonly ShownEvent[]> {
  const aliases = await readAliases(context);
  const range = readRange({ from, to }, context.clock.now());
  const kinds = kind.map(globOf);
  const found: ShownEvent[] = [];
  await context.events.read((event) => {
    const { account_id: id, platform_account_id: platformId } = event;
    const alias = aliases.get(`id ${id}`) ?? aliases.get(`platform ${platformId}`) ?? null;
    const isShown =
      (source === undefined || event.source === source) &&
      (range.from === undefined || event.received_at >= range.from) &&
      (range.to === undefined || event.received_at <= range.to) &&
      (kinds.length === 0 || kinds.some((matches) => matches(event.kind ?? ''))) &&
      (fan === undefined || event.fan_id === fan) &&
      (account.length === 0 || [alias, id, platformId].some((name) => account.includes(name ?? '')));
    if (isShown) found.push({ ...event, ref: nameEvent(event), account: alias });
  });
  return found.toSorted((left, right) => compareText(right.received_at, left.received_at));
}

/** The aliases by the ids that the file states. Events can be read without a valid file. */
async function readAliases({ env, files }: Context): Promise<ReadonlyMap<string, string>> {
  const loaded = await loadSettings(files, { env, mayLackFile: true });
  if (loaded.kind === 'invalid') return new Map();
  return new Map(
    loaded.settings.accounts.flatMap(({ alias, selector, platformAccountId }) => [
      ...(selector.by === 'id' ? [[`id ${selector.value}`, alias] as const] : []),
      ...(selector.by === 'platform_account_id' ? [[`platform ${selector.value}`, alias] as const] : []),
      ...(platformAccountId === undefined ? [] : [[`platform ${platformAccountId}`, alias] as const]),
    ]),
  );
}

/** Compares the events with the lists of all accounts of the workspace, and stores what did not come. Sends only GETs. */
export async function reconcileWorkspace(context: Context, sinceMs: number): Promise<readonly StoredEvent[]> {
  const service = await openServiceToRead(context);
  const { primary } = service.settings.service.platforms;
  const accounts = await choosePlatformAccounts(service, [], { anyPlatform: true });
  const nowMs = context.clock.now();
  return reconcileEvents(service.client, context.events, { accounts, primary, sinceMs, nowMs });
}

/** The number of events of each kind. */
export function countKinds(events: readonly StoredEvent[]): Readonly<Record<string, number>> {
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
