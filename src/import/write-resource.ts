import type * as z from 'zod/mini';
import { DAYS_TO_WRITE, FAN_LIST_TO_NAME } from '../domain/audience.ts';
import type { KnownWords } from '../domain/known-words.ts';
import type { ObservedFilter, ObservedMessage } from '../domain/replies.ts';
import type { Kind, Observed } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import {
  ATTACHMENT_KEYS,
  CREATABLE_RULES,
  isSet,
  MESSAGE_KEYS,
  READ_ONLY_RULES,
} from '../plan/live-defaults.ts';
import type { Finding } from '../workspace/findings.ts';
import { applyRules, RULES } from '../workspace/rules.ts';
import { wallClockIn } from '../workspace/schedule.ts';
import { broadcastShape, campaignShape } from '../workspace/schema.ts';
import { checkShape } from '../workspace/shape-check.ts';
import { TEXT_LENGTH_MAX, tidyText } from '../workspace/text.ts';
import { isForm, isList, type Form, type FormPath, type Importable, type Mark, type Plain } from './form.ts';
import { leaveOut, type LeftOut, type LeftOutCode } from './left-out.ts';

/** Thrown for live content that a file cannot have without a change or loss. The message is a sentence for people. */
class NotExpressible extends Error {
  override readonly name = 'NotExpressible';
  readonly code: LeftOutCode;
  constructor(message: string, code: LeftOutCode = 'not-expressible') {
    super(message);
    this.code = code;
  }
}

/**
 * What a file says of a live object, or why none can. The object is one that `chooseImportable` chose. One that is
 * on record as protected stays so: declared without the line it would lose its protection.
 */
export function writeResource(
  object: Observed,
  nowMs: number,
  known: KnownWords,
  isProtected = false,
): { readonly importable: Importable } | { readonly leftOut: LeftOut } {
  try {
    const importable = write(object, nowMs, isProtected);
    const refusal = explainRefusal(object.kind, importable.form, known);
    if (refusal !== null) return { leftOut: leaveOut(object, 'not-expressible', refusal) };
    return { importable };
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    return { leftOut: leaveOut(object, error.code, error.message) };
  }
}

function write(object: Observed, nowMs: number, isProtected: boolean): Importable {
  const { account, accountId, kind, live } = object;
  const name = live.name ?? '';
  const rules = writeRules(kind, live.rules ?? {});
  const audience = writeAudience(live.audience_filters ?? [], nowMs);
  const messages = writeMessages(live.messages ?? []);
  const form: Form = {
    name,
    ...(isPaused(live) ? { status: 'paused' } : {}),
    ...(isProtected ? { protect: true } : {}),
    ...writeHead(object),
    ...(rules === null ? {} : { rules }),
    ...audience.form,
    ...(messages.length === 0 ? {} : { messages }),
  };
  const hasIds = messages.some(
    (message) => 'attachments' in message || 'tagged_platform_account_ids' in message,
  );
  return {
    account,
    accountId,
    kind,
    name,
    liveId: live.id,
    form,
    marks: audience.marks,
    // What the service does not show may be another on every account.
    belongsToAccount: hasIds || audience.marks.length > 0,
  };
}

function writeHead(object: Observed): Form {
  if (object.kind === 'broadcast') {
    const { scheduled_at: at, scheduled_at_timezone: zone } = object.live;
    return writtenTime('scheduled_at', at ?? '', zone);
  }
  return { trigger: object.live.trigger ?? '', action: object.live.action ?? '' };
}

