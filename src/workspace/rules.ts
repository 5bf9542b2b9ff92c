import { FAN_LIST_TO_NAME, leavesDaysOpen } from '../domain/audience.ts';
import { KNOWN_TRIGGERS } from '../domain/campaign.ts';
import { formatCommand } from '../domain/command-line.ts';
import { WISH_KEYS } from '../domain/media-wishes.ts';
import { notAPrice } from '../policy/rules/prices.ts';
import { explainFixedZone } from '../policy/zone.ts';
import { Findings, type Path } from './findings.ts';
import { checkIgnore } from './ignore.ts';
import { checkWord, type WordsKnown } from './known-words.ts';
import { scheduledHour, writtenEnd, type Hour } from './schedule.ts';
import type {
  WrittenAttachment,
  WrittenBroadcast,
  WrittenCampaign,
  WrittenFilter,
  WrittenMessage,
} from './schema.ts';
import { hasPlaceholder } from './variables.ts';

/** What rules need besides the resource. */
export interface RuleContext {
  /** The text of a number at a path of the resource. Undefined for plain digits with up to two decimals. */
  readonly oddNumberAt: (path: Path) => string | undefined;
  readonly known: WordsKnown;
}

/** A rule across the fields of a resource. Paths start at the resource. */
type Rule<Written> = (written: Written, found: Findings, context: RuleContext) => void;

const SHARED_RULES: readonly Rule<WrittenCampaign | WrittenBroadcast>[] = [
  checkNames,
  checkAudience,
  checkFilters,
  checkMessages,
];
const CAMPAIGN_RULES: readonly Rule<WrittenCampaign>[] = [
  ...SHARED_RULES,
  ({ ignore }, found) => checkIgnore(ignore, ['campaign'], found),
  checkAction,
  checkCampaignRules,
  checkCampaignEnd,
];
const SENT_AT_ONCE_RULES: readonly Rule<WrittenBroadcast>[] = [
  ...SHARED_RULES,
  ({ ignore }, found) => checkIgnore(ignore, ['broadcast'], found),
  checkBroadcastRules,
  checkBroadcastEnd,
  needMessages,
];

/** The rules of a campaign, a broadcast, and a broadcast that is sent when a person runs a command. */
export const RULES = {
  campaign: CAMPAIGN_RULES,
  broadcast: [...SENT_AT_ONCE_RULES, checkSchedule],
  atOnce: [...SENT_AT_ONCE_RULES, hasNoSchedule],
};

export function applyRules<Written>(
  rules: readonly Rule<Written>[],
  written: Written,
  context: RuleContext,
): Findings {
  const found = new Findings();
  for (const rule of rules) rule(written, found, context);
  return found;
}

function checkNames(
  { name, renamed_from: oldName }: Pick<WrittenCampaign, 'name' | 'renamed_from'>,
  found: Findings,
): void {
  checkName(name, ['name'], found);
  if (oldName === undefined) return;
  checkName(oldName, ['renamed_from'], found);
  if (oldName.normalize('NFC') !== name.normalize('NFC')) return;
  const message = 'renamed_from equals the name. Remove it, or write the former name.';
  found.error('renamed-from-itself', ['renamed_from'], message);
}

/** The name identifies a resource, so it must be readable (CONTENT-2). */
function checkName(name: string, path: Path, found: Findings): void {
  if (hasPlaceholder(name)) {
    const message = 'A name is the same for every account. Use variables only in texts and ids.';
    found.error('name-has-variable', path, message);
  } else if (/^[\p{Z}\p{C}\u{2800}]*$/u.test(name))
    found.error('invalid-name', path, 'This name is invisible. Use letters.');
  else if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    found.error('invalid-name', path, 'A name must be one line without control characters. Remove them.');
  else if (/\p{Cs}/u.test(name))
    found.error('invalid-name', path, 'This name has a broken character. Write it again.');
  else if (/^\p{Z}|\p{Z}$/u.test(name))
    found.error('invalid-name', path, 'A name must not begin or end with a space. Remove it.');
}

type Audience = Pick<WrittenCampaign, 'audience' | 'audience_filters'>;

/** Without a filter, every fan is reached. This must be declared explicitly (CONTENT-15). */
function checkAudience({ audience, audience_filters: filters }: Audience, found: Findings): void {
  if (audience !== undefined && filters !== undefined) {
    const message = '`audience: everyone` and `audience_filters` are both set. Remove one.';
    found.error('audience-twice', ['audience'], message, 'key');
  } else if (audience === undefined && (filters ?? []).length === 0) {
    const message = 'No audience. Add `audience_filters`, or write `audience: everyone`.';
    found.error('audience-missing', ['audience_filters'], message, 'key');
  }
}

