import type { AudienceFilter } from '../domain/audience.ts';
import type { Message } from '../domain/message.ts';
import { invalid } from './answers.ts';
import { dropUndefined, isoTime } from './records.ts';
import { takeId } from './random.ts';
import type { SeededFilter } from './seed-shape.ts';
import {
  liveMessageShape,
  type AccountState,
  type LiveFilter,
  type LiveMessage,
  type Sender,
} from './state.ts';
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

const COMMON_RULES = {
  unsend_delay_sec: 0,
  unsend_if_not_read_enabled: false,
  unsend_if_not_replied_enabled: false,
  mimic_on_reply_enabled: false,
};
const CAMPAIGN_RULES = { send_after_expire_min: 0, send_before_expire_min: 0, retry_after_unsend_min: 0 };
const NO_DELAY = { min_sec: 0, range_sec: 0 };

/**
 * Rules with the service's defaults. Assumed: 0, false and no end (CONTENT-20). Answers contain
 * `unsend_if_not_replied_enabled`, although a create of a broadcast cannot set it (BROADCAST-10).
 */
export function fillRules(
  kind: Sender['kind'],
  given: Readonly<Record<string, unknown>> & { readonly end_at?: string | null | undefined } = {},
): Record<string, unknown> {
  const rules = { ...COMMON_RULES, ...given, end_at: utc(given.end_at) ?? null };
  if (kind === 'broadcast') return { online_check_mode: 'off', end_at_timezone: null, ...rules };
  const send_delay_interval = { ...NO_DELAY, ...Object(given['send_delay_interval']) };
  return { ...CAMPAIGN_RULES, ...rules, send_delay_interval };
}

/** Assumed: the service has it that a message needs text or an attachment (CONTENT-9). */
export function requireContent(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    if (message.text || message.attachments?.length) return;
    throw invalid('a message needs text or an attachment', `messages.${index}`);
  });
}

/**
 * The time that a date means in its time zone mode. An offset in the value is ignored. Assumed: `utc` is the only mode
 * (BROADCAST-4).
 */
export function readWallClock(value: string, mode: string | undefined, path: string): string {
  if (mode !== 'utc') throw invalid(`${path}_timezone_mode must be "utc"`, `${path}_timezone_mode`);
  return isoTime(Date.parse(`${value.slice(0, 13)}:00:00Z`));
}
