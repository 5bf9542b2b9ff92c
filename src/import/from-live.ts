import {
  DAYS_TO_WRITE,
  FAN_LIST_TO_NAME,
  messageShape,
  campaignRulesShape,
  broadcastRulesShape,
} from '../domain/content.ts';
import { isMembers } from '../domain/field-path.ts';
import type { ObservedFilter, ObservedMessage } from '../domain/replies.ts';
import type { Kind, Observed } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import type { KnownWords } from '../domain/workspace.ts';
import { ATTACHMENT_KEYS, isSet, READ_ONLY_RULES, readLive } from '../plan/compare/fields.ts';
import type { Index } from '../plan/decide/group.ts';
import { Findings } from '../workspace/findings.ts';
import { checkResource } from '../workspace/rules.ts';
import { wallClockIn } from '../workspace/schedule.ts';
import { tidyText } from '../workspace/text.ts';
import type { Form, Plain } from './resource-file.ts';
import { leaveOut, type LeftOut } from './shape.ts';

/** Thrown for live content that a file cannot have without a change or loss. The message is a sentence for people. */
class NotExpressible extends Error {}

/**
 * What a file says of a live object, or why none can: the inverse of what the loader does. The object is one that
 * `chooseImportable` chose. One that is on record as protected stays so.
 */
export function describeLive(
  object: Observed,
  { facts, rowOf }: Index,
  knownWords: KnownWords,
): { readonly form: Form } | LeftOut {
  try {
    const form = describe(object, facts.time.latestMs, rowOf(object)?.protect === 1);
    const refuse = new Findings(({ severity, code, path, message }) => {
      if (severity !== 'error') return;
      const why = code === 'not-whole-hour' ? HAS_MINUTES : message;
      throw new NotExpressible(`It cannot be written to a file: ${path.join('.')}: ${why}`);
    });
    checkResource(object.kind, form, knownWords, refuse);
    return { form };
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    return leaveOut(object, 'not-expressible', error.message);
  }
}

const HAS_MINUTES =
  'It has minutes, and a create accepts only whole hours. Move it to a whole hour on the service, or keep it out of the files.';

function describe(object: Observed, nowMs: number, isProtected: boolean): Form {
  const { kind, live } = object;
  const filters = (live.audience_filters ?? []).map((filter) => describeFilter(filter, nowMs));
  const head =
    object.kind === 'broadcast'
      ? describeTime('scheduled_at', object.live.scheduled_at ?? '', object.live.scheduled_at_timezone)
      : { trigger: object.live.trigger ?? '', action: object.live.action ?? '' };
  return {
    name: live.name ?? '',
    status: isPaused(live) ? 'paused' : undefined,
    protect: isProtected || undefined,
    ...head,
    rules: describeRules(kind, live.rules ?? {}),
    // No filters reach every fan, which is written explicitly (CONTENT-15).
    audience: filters.length === 0 ? 'everyone' : undefined,
    audience_filters: unlessEmpty(filters),
    messages: unlessEmpty(readLive(object).messages.map(describeMessage)),
  };
}

function unlessEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** The rules that a create accepts, in the documented order. */
const CREATABLE_RULES: Readonly<Record<Kind, readonly string[]>> = {
  campaign: Object.keys(campaignRulesShape.shape),
  broadcast: Object.keys(broadcastRulesShape.shape),
};

/** Rules that were set by someone. Defaults of the service are left out, because plans compare only what a file has. */
function describeRules(kind: Kind, live: Readonly<Record<string, unknown>>): Form | undefined {
  refuseUnknown(live, [...CREATABLE_RULES[kind], ...READ_ONLY_RULES], 'rules');
  // In the documented order, so that equal rules are written equally.
  const rules = CREATABLE_RULES[kind].flatMap((key): [string, Plain | undefined][] => {
    const value = live[key];
    if (!isSet(value)) return [];
    if (key === 'end_at' && typeof value === 'string')
      return Object.entries(describeTime(key, value, live['end_at_timezone']));
    return [[key, describeRule(value)]];
  });
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}

function describeRule(value: unknown): Plain {
  if (isMembers(value)) {
    const parts = Object.entries(value).filter(([part, member]) => isSet(member) || part === 'min_sec');
    return Object.fromEntries(parts.map(([part, member]) => [part, describeRule(member)]));
  }
  // A form that no rule has is refused with the whole resource.
  return value as Plain;
}

const ZERO_FRACTION = /\.0+(?=Z$)/;

