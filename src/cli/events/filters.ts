import { compareText } from '../../domain/diagnostic.ts';
import { EVENTS_BEGIN, type StoredEvent } from '../../domain/event-store.ts';
import { globOf } from '../../domain/glob.ts';
import { givenRange } from '../instant-range.ts';
import { nameEvent } from '../../events/event.ts';
import { loadSettings } from '../../workspace/load.ts';
import type { Context } from '../context.ts';
import { HeraldError, hasCode } from '../../domain/herald-error.ts';

/** The filters that every command of events takes. */
export interface EventFilters {
  readonly account: readonly string[];
  readonly kind: readonly string[];
  readonly fan?: string;
  readonly source?: string;
  readonly from?: string;
  readonly to?: string;
}

/** An event as it is shown. */
export interface ShownEvent extends StoredEvent {
  /** A short name of the event, for `events show`. */
  readonly ref: string;
  /** The alias of the workspace; null for other accounts. */
  readonly account: string | null;
}

/** Selects events, and names them for people. */
export interface EventView {
  readonly shows: (event: StoredEvent) => boolean;
  readonly shownOf: (event: StoredEvent) => ShownEvent;
}

/** Reads the filters. */
export async function eventView(context: Context, filters: EventFilters): Promise<EventView> {
  const aliasOf = await aliases(context);
  const { from, to } = rangeOf(filters, context.clock.now());
  const kinds = filters.kind.map(globOf);
  const { account, fan, source } = filters;
  const accountOf = (event: StoredEvent) =>
    aliasOf.get(`id ${event.account_id}`) ?? aliasOf.get(`platform ${event.platform_account_id}`) ?? null;
  return {
    shows: (event) =>
      (source === undefined || event.source === source) &&
      (from === undefined || event.received_at >= from) &&
      (to === undefined || event.received_at <= to) &&
      (kinds.length === 0 || kinds.some((matches) => matches(event.kind ?? ''))) &&
      (fan === undefined || event.fan_id === fan) &&
      (account.length === 0 ||
        [accountOf(event), event.account_id, event.platform_account_id].some(
          (name) => name !== null && account.includes(name),
        )),
    shownOf: (event) => ({ ...event, ref: nameEvent(event), account: accountOf(event) }),
  };
}

function rangeOf({ from, to }: EventFilters, nowMs: number): { from?: string; to?: string } {
  try {
    return givenRange({ from, to }, nowMs);
  } catch (error) {
    if (hasCode(error, 'bad-flag')) throw new HeraldError('bad-flag', error.message);
    throw error;
  }
}

/** The aliases by the ids that the file states. Events can be read without a valid file. */
async function aliases(context: Context): Promise<ReadonlyMap<string, string>> {
  const loaded = await loadSettings(context.files, { env: context.env, mayLackFile: true });
  if (loaded.kind === 'invalid') return new Map();
  return new Map(
    loaded.settings.accounts.flatMap(({ alias, selector, platformAccountId }) => [
      ...(selector.by === 'id' ? [[`id ${selector.value}`, alias] as const] : []),
      ...(selector.by === 'platform_account_id' ? [[`platform ${selector.value}`, alias] as const] : []),
      ...(platformAccountId === undefined ? [] : [[`platform ${platformAccountId}`, alias] as const]),
    ]),
  );
}

/** The selected events, oldest first. */
export async function readEvents({ events }: Context, view: EventView): Promise<readonly ShownEvent[]> {
  const found: ShownEvent[] = [];
  await events.read(EVENTS_BEGIN, (event) => {
    if (view.shows(event)) found.push(view.shownOf(event));
  });
  return found.toSorted((left, right) => compareText(left.received_at, right.received_at));
}
