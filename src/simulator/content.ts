import type { SentMessage, TakenFilter } from './shapes/content.ts';
import { listId } from './ids.ts';
import { conflict, invalid } from './refusal.ts';
import { isoTime } from './records.ts';
import type { AccountState, LiveFilter, LiveMessage } from './state.ts';
import type { World } from './world.ts';

/** Messages with their defaults and their `step` (CONTENT-8). */
export function fillMessages(messages: readonly SentMessage[]): LiveMessage[] {
  return messages.map((message, step) => ({
    step,
    text: message.text ?? null,
    price_gross: message.price_gross ?? 0,
    delay_sec: message.delay_sec ?? 0,
    attachments: (message.attachments ?? []).map(({ id, type, is_paid }) => ({
      id,
      type,
      is_paid: is_paid ?? false,
    })),
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

const DAY_MS = 86_400_000;

/** Filters as in answers: without relative days (CONTENT-18), or with the dates that they mean. */
export function readFilters(world: World, filters: readonly LiveFilter[]): LiveFilter[] {
  return filters.map(({ kind, mode, options }) => {
    const { from_days, to_days, ...readable } = options;
    if (world.modes.daysReadBack === 'omitted') return { kind, mode, options: readable };
    const instantOf = (days: number) => isoTime(world.nowMs - days * DAY_MS);
    if (from_days !== undefined) readable.from_at = instantOf(from_days);
    if (to_days !== undefined) readable.to_at = instantOf(to_days);
    return { kind, mode, options: readable };
  });
}

type Rules = Readonly<Record<string, unknown>>;

/** Rules with the service's defaults. Assumed: 0, false and no end (CONTENT-20). */
export function fillCampaignRules(rules: Rules = {}): Record<string, unknown> {
  const interval = rules['send_delay_interval'];
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
    send_delay_interval: { min_sec: 0, range_sec: 0, ...(typeof interval === 'object' ? interval : {}) },
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

/** A message needs text or an attachment. Assumed: the service has this rule (CONTENT-9). */
export function requireContent(world: World, messages: readonly SentMessage[]): void {
  messages.forEach((message, index) => {
    if (message.text || message.attachments?.length) return;
    throw invalid(world.modes, 'a message needs text or an attachment', `messages.${index}`);
  });
}

/** Required for a sequence and for media without text (CONTENT-3). */
export function requireName(world: World, name: string | null, messages: readonly SentMessage[]): void {
  if (name !== null) return;
  const [first, second] = messages;
  if (second !== undefined) throw invalid(world.modes, 'a sequence needs a name', 'name');
  if (first !== undefined && !first.text)
    throw invalid(world.modes, 'a message with media but no text needs a name', 'name');
}

/** The name as it is stored (CONTENT-2). */
export function keepName(world: World, name: string | null | undefined): string | null {
  return (world.modes.trimNames ? name?.trim() : name) ?? null;
}

/** Refuses a seed with an id that exists already. */
export function requireFreeId(taken: Readonly<Record<string, unknown>>, id: string): string {
  if (Object.hasOwn(taken, id)) throw conflict(`id ${id} exists already`);
  return id;
}