/**
 * One filter. The service never returns a range in days, which cannot be combined with dates, so a filter without dates
 * may have one. Throws if a create could not make the same audience.
 */
function describeFilter(live: ObservedFilter, nowMs: number): Form {
  // Without a kind or a mode, the filter is refused with the whole resource.
  const { kind, mode, options } = live;
  refuseUnknown(live, ['kind', 'mode', 'options'], `filter ${kind}`);
  refuseUnknown(options ?? {}, ['from_at', 'to_at', 'from_days', 'to_days', 'lists'], `filter ${kind}`);
  const lists = (options?.lists ?? []).map(({ id }) => ({ name: `${FAN_LIST_TO_NAME} ${id}`, id }));
  const range: Form = {
    from_at: options?.from_at?.replace(ZERO_FRACTION, ''),
    to_at: options?.to_at?.replace(ZERO_FRACTION, ''),
    from_days: (options?.['from_days'] ?? undefined) as Plain | undefined,
    to_days: (options?.['to_days'] ?? undefined) as Plain | undefined,
  };
  const hasRange = Object.values(range).some((value) => value !== undefined);
  const moving = [options?.from_at, options?.to_at].find((date) => date != null && isRolling(date, nowMs));
  if (moving != null)
    throw new NotExpressible(
      `Its filter ${kind} reaches back to ${moving}, which is whole days before now, so it moves with the clock. Declare it by hand, with from_days and to_days.`,
    );
  return {
    kind: kind ?? '',
    mode: mode ?? '',
    options: { ...(hasRange ? range : { from_days: DAYS_TO_WRITE }), lists: unlessEmpty(lists) },
  };
}

const DAY_MS = 86_400_000;
/** Tolerance for the time between the service's answer and now. */
const ROLLING_TOLERANCE_MS = 120_000;

/** True for whole days ago, not on a full minute: the service may show days as such dates (CONTENT-18). */
function isRolling(instant: string, nowMs: number): boolean {
  const ms = Date.parse(instant);
  const rest = (((nowMs - ms) % DAY_MS) + DAY_MS) % DAY_MS;
  return ms % 60_000 !== 0 && Math.min(rest, DAY_MS - rest) <= ROLLING_TOLERANCE_MS;
}

/** A message without values that are the service's default (CONTENT-20). */
function describeMessage(live: ObservedMessage): Form {
  refuseUnknown(live, ['step', ...Object.keys(messageShape.shape)], 'messages');
  const attachments = (live.attachments ?? []).map((attachment): Form => {
    refuseUnknown(attachment, ATTACHMENT_KEYS, 'attachments');
    const { id, type, is_paid: isPaid } = attachment;
    return { id, type: describeText(type ?? ''), is_paid: isPaid || undefined };
  });
  return {
    text: describeText(live.text ?? '') || undefined,
    price_gross: live.price_gross || undefined,
    text_is_paid: live.text_is_paid || undefined,
    delay_sec: live.delay_sec || undefined,
    attachments: unlessEmpty(attachments),
    tagged_platform_account_ids: unlessEmpty(live.tagged_platform_account_ids ?? []),
  };
}

/** A normalised text for a file. Its braces are not variables, so `{{` is written as `\{{`. */
function describeText(text: string): string {
  return tidyText(text.replace(/\r\n?/g, '\n')).replaceAll('{{', String.raw`\{{`);
}

/** Throws for an unknown member with content, because a create would not send it. */
function refuseUnknown(
  live: Readonly<Record<string, unknown>>,
  known: readonly string[],
  where: string,
): void {
  const keys = Object.keys(live).filter((key) => !known.includes(key) && isSet(live[key]));
  if (keys.length === 0) return;
  const what = keys.toSorted().join(', ');
  throw new NotExpressible(`Herald cannot send ${what} of its ${where}, so a replace would lose it.`);
}

const UTC = /^(?:Z|(?:Etc\/)?(?:UTC|GMT))$/;

/** A live time for a file: local time of its zone, or UTC, as short as people write it. The loader checks other texts. */
function describeTime(key: 'end_at' | 'scheduled_at', instant: string, zone: unknown): Form {
  const wall = typeof zone !== 'string' || UTC.test(zone) ? null : wallClockIn(zone, instant);
  if (wall !== null) return { [key]: wall, [`${key}_timezone`]: String(zone) };
  const ms = Date.parse(instant);
  const isFullMinute = ms % 60_000 === 0;
  return { [key]: isFullMinute ? `${new Date(ms).toISOString().slice(0, 16)}Z` : instant };
}
