import type { ListedCode } from '../domain/codes.ts';
import { formatCommand } from '../domain/command-line.ts';
import { FieldPath, readMember } from '../domain/field-path.ts';
import { messageShape, campaignRulesShape, broadcastRulesShape } from '../domain/content.ts';
import type { Kind } from '../domain/resource.ts';
import type { KnownWords, WordSet } from '../domain/workspace.ts';
import { judgeZone } from '../policy/zone.ts';
import type { Findings, Path } from './findings.ts';
import { resolveKey, type Time } from './schedule.ts';
import {
  broadcastShape,
  campaignShape,
  type WrittenBroadcast,
  type WrittenCampaign,
  type WrittenFilter,
  type WrittenMessage,
} from './schema.ts';
import { checkShape } from './shape-check.ts';
import { didYouMean } from './suggest.ts';

/** The known words. Null if they could not be read; then no word is reported. */
type WordsKnown = KnownWords | null;

type Written = WrittenCampaign | WrittenBroadcast;

/**
 * The resource as written, if it is of its shape. Then the rules across its fields are checked, too. `atOnce` is a broadcast that
 * is sent when a person runs a command. Paths start at the resource.
 */
export function checkResource(
  kind: Kind,
  value: unknown,
  known: WordsKnown,
  found: Findings,
  atOnce = false,
): Written | null {
  const campaign = kind === 'campaign' ? checkShape(campaignShape, value, found) : null;
  const broadcast = kind === 'broadcast' ? checkShape(broadcastShape, value, found) : null;
  const written = campaign ?? broadcast;
  if (written === null) return null;
  checkName(written.name, ['name'], found);
  if (written.renamed_from !== undefined) checkName(written.renamed_from, ['renamed_from'], found);
  checkIgnore(written.ignore, [kind], found);
  checkAudience(written, found, known);
  checkMessages(written, found, known);
  if (campaign !== null) checkCampaign(campaign, found, known);
  if (broadcast !== null) checkBroadcast(broadcast, found, known, atOnce);
  return written;
}

function checkCampaign(written: WrittenCampaign, found: Findings, known: WordsKnown): void {
  // `start_mimic` opens an automated chat and has no messages (CAMPAIGN-4).
  if (written.action === 'send_message') needMessages(written, found);
  else if ((written.messages ?? []).length > 0) {
    const message = 'start_mimic cannot have messages. Remove them, or write `action: send_message`.';
    found.error('messages-not-allowed', ['messages'], message, 'key');
  }
  checkWord('triggers', written.trigger, ['trigger'], known, found);
  // The end of a campaign is any time. The document does not say that it must be a whole hour (CAMPAIGN-5).
  checkTime(written.rules, 'end_at', ['rules'], false, found);
}

function checkBroadcast(written: WrittenBroadcast, found: Findings, known: WordsKnown, atOnce: boolean) {
  needMessages(written, found);
  const { online_check_mode: mode } = written.rules ?? {};
  if (mode != null) checkWord('online_check_modes', mode, ['rules', 'online_check_mode'], known, found);
  checkBroadcastEnd(written, found);
  if (atOnce) refuseSchedule(written, found);
  else if (written.scheduled_at !== undefined) checkTime(written, 'scheduled_at', [], true, found);
  else {
    // A schedule is required, because without one the service sends immediately (BROADCAST-3).
    const message = 'No schedule. Write `scheduled_at`; without it, the service would send immediately.';
    found.error('schedule-missing', ['scheduled_at'], message, 'key');
  }
}

const SHARED = [
  'audience_filters',
  'audience_filters.*.options.from_days',
  'audience_filters.*.options.to_days',
  'audience_filters.*.options.lists.*.name',
  'messages',
  'messages.length',
  'messages.*',
  ...Object.keys(messageShape.shape).map((key) => `messages.*.${key}`),
];

/** All fields that plans compare, by kind. `*` matches any list index. */
const COMPARED_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  campaign: [
    'trigger',
    'action',
    'rules',
    ...Object.keys(campaignRulesShape.shape).map((rule) => `rules.${rule}`),
    'rules.send_delay_interval.min_sec',
    'rules.send_delay_interval.range_sec',
    ...SHARED,
  ],
  broadcast: [
    'scheduled_at',
    'rules',
    ...Object.keys(broadcastRulesShape.shape).map((rule) => `rules.${rule}`),
    ...SHARED,
  ],
};