/** Rules that were set by someone. Defaults of the service are left out, because plans compare only what a file has. */
function writeRules(kind: Kind, live: Readonly<Record<string, unknown>>): Form | null {
  const set = Object.entries(live).filter(([key, value]) => isSet(value) && !READ_ONLY_RULES.includes(key));
  const unknown = set.filter(([key]) => !CREATABLE_RULES[kind].includes(key)).map(([key]) => key);
  if (unknown.length > 0)
    throw new NotExpressible(
      `A create cannot set its rule ${unknown.toSorted().join(', ')}, so a replace would lose it.`,
    );
  const values = Object.fromEntries(set);
  // In the documented order, so that equal rules are written equally.
  const rules = CREATABLE_RULES[kind].flatMap((key): [string, Plain][] => {
    const value = values[key];
    if (key === 'end_at' && typeof value === 'string')
      return Object.entries(writtenTime(key, value, live['end_at_timezone']));
    return key in values ? [[key, writeRule(key, value)]] : [];
  });
  return rules.length === 0 ? null : Object.fromEntries(rules);
}

function writeRule(key: string, value: unknown): Plain {
  if (isForm(value)) {
    const parts = Object.entries(value).filter(([part, member]) => isSet(member) || part === 'min_sec');
    return Object.fromEntries(parts.map(([part, member]) => [part, writeRule(part, member)]));
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new NotExpressible(`Its rule ${key} has a form that this version of Herald does not know.`);
}

/** No filters reach every fan, which is written explicitly (CONTENT-15). */
function writeAudience(
  live: readonly ObservedFilter[],
  nowMs: number,
): {
  readonly form: Form;
  readonly marks: readonly Mark[];
} {
  if (live.length === 0) return { form: { audience: 'everyone' }, marks: [] };
  const filters = live.map((filter) => writeFilter(filter, nowMs));
  return {
    form: { audience_filters: filters },
    marks: filters.flatMap((filter, index) => findMarks(filter, ['audience_filters', index])),
  };
}

const FILTER_KEYS: readonly string[] = ['kind', 'mode', 'options'];
const OPTION_KEYS: readonly string[] = ['from_at', 'to_at', 'from_days', 'to_days', 'lists'];

/** One filter. Throws if a create could not make the same audience. */
function writeFilter(live: ObservedFilter, nowMs: number): Form {
  const { kind, mode } = live;
  if (typeof kind !== 'string' || typeof mode !== 'string')
    throw new NotExpressible('The service does not show the kind or mode of one of its filters.');
  refuseUnknown(live, FILTER_KEYS, `Its filter ${kind} has`, OTHER_FANS, (value) => value == null);
  const options = live.options ?? {};
  refuseUnknown(options, OPTION_KEYS, `Its filter ${kind} has`, OTHER_FANS, (value) => value == null);
  const shown = writeOptions(options, kind);
  refuseHiddenRange(kind, shown, nowMs);
  return { kind, mode, options: hasRange(shown) ? shown : { from_days: DAYS_TO_WRITE, ...shown } };
}

/**
 * The service never returns a range in days, which cannot be combined with dates. A filter without dates may have
 * one.
 */
function hasRange(options: Form): boolean {
  return ['from_at', 'to_at', 'from_days', 'to_days'].some((key) => options[key] !== undefined);
}

const OTHER_FANS = 'A replace would reach other fans.';

function writeOptions(live: NonNullable<ObservedFilter['options']>, kind: string): Form {
  const options: Record<string, Plain> = {};
  for (const key of ['from_at', 'to_at'] as const) {
    const instant = live[key];
    if (typeof instant === 'string') options[key] = withoutZeroFraction(instant);
  }
  for (const key of ['from_days', 'to_days'] as const) {
    const days = live[key];
    if (days === null || days === undefined) continue;
    if (typeof days !== 'number')
      throw new NotExpressible(`The ${key} of its filter ${kind} is not a number of days.`);
    options[key] = days;
  }
  const lists = live.lists ?? [];
  if (lists.length > 0) options['lists'] = lists.map(({ id }) => ({ name: `${FAN_LIST_TO_NAME} ${id}`, id }));
  return options;
}

/** Kinds that only have dates (CONTENT-18). */
const RANGE_KINDS: readonly string[] = ['subscribed_date'];
const DAY_MS = 86_400_000;
/** Tolerance for the time between the service's answer and now. */
const ROLLING_TOLERANCE_MS = 120_000;

/**
 * Days are never returned (CONTENT-18). A date filter without dates hides them. Dates that are whole days before now
 * move with the clock. Neither can be declared.
 */
function refuseHiddenRange(kind: string, options: Form, nowMs: number): void {
  const dates = [options['from_at'], options['to_at']].filter((date) => typeof date === 'string');
  const isHidden = RANGE_KINDS.includes(kind) && !hasRange(options);
  const rolling = dates.find((date) => isRolling(date, nowMs));
  if (!isHidden && rolling === undefined) return;
  const what =
    rolling === undefined
      ? 'shows no range. Its range is in days, which the service never returns'
      : `reaches back to ${rolling}, which is whole days before now, so it moves with the clock`;
  throw new NotExpressible(
    `Its filter ${kind} ${what}. Declare it by hand, with from_days and to_days.`,
    'hidden-range',
  );
}

/** True for whole days before now, but not on a full minute, as people would write it. */
function isRolling(instant: string, nowMs: number): boolean {
  const ms = Date.parse(instant);
  const rest = (((nowMs - ms) % DAY_MS) + DAY_MS) % DAY_MS;
  return ms % 60_000 !== 0 && Math.min(rest, DAY_MS - rest) <= ROLLING_TOLERANCE_MS;
}

/** Values of this filter that a person has to fill in. */
export function findMarks(filter: Form, path: FormPath): readonly Mark[] {
  const options = isForm(filter['options']) ? filter['options'] : {};
  const named = isList(options['lists']) ? options['lists'].filter(isForm) : [];
  const lists = named.flatMap(({ name }, index) => {
    if (typeof name !== 'string' || !name.startsWith(FAN_LIST_TO_NAME)) return [];
    const comment = 'the service never returns this name; write it here';
    return [{ path: [...path, 'options', 'lists', index, 'name'], comment }];
  });
  if (options['from_days'] !== DAYS_TO_WRITE) return lists;
  const rest = options['lists'] === undefined ? 'options' : 'this line';
  const comment = `the service never returns a range in days; write from_days and to_days, or remove ${rest} if it has none`;
  return [{ path: [...path, 'options', 'from_days'], comment }, ...lists];
}

/** The messages in order, without values that are the service's default (CONTENT-20). */
function writeMessages(live: readonly ObservedMessage[]): readonly Form[] {
  return inOrder(live).map(writeMessage);
}

/** Sorted by `step` if all messages have it, otherwise as listed. Plans compare in this order. */
export function inOrder(live: readonly ObservedMessage[]): readonly ObservedMessage[] {
  if (live.some(({ step }) => step === null || step === undefined)) return live;
  return live.toSorted((left, right) => (left.step ?? 0) - (right.step ?? 0));
}

function writeMessage(live: ObservedMessage): Form {
  refuseUnknown(
    live,
    MESSAGE_KEYS,
    'It has a message with',
    'A replace would lose it.',
    (value) => !isSet(value),
  );
  const text = writtenText(live.text ?? '');
  if (text.length > TEXT_LENGTH_MAX)
    throw new NotExpressible(`A text is longer than ${TEXT_LENGTH_MAX} characters, the limit of a file.`);
  const attachments = (live.attachments ?? []).map(writeAttachment);
  const tagged = live.tagged_platform_account_ids ?? [];
  return given({
    text: text === '' ? undefined : text,
    price_gross: inCents(live.price_gross ?? 0) || undefined,
    text_is_paid: live.text_is_paid === true ? true : undefined,
    delay_sec: live.delay_sec || undefined,
    attachments: attachments.length === 0 ? undefined : attachments,
    tagged_platform_account_ids: tagged.length === 0 ? undefined : tagged,
  });
}

/** A normalised text for a file. Its braces are not variables. */
export function writtenText(text: string): string {
  return escapeBraces(tidyText(text.replace(/\r\n?/g, '\n')));
}

/** In a file, `{{` is written as `\{{`. */
function escapeBraces(text: string): string {
  return text.replaceAll('{{', String.raw`\{{`);
}

/** A price in whole cents, as files have it. A replace would change any other price. */
function inCents(price: number): number {
  const cents = Math.round(price * 100) / 100;
  if (Math.abs(cents - price) < 1e-9) return cents;
  throw new NotExpressible(`A message costs ${price}, and a file has whole cents.`);
}

type Attachment = NonNullable<ObservedMessage['attachments']>[number];

function writeAttachment(live: Attachment): Form {
  refuseUnknown(
    live,
    ATTACHMENT_KEYS,
    'It has an attachment with',
    'A replace would lose it.',
    (value) => !isSet(value),
  );
  const { id, type, is_paid: isPaid } = live;
  if (type === null || type === undefined)
    throw new NotExpressible(`The service does not show the type of attachment ${id}, which a create needs.`);
  return given({ id, type: escapeBraces(type), is_paid: isPaid === true ? true : undefined });
}

/** Throws for an unknown member with content, because a create would not send it. */
function refuseUnknown(
  live: Readonly<Record<string, unknown>>,
  known: readonly string[],
  what: string,
  effect: string,
  isNothing: (value: unknown) => boolean,
): void {
  const unknown = Object.entries(live).filter(([key, value]) => !known.includes(key) && !isNothing(value));
  if (unknown.length === 0) return;
  const keys = unknown.map(([key]) => key).toSorted();
  throw new NotExpressible(`${what} ${keys.join(', ')}, which this version of Herald cannot send. ${effect}`);
}

/** The members with a value. */
function given(members: Readonly<Record<string, Plain | undefined>>): Form {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Plain] => entry[1] !== undefined),
  );
}