function checkFilters(
  { audience_filters: filters = [] }: Audience,
  found: Findings,
  { known }: RuleContext,
): void {
  // These reach everyone else, which is rarely intended.
  if (filters.length > 0 && filters.every(({ mode }) => mode === 'exclude')) {
    const message =
      'These filters only exclude, so all other fans are reached. If you do not want that, add an include filter.';
    found.warning('only-excludes', ['audience_filters'], message, 'key');
  }
  for (const [index, filter] of filters.entries()) {
    const path = ['audience_filters', index];
    checkWord('kinds', filter.kind, [...path, 'kind'], known, found);
    checkRange(filter, path, found);
    for (const [position, { name }] of (filter.options?.lists ?? []).entries())
      if (name.startsWith(FAN_LIST_TO_NAME)) {
        const message =
          'The service does not return the name of this fan list. Write it. Until then, this cannot be created.';
        found.warning('list-to-name', [...path, 'options', 'lists', position, 'name'], message);
      }
    if (leavesDaysOpen(filter)) {
      const message =
        'The service does not return the range in days of this filter. Write from_days and to_days, or remove the line (and an empty `options`). Until then, it cannot be created.';
      found.warning('days-to-write', [...path, 'options', 'from_days'], message);
    }
  }
}

/** The document names `subscribed_date`, and not all other kinds (CONTENT-16). */
const DATE_KIND = /(?:^|_)date(?:_|$)/;

/** Days ago and dates exclude each other in one filter (CONTENT-18). */
function checkRange({ kind, options = {} }: WrittenFilter, filterPath: Path, found: Findings): void {
  const { from_days: fromDays, to_days: toDays, from_at: fromAt, to_at: toAt, lists } = options;
  const path = [...filterPath, 'options'];
  const hasRange = [fromDays, toDays, fromAt, toAt].some((end) => end !== undefined);
  // The document does not say whether it reaches every fan or no fan. A fan list does not take the place of a range.
  if (DATE_KIND.test(kind) && !hasRange) {
    const message = `This ${kind} filter has no range, so it may reach every fan. Add options with from_at and to_at, or with from_days and to_days.`;
    found.error('range-missing', filterPath, message);
  } else if (DATE_KIND.test(kind) && lists !== undefined) {
    const message = `A ${kind} filter is about a range of dates. The document does not say what a fan list does in it. Check the audience on the service.`;
    found.warning('list-with-dates', [...path, 'lists'], message);
  }
  const lengthMs = Date.parse(toAt ?? '') - Date.parse(fromAt ?? '');
  if ((fromDays ?? toDays) !== undefined && (fromAt ?? toAt) !== undefined) {
    const message = 'Days and dates cannot be combined. Keep from_days/to_days or from_at/to_at.';
    found.error('range-twice', path, message, 'key');
  } else if (lengthMs < 0) {
    const message = 'from_at is after to_at, so the range is empty. Swap the two dates, or correct one.';
    found.error('range-reversed', [...path, 'from_at'], message);
  } else if (lengthMs === 0) {
    const message = 'from_at equals to_at, so the range is empty or one instant. Check both values.';
    found.warning('range-equal', [...path, 'to_at'], message);
  } else if (typeof fromDays === 'number' && toDays !== undefined && fromDays < toDays) {
    const message = `from_days (${fromDays}) is smaller than to_days (${toDays}). Both count days ago, so the range is empty. Swap the two values.`;
    found.warning('days-reversed', [...path, 'from_days'], message);
  } else if (fromDays !== undefined && fromDays === toDays) {
    const message = 'from_days equals to_days, so the range is empty or one day long. Check both values.';
    found.warning('days-equal', [...path, 'to_days'], message);
  }
}

type Speaking = Pick<WrittenCampaign, 'messages'>;

function checkMessages({ messages = [] }: Speaking, found: Findings, context: RuleContext): void {
  for (const [index, message] of messages.entries()) {
    const path = ['messages', index];
    checkText(message, path, found);
    checkPrice(message, path, found, context);
    for (const [position, attachment] of (message.attachments ?? []).entries())
      checkAttachment(attachment, [...path, 'attachments', position], found, context);
  }
}

/** A message needs a text or an attachment (CONTENT-9). */
function checkText({ text, text_file: file, attachments = [] }: WrittenMessage, path: Path, found: Findings) {
  if (text !== undefined && file !== undefined)
    found.error('text-twice', [...path, 'text_file'], 'text and text_file are both set. Remove one.', 'key');
  if (file === undefined && attachments.length === 0 && (text ?? '').trim() === '')
    found.error('text-missing', [...path, 'text'], 'This message is empty. Add a text or an attachment.');
}