/** Reports paths that no plan compares, because they would have no effect. */
export function checkIgnore(written: readonly string[] = [], kinds: readonly Kind[], found: Findings): void {
  for (const [index, path] of written.entries()) {
    const known = [...new Set(kinds.flatMap((kind) => COMPARED_FIELDS[kind]))];
    const spelled = new FieldPath(path).steps
      .map((step) => (/^(?:0|[1-9]\d*)$/.test(step) ? '*' : step))
      .join('.');
    if (known.includes(spelled)) continue;
    const message = `"${path}" cannot be ignored, because plans do not compare it.${didYouMean(spelled, known)} Known here: ${known.join(', ')}.`;
    found.error('unknown-path', ['ignore', index], message);
  }
}

/** Only invisible characters, a control character or a broken one, or a space at an end. */
const UNREADABLE = /^[\p{Z}\p{C}\u{2800}]*$|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|^\p{Z}|\p{Z}$/u;

/** The name identifies a resource, so it must be readable (CONTENT-2). */
function checkName(name: string, path: Path, found: Findings): void {
  if (name.includes('{{')) {
    const message = 'A name is the same for every account. Use variables only in texts and ids.';
    found.error('name-has-variable', path, message);
  } else if (UNREADABLE.test(name)) {
    const message =
      'A name must be one line of visible text, without broken characters, and without a space at its begin or end. Write it again.';
    found.error('invalid-name', path, message);
  }
}

/** Without a filter, every fan is reached. This must be declared explicitly (CONTENT-15). */
function checkAudience(
  { audience, audience_filters: written }: Written,
  found: Findings,
  known: WordsKnown,
): void {
  const filters = written ?? [];
  if (audience !== undefined && written !== undefined) {
    const message = '`audience: everyone` and `audience_filters` are both set. Remove one.';
    found.error('audience-twice', ['audience'], message, 'key');
  } else if (audience === undefined && filters.length === 0) {
    const message = 'No audience. Add `audience_filters`, or write `audience: everyone`.';
    found.error('audience-missing', ['audience_filters'], message, 'key');
  }
  // These reach everyone else, which is rarely intended.
  if (filters.length > 0 && filters.every(({ mode }) => mode === 'exclude')) {
    const message =
      'These filters only exclude, so all other fans are reached. If you do not want that, add an include filter.';
    found.warning('only-excludes', ['audience_filters'], message, 'key');
  }
  for (const [index, filter] of filters.entries())
    checkFilter(filter, ['audience_filters', index], found, known);
}

/** The document names `subscribed_date`, and not all other kinds (CONTENT-16). */
const DATE_KIND = /(?:^|_)date(?:_|$)/;

/** Days ago and dates exclude each other in one filter (CONTENT-18). */
function checkFilter(filter: WrittenFilter, filterPath: Path, found: Findings, known: WordsKnown): void {
  const { kind, options = {} } = filter;
  const { from_days: fromDays, to_days: toDays, from_at: fromAt, to_at: toAt } = options;
  const path = [...filterPath, 'options'];
  checkWord('kinds', kind, [...filterPath, 'kind'], known, found);
  const [days, dates] = [fromDays ?? toDays, fromAt ?? toAt];
  // The document does not say whether it reaches every fan or no fan. A fan list does not take the place of a range.
  if (DATE_KIND.test(kind) && days === undefined && dates === undefined) {
    const message = `This ${kind} filter has no range, so it may reach every fan. Add options with from_at and to_at, or with from_days and to_days.`;
    found.error('range-missing', filterPath, message);
  }
  if (days !== undefined && dates !== undefined) {
    const message = 'Days and dates cannot be combined. Keep from_days/to_days or from_at/to_at.';
    found.error('range-twice', path, message, 'key');
  } else if (Date.parse(fromAt ?? '') > Date.parse(toAt ?? '')) {
    const message = 'from_at is after to_at, so the range is empty. Swap the two dates, or correct one.';
    found.error('range-reversed', [...path, 'from_at'], message);
  } else if (typeof fromDays === 'number' && toDays !== undefined && fromDays < toDays) {
    const message = `from_days (${fromDays}) is smaller than to_days (${toDays}). Both count days ago, so the range is empty. Swap the two values.`;
    found.warning('days-reversed', [...path, 'from_days'], message);
  }
}

