import type { AudienceFilter } from '../domain/audience.ts';
import type { Message } from '../domain/message.ts';
import { invalid } from './answers.ts';
import { dropUndefined, isoTime } from './records.ts';
import { takeId } from './random.ts';
import type { SeededFilter } from './seed-shape.ts';
import { liveMessageShape, type AccountState, type LiveFilter, type LiveMessage } from './state.ts';
import type { World } from './world.ts';

/** Messages with their defaults and their `step` (CONTENT-8). */
export function fillMessages(messages: readonly Message[]): LiveMessage[] {
  return messages.map((message, step) => liveMessageShape.parse({ ...message, step }));
}

/** Filters as they are stored: the name of a list is replaced by its id (CONTENT-17). */
export function keepFilters(
  world: World,
  account: AccountState,
  filters: readonly (AudienceFilter | SeededFilter)[],
): LiveFilter[] {
  return filters.map(({ kind, mode, options = {} }) => {
    const { lists, from_at, to_at, ...days } = options;
    const dates = { ...days, ...dropUndefined({ from_at: utc(from_at), to_at: utc(to_at) }) };
    const ids = lists?.map((list) => ({ id: 'name' in list ? listId(world, account, list.name) : list.id }));
    return { kind, mode, options: ids === undefined ? dates : { ...dates, lists: ids } };
  });
}

/** Answers show dates in UTC, whatever offset they were sent with (READ-7). */
function utc(instant: string | null | undefined): string | undefined {
  return instant == null ? undefined : isoTime(Date.parse(instant));
}

/** The id of a fan list. The same name means the same list of the account. */
function listId(world: World, { lists }: AccountState, name: string): string {
  const known = Object.hasOwn(lists, name) ? lists[name] : undefined;
  return known ?? (lists[name] = takeId(world, 'nextListId'));
}

const DAY_MS = 86_400_000;

/** Filters as in answers: without relative days (CONTENT-18), or with the dates that they mean. */
export function readFilters(world: World, filters: readonly LiveFilter[]): LiveFilter[] {
  return filters.map(({ kind, mode, options }) => {
    const { from_days, to_days, ...readable } = options;
    if (world.modes.daysReadBack === 'omitted') return { kind, mode, options: readable };
    const daysAgo = (days: number) => isoTime(world.nowMs - days * DAY_MS);
    if (from_days !== undefined) readable.from_at = daysAgo(from_days);
    if (to_days !== undefined) readable.to_at = daysAgo(to_days);
    return { kind, mode, options: readable };
  });
}

type Rules = Readonly<Record<string, unknown>>;

/** Rules with the service's defaults. Assumed: 0, false and no end (CONTENT-20). */
export function fillCampaignRules(
  rules: Rules & { readonly end_at?: string | null | undefined } = {},
): Record<string, unknown> {
  return {
    send_after_expire_min: 0,
    send_before_expire_min: 0,
    unsend_delay_sec: 0,
    retry_after_unsend_min: 0,
    unsend_if_not_read_enabled: false,
    unsend_if_not_replied_enabled: false,
    mimic_on_reply_enabled: false,
    ...rules,
    end_at: utc(rules.end_at) ?? null,
    send_delay_interval: { min_sec: 0, range_sec: 0, ...Object(rules['send_delay_interval']) },
  };
}

/** Answers contain `unsend_if_not_replied_enabled`, although a create cannot set it (BROADCAST-10). */
export function fillBroadcastRules(rules: Rules = {}): Record<string, unknown> {
  return {
    online_check_mode: 'off',
    unsend_delay_sec: 0,
    unsend_if_not_read_enabled: false,
    unsend_if_not_replied_enabled: false,
    mimic_on_reply_enabled: false,
    end_at: null,
    end_at_timezone: null,
    ...rules,
  };
}

/** The name as it is stored (CONTENT-2). A message needs text or an attachment. Assumed: as the service has it (CONTENT-9). */
export function keepName(
  { modes }: World,
  given: string | null | undefined,
  messages: readonly Message[],
): string | null {
  messages.forEach((message, index) => {
    if (message.text || message.attachments?.length) return;
    throw invalid(modes, 'a message needs text or an attachment', `messages.${index}`);
  });
  return (modes.trimNames ? given?.trim() : given) ?? null;
}

/**
 * The time that a date means in its time zone mode. An offset in the value is ignored. Assumed: `utc` is the only mode
 * (BROADCAST-4).
 */
export function readWallClock(world: World, value: string, mode: string | undefined, path: string): number {
  if (mode !== 'utc')
    throw invalid(world.modes, `${path}_timezone_mode must be "utc"`, `${path}_timezone_mode`);
  return Date.parse(`${value.slice(0, 13)}:00:00Z`);
}