function checkPrice(message: WrittenMessage, path: Path, found: Findings, { oddNumberAt }: RuleContext) {
  const { price_gross: price = 0, attachments = [], text_is_paid: isTextPaid } = message;
  const paid = attachments.flatMap(({ is_paid: isPaid }, position): Path[] =>
    isPaid === true ? [[...path, 'attachments', position, 'is_paid']] : [],
  );
  if (isTextPaid === true) paid.push([...path, 'text_is_paid']);
  const pricePath = [...path, 'price_gross'];
  if (price === 0)
    for (const part of paid) {
      const advice = 'This is paid, but the message has no price. Set price_gross, or remove this.';
      found.error('paid-without-price', part, advice, 'key');
    }
  // Probably a forgotten `is_paid`. Assumed: the service accepts it (CONTENT-10).
  else if (paid.length === 0) {
    const advice = 'The price has nothing to unlock. Set is_paid on an attachment, or text_is_paid.';
    found.warning('price-without-paid', pricePath, advice);
  }
  // The written text counts, because 1e1, 012 and 9.9900000001 are other numbers after parsing.
  const odd = message.price_gross === undefined ? undefined : oddNumberAt(pricePath);
  if (odd !== undefined) found.error('invalid-price', pricePath, notAPrice(odd));
}

/** An attachment is media of the vault with its type, or a file. A file needs no type. */
function checkAttachment(
  attachment: WrittenAttachment,
  path: Path,
  found: Findings,
  { known }: RuleContext,
): void {
  const { id, type, file, fan, export_fan_id: fanId } = attachment;
  if (type !== undefined) checkWord('media_types', type, [...path, 'type'], known, found);
  if (file !== undefined) {
    if (id !== undefined)
      found.error('media-twice', [...path, 'id'], 'file and id are both set. Remove one.', 'key');
    else if (type !== undefined)
      found.error('media-twice', [...path, 'type'], 'A file needs no type. Remove `type`.', 'key');
    if (fan !== undefined && fanId !== undefined)
      found.error('fan-twice', [...path, 'fan'], 'fan and export_fan_id are both set. Remove one.', 'key');
    return;
  }
  if (id === undefined && type === undefined)
    found.error('media-missing', path, 'No media. Write file, or id and type.');
  else if (id === undefined) found.error('missing-key', [...path, 'id'], '"id" is missing. Add it.');
  else if (type === undefined) found.error('missing-key', [...path, 'type'], '"type" is missing. Add it.');
  // Details for the vault need an upload.
  for (const key of WISH_KEYS)
    if (attachment[key] !== undefined)
      found.error('only-with-file', [...path, key], `"${key}" works with file only. Remove it.`, 'key');
}

/** A send needs something to send (CAMPAIGN-4). */
function needMessages({ messages = [] }: Speaking, found: Findings): void {
  if (messages.length > 0) return;
  found.error('messages-missing', ['messages'], 'There is nothing to send. Add at least one message.', 'key');
}

/** `start_mimic` opens an automated chat and has no messages (CAMPAIGN-4). */
function checkAction(written: WrittenCampaign, found: Findings): void {
  if (written.action === 'send_message') needMessages(written, found);
  else if ((written.messages ?? []).length > 0) {
    const message = 'start_mimic cannot have messages. Remove them, or write `action: send_message`.';
    found.error('messages-not-allowed', ['messages'], message, 'key');
  }
}

const EXPIRY_RULES = ['send_after_expire_min', 'send_before_expire_min'] as const;

function checkCampaignRules(
  { trigger, rules = {} }: WrittenCampaign,
  found: Findings,
  { known }: RuleContext,
): void {
  // Two more triggers exist, but their names are not documented (CAMPAIGN-3).
  checkWord('triggers', trigger, ['trigger'], known, found);
  // Assumed: only a known trigger without an expiry is certainly wrong (CAMPAIGN-3).
  for (const rule of EXPIRY_RULES)
    if (rules[rule] !== undefined && KNOWN_TRIGGERS.includes(trigger)) {
      const message = `${rule} has no effect with ${trigger}, because it has no expiry. Remove it, or change the trigger.`;
      found.warning('rule-without-trigger', ['rules', rule], message, 'key');
    }
  const recalls =
    rules.unsend_delay_sec !== undefined ||
    rules.unsend_if_not_read_enabled === true ||
    rules.unsend_if_not_replied_enabled === true;
  if (rules.retry_after_unsend_min !== undefined && !recalls) {
    const message =
      'This needs a rule that recalls messages. Add unsend_delay_sec or another unsend rule, or remove this.';
    found.warning('rule-without-unsend', ['rules', 'retry_after_unsend_min'], message, 'key');
  }
}