function checkMessages({ messages = [] }: Written, found: Findings, known: WordsKnown): void {
  for (const [index, message] of messages.entries()) {
    const path = ['messages', index];
    checkText(message, path, found);
    checkPrice(message, path, found);
    for (const [position, attachment] of (message.attachments ?? []).entries()) {
      const at = [...path, 'attachments', position];
      if (!('file' in attachment)) checkWord('media_types', attachment.type, [...at, 'type'], known, found);
      else if (attachment.fan !== undefined && attachment.export_fan_id !== undefined)
        found.error('fan-twice', [...at, 'fan'], 'fan and export_fan_id are both set. Remove one.', 'key');
    }
  }
}

/** A message needs a text or an attachment (CONTENT-9). */
function checkText({ text, text_file: file, attachments = [] }: WrittenMessage, path: Path, found: Findings) {
  if (text !== undefined && file !== undefined)
    found.error('text-twice', [...path, 'text_file'], 'text and text_file are both set. Remove one.', 'key');
  if (file === undefined && attachments.length === 0 && (text ?? '').trim() === '')
    found.error('text-missing', [...path, 'text'], 'This message is empty. Add a text or an attachment.');
}

function checkPrice(message: WrittenMessage, path: Path, found: Findings) {
  const { price_gross: price = 0, attachments = [], text_is_paid: isTextPaid } = message;
  const paid = attachments.flatMap(({ is_paid: isPaid }, position): Path[] =>
    isPaid === true ? [[...path, 'attachments', position, 'is_paid']] : [],
  );
  if (isTextPaid === true) paid.push([...path, 'text_is_paid']);
  if (price === 0)
    for (const part of paid) {
      const advice = 'This is paid, but the message has no price. Set price_gross, or remove this.';
      found.error('paid-without-price', part, advice, 'key');
    }
  // Probably a forgotten `is_paid`. Assumed: the service accepts it (CONTENT-10).
  else if (paid.length === 0) {
    const advice = 'The price has nothing to unlock. Set is_paid on an attachment, or text_is_paid.';
    found.warning('price-without-paid', [...path, 'price_gross'], advice);
  }
}

/** A send needs something to send (CAMPAIGN-4). */
function needMessages({ messages = [] }: Written, found: Findings): void {
  if (messages.length > 0) return;
  found.error('messages-missing', ['messages'], 'There is nothing to send. Add at least one message.', 'key');
}

/** A schedule, or another status, would contradict that it is sent now. */
function refuseSchedule(written: WrittenBroadcast, found: Findings): void {
  for (const key of ['scheduled_at', 'scheduled_at_timezone', 'status'] as const)
    if (written[key] !== undefined) {
      const message = `This broadcast is sent at once, so it has no ${key}. Remove it, or move the broadcast to \`files:\` and run ${formatCommand('apply')}.`;
      found.error('schedule-not-allowed', [key], message, 'key');
    }
}

/** The end of a broadcast is a whole hour, like its schedule (BROADCAST-5). */
function checkBroadcastEnd(written: WrittenBroadcast, found: Findings): void {
  const start = resolveKey(written, 'scheduled_at');
  const end = checkTime(written.rules, 'end_at', ['rules'], true, found);
  // The service accepts an end before the schedule, and then never sends (BROADCAST-7).
  if (start?.kind !== 'time' || end?.kind !== 'time' || end.utc > start.utc) return;
  const message = `It ends at ${end.utc}, which is not after its schedule at ${start.utc}, so the service never sends it. Write a later end.`;
  found.warning('end-before-schedule', ['rules', 'end_at'], message);
}