/** Shortens an instant on a full minute, `2030-11-05T18:00Z`. Other texts are unchanged, and the loader checks them. */
function writtenInstant(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms) || ms % 60_000 !== 0) return instant;
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

const UTC = /^(?:Z|(?:Etc\/)?(?:UTC|GMT))$/;

/** A live time for a file: local time of its zone, or UTC. */
function writtenTime(key: 'end_at' | 'scheduled_at', instant: string, zone: unknown): Form {
  const wall = typeof zone !== 'string' || UTC.test(zone) ? null : wallClockIn(zone, instant);
  return wall === null
    ? { [key]: writtenInstant(instant) }
    : { [key]: wall, [`${key}_timezone`]: String(zone) };
}

/** Removes a fraction of zero: `2030-11-05T18:00:00.000Z` becomes `2030-11-05T18:00:00Z`. Other texts are unchanged. */
function withoutZeroFraction(instant: string): string {
  return instant.replace(/\.0+(?=Z$)/, '');
}

/** The first problem that the loader would have with a resource, or null. */
function explainRefusal(kind: Kind, form: Form, known: KnownWords): string | null {
  const findings =
    kind === 'campaign'
      ? findProblems(campaignShape, RULES.campaign, form, known)
      : findProblems(broadcastShape, RULES.broadcast, form, known);
  const first = findings.find(({ severity }) => severity === 'error');
  if (first === undefined) return null;
  const place = first.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `It cannot be written to a file: ${place.replace(/^\./, '')}: ${first.message}`;
}

/** Checks a form as the loader does. */
function findProblems<Written>(
  shape: z.core.$ZodType<Written>,
  rules: Parameters<typeof applyRules<Written>>[0],
  form: Form,
  known: KnownWords,
): readonly Finding[] {
  const { value, findings } = checkShape(shape, form);
  return value === null ? findings : applyRules(rules, value, { oddNumberAt: oddPrice(form), known }).list;
}

const PLAIN_PRICE = /^\d+(?:\.\d{1,2})?$/;

/** Numbers as they would be written. A price that is too large for plain digits cannot be in a file. */
function oddPrice(form: Form): (path: readonly (string | number)[]) => string | undefined {
  return (path) => {
    let value: unknown = form;
    for (const step of path)
      value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
    return typeof value === 'number' && !PLAIN_PRICE.test(String(value)) ? String(value) : undefined;
  };
}
