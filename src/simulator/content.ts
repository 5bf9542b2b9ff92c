import { invalid } from './answers.ts';
import { isoTime } from './records.ts';
import { takeId } from './random.ts';
import type { SentMessage, TakenFilter } from './shapes.ts';
import type { AccountState, LiveFilter, LiveMessage } from './state.ts';
import type { World } from './world.ts';

/** Messages with their defaults and their `step` (CONTENT-8). */
export function fillMessages(messages: readonly SentMessage[]): LiveMessage[] {
  return messages.map((message, step) => ({
    step,
    text: message.text ?? null,
    price_gross: message.price_gross ?? 0,
    delay_sec: message.delay_sec ?? 0,
    attachments: (message.attachments ?? []).map((one) => ({ ...one, is_paid: one.is_paid ?? false })),
    text_is_paid: message.text_is_paid ?? false,
    tagged_platform_account_ids: [...(message.tagged_platform_account_ids ?? [])],
  }));
}

/** Filters as they are stored: the name of a list is replaced by its id (CONTENT-17). */
export function keepFilters(
  world: World,
  account: AccountState,
  filters: readonly TakenFilter[],
): LiveFilter[] {
  return filters.map(({ kind, mode, options = {} }) => {
    const { lists, ...dates } = options;
    const ids = lists?.map((list) => ({ id: 'name' in list ? listId(world, account, list.name) : list.id }));
    return { kind, mode, options: ids === undefined ? dates : { ...dates, lists: ids } };
  });
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
export function fillCampaignRules(rules: Rules = {}): Record<string, unknown> {
  return {
    send_after_expire_min: 0,
    send_before_expire_min: 0,
    unsend_delay_sec: 0,
    retry_after_unsend_min: 0,
    unsend_if_not_read_enabled: false,
    unsend_if_not_replied_enabled: false,
    mimic_on_reply_enabled: false,
    end_at: null,
    ...rules,
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

/**
 * The name as it is stored (CONTENT-2). It is required for a sequence and for media without text (CONTENT-3). A
 * message needs text or an attachment. Assumed: the service has this rule (CONTENT-9).
 */
export function keepName(
  { modes }: World,
  given: string | null | undefined,
  messages: readonly SentMessage[],
): string | null {
  messages.forEach((message, index) => {
    if (message.text || message.attachments?.length) return;
    throw invalid(modes, 'a message needs text or an attachment', `messages.${index}`);
  });
  const name = (modes.trimNames ? given?.trim() : given) ?? null;
  if (name !== null) return name;
  const [first, second] = messages;
  if (second !== undefined) throw invalid(modes, 'a sequence needs a name', 'name');
  if (first !== undefined && !first.text)
    throw invalid(modes, 'a message with media but no text needs a name', 'name');
  return null;
}

const WALL_CLOCK = /^(\d{4}-\d{2}-\d{2}T\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?/;

/**
 * The time that a date means in its time zone mode. An offset in the value is ignored, and the hour must be whole.
 * Assumed: `utc` is the only mode (BROADCAST-4).
 */
export function readWallClock(world: World, value: string, mode: string | undefined, path: string): number {
  if (mode !== 'utc')
    throw invalid(world.modes, `${path}_timezone_mode must be "utc"`, `${path}_timezone_mode`);
  const [, hour, minutes, seconds] = WALL_CLOCK.exec(value) ?? [];
  const instant = Date.parse(`${hour}:00:00Z`);
  if (Number.isNaN(instant)) throw invalid(world.modes, `${path} is not a date and hour`, path);
  const isWhole = minutes === '00' && Number(seconds ?? 0) === 0;
  if (!isWhole && world.modes.scheduleMinutes === 'refuse')
    throw invalid(world.modes, `${path} must be a whole hour`, path);
  return instant;
}