const WHOLE_HOUR = /T\d\d:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** Reports a wrong time, at its key or at that of its zone. `isHour` if it must be a whole hour in UTC. */
function checkTime(
  values: object | undefined,
  key: 'scheduled_at' | 'end_at',
  base: Path,
  isHour: boolean,
  found: Findings,
): Time | undefined {
  const zoneKey = `${key}_timezone`;
  const path = [...base, key];
  const zonePath = [...base, zoneKey];
  const [at, zone] = [readMember(values, key), readMember(values, zoneKey)];
  const time = resolveKey(values, key);
  if (time === undefined) {
    const message = 'The time zone has no time. Write `end_at`, or remove this.';
    if (zone !== undefined) found.error('timezone-without-time', zonePath, message, 'key');
  } else if (time.kind === 'refused') {
    const advice =
      time.code === 'timezone-missing' ? ` Set \`${zoneKey}: Europe/Berlin\`, or end the time with Z.` : '';
    found.error(time.code, time.code === 'unknown-timezone' ? zonePath : path, `${time.message}${advice}`);
  } else {
    const fixed = typeof zone === 'string' ? judgeZone(zone) : null;
    if (fixed !== null) found.warning(fixed.code, zonePath, fixed.message);
    if (!isHour || time.utc.endsWith(':00:00Z')) return time;
    const message = `The service accepts only whole hours in UTC, and this is ${time.utc}. Write an hour before or after it.`;
    const forLive = `${message} Until then, Herald can manage a live one, but creates none.`;
    // A person may have made it on another clock, and it can be declared.
    if (zone !== undefined && WHOLE_HOUR.test(String(at))) found.warning('not-whole-hour', path, forLive);
    else found.error('not-whole-hour', path, message);
  }
  return time;
}

/**
 * The documented words. Two more triggers about expiry exist, but their names are not documented (CAMPAIGN-3). Assumed: `video`
 * and `audio`, because only `image` is documented (CONTENT-11).
 */
const WORD_SETS: Readonly<
  Record<
    WordSet,
    { readonly name: string; readonly code: ListedCode; readonly documented: readonly string[] }
  >
> = {
  kinds: {
    name: 'filter kind',
    code: 'unknown-filter-kind',
    documented: ['subscribed_date', 'purchased_from_organisation'],
  },
  triggers: { name: 'trigger', code: 'unknown-trigger', documented: ['welcome_message'] },
  media_types: { name: 'media type', code: 'unknown-media-type', documented: ['image', 'video', 'audio'] },
  online_check_modes: { name: 'online_check_mode', code: 'unknown-online-check-mode', documented: ['off'] },
};

/** So many letters may differ. Short words have too many neighbours: `on` is not a typo of `off`. */
const LETTERS_MAX = 2;

/**
 * An unknown word may exist, because the document does not show all of them. One that is nearly a documented word is
 * probably a typing error, and in a filter it would change who is reached:
 *
 * | the word                          | finding                                |
 * |-----------------------------------|----------------------------------------|
 * | documented, or in `known_…`       | none                                   |
 * | a variable of a medium            | none                                   |
 * | another variable                  | error: it is not filled in             |
 * | nearly a documented one           | error, with the line that allows it    |
 * | anything else                     | warning                                |
 */
function checkWord(set: WordSet, word: string, path: Path, known: WordsKnown, found: Findings): void {
  const { name, code, documented } = WORD_SETS[set];
  if (known === null || documented.includes(word) || known[set].includes(word)) return;
  if (word.includes('{{')) {
    const message = `Variables are not filled in here, so the service would get ${word} itself. Write the ${name}.`;
    if (set !== 'media_types') found.error(code, path, message);
    return;
  }
  const guess = didYouMean(word, documented, LETTERS_MAX);
  if (guess === '') {
    const message = `The service’s documentation does not name the ${name} "${word}". Check that it exists. To say that it does, add it to service.known_${set} in herald.yaml.`;
    found.warning(code, path, message);
    return;
  }
  const line = `service: { known_${set}: [${JSON.stringify(word)}] }`;
  const message = `Unknown ${name} "${word}".${guess} If the service has it, add to herald.yaml: ${line}`;
  found.error(code, path, message);
}