function checkBroadcastRules({ rules }: WrittenBroadcast, found: Findings, { known }: RuleContext): void {
  const { online_check_mode: mode } = rules ?? {};
  if (mode != null) checkWord('online_check_modes', mode, ['rules', 'online_check_mode'], known, found);
}

/** A schedule is required, because without one the service sends immediately (BROADCAST-3). */
function checkSchedule(written: WrittenBroadcast, found: Findings): void {
  const hour = scheduledHour(written);
  if (hour !== undefined) {
    warnBetweenHours(checkTime(hour, written.scheduled_at_timezone, ['scheduled_at'], found), found);
    return;
  }
  const message = 'No schedule. Write `scheduled_at`; without it, the service would send immediately.';
  found.error('schedule-missing', ['scheduled_at'], message, 'key');
}

/** A schedule, or another status, would contradict that it is sent now. */
function hasNoSchedule(written: WrittenBroadcast, found: Findings): void {
  for (const key of ['scheduled_at', 'scheduled_at_timezone', 'status'] as const)
    if (written[key] !== undefined) {
      const message = `This broadcast is sent at once, so it has no ${key}. Remove it, or move the broadcast to \`files:\` and run ${formatCommand('apply')}.`;
      found.error('schedule-not-allowed', [key], message, 'key');
    }
}

/** The end of a campaign is any time. The service's document does not say that it must be a whole hour (CAMPAIGN-5). */
function checkCampaignEnd({ rules }: WrittenCampaign, found: Findings): void {
  const between = checkEnd(rules, writtenEnd(rules), found);
  if (between === null) return;
  const message = `This end is not a whole hour in UTC. The service may move it to one. To be sure, write ${between.near}.`;
  found.warning('end-within-hour', between.path, message);
}

/** The end of a broadcast is a whole hour, like its schedule (BROADCAST-5). */
function checkBroadcastEnd(written: WrittenBroadcast, found: Findings): void {
  const { rules } = written;
  warnBetweenHours(checkEnd(rules, writtenEnd(rules, 'hour'), found), found);
  // The service accepts an end before the schedule, and then never sends (BROADCAST-7).
  const [start, end] = [scheduledHour(written), writtenEnd(rules)];
  if (start?.kind !== 'hour' || end?.kind !== 'hour' || end.utc > start.utc) return;
  const message = `It ends at ${end.utc}, which is not after its schedule at ${start.utc}, so the service never sends it. Write a later end.`;
  found.warning('end-before-schedule', ['rules', 'end_at'], message);
}

function checkEnd(
  rules: WrittenCampaign['rules'] | WrittenBroadcast['rules'],
  end: Hour | undefined,
  found: Findings,
): BetweenHours | null {
  const { end_at_timezone: zone } = rules ?? {};
  if (end !== undefined) return checkTime(end, zone, ['rules', 'end_at'], found);
  const message = 'The time zone has no time. Write `end_at`, or remove this.';
  if (zone !== undefined) found.error('timezone-without-time', ['rules', 'end_at_timezone'], message, 'key');
  return null;
}

/** A valid time that is not a whole hour in UTC, with the hours around it. */
interface BetweenHours {
  readonly path: Path;
  readonly near: string;
}

/** Reports a wrong time, at the key of the time or of its zone. */
function checkTime(hour: Hour, zone: string | undefined, path: Path, found: Findings): BetweenHours | null {
  const zoneKey = `${path.at(-1)}_timezone`;
  const zonePath = [...path.slice(0, -1), zoneKey];
  if (hour.kind === 'refused') {
    const advice =
      hour.code === 'timezone-missing' ? ` Set \`${zoneKey}: Europe/Berlin\`, or end the time with Z.` : '';
    found.error(hour.code, hour.about === 'zone' ? zonePath : path, `${hour.message}${advice}`);
    return null;
  }
  const fixed = zone === undefined ? null : explainFixedZone(zone);
  if (fixed !== null) found.warning('fixed-zone', zonePath, fixed);
  return hour.near === undefined ? null : { path, near: hour.near };
}

/** A broadcast that was made on another clock can be declared. */
function warnBetweenHours(between: BetweenHours | null, found: Findings): void {
  if (between === null) return;
  const message = `Herald sends times in UTC, where this is not a whole hour, so it cannot create this broadcast. It can manage a live one. To create it, write ${between.near}.`;
  found.warning('not-whole-hour', between.path, message);
}
