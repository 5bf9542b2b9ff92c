import * as z from 'zod/mini';
import {
  type DeclaredFilter,
  leavesDaysOpen,
  type DeclaredMessage,
  type CampaignContent,
  type BroadcastContent,
} from '../../domain/content.ts';
import type { Dropped, FieldDifference } from '../../domain/change.ts';
import { compareText } from '../../domain/diagnostic.ts';
import { canonical, digest } from '../../domain/digest.ts';
import { FieldPath, isMembers } from '../../domain/field-path.ts';
import type { ObservedFilter } from '../../domain/replies.ts';
import type { Declared, Kind, Observed } from '../../domain/resource.ts';
import { digestText, isStoredAs, plainText } from '../../domain/text.ts';
import { parseJson } from '../../state/shapes.ts';
import { compareAudience, listHidden, listIds } from './audience.ts';
import {
  ATTACHMENT_KEYS,
  compareContent,
  isSet,
  listDigested,
  mediaJudge,
  READ_ONLY_RULES,
  readDeclared,
  readLive,
  type Comparable,
  type Content,
  type Findings,
  type MediaDigests,
} from './fields.ts';

const shownShape = z.object({
  version: z.literal(1),
  /** Where the service answered another value than the one sent. `sent` is null where no file stated a value. */
  fields: z.array(z.object({ path: z.string(), sent: z.nullable(z.string()), got: z.string() })),
  lists: z.nullable(z.array(z.string())),
  /** Digests of the files, by the media id that was sent for them. */
  media: z.record(z.string(), z.string()),
  /** The digest of the content that the file and the live object had last in common, if that was after the create. */
  agreed: z.optional(z.string()),
  /** What was sent and is never shown, by path (`listHidden`). */
  hidden: z.optional(z.record(z.string(), z.unknown())),
});

/** The column `shown`: what was read back after a create. */
export type Shown = z.infer<typeof shownShape>;

export const NOTHING_SHOWN: Shown = { version: 1, fields: [], lists: null, media: {} };

/**
 * How a live object compares with what is declared. `unverifiable` fields are sent but never returned, and the state does
 * not know what was sent: they are neither drift nor claimed equal. `ignored` fields differ, and the files say that it does
 * not matter.
 */
export interface Comparison extends Findings {
  readonly verdict: 'equal' | 'different' | 'unknowable';
  readonly ignored: readonly FieldDifference[];
}

export const UNKNOWABLE: Comparison = { verdict: 'unknowable', fields: [], ignored: [], unverifiable: [] };

export interface OnRecord {
  readonly shown: Shown;
  readonly hidden: string | null;
  readonly media: MediaDigests;
}

export const NOTHING_ON_RECORD: OnRecord = { shown: NOTHING_SHOWN, hidden: null, media: new Map() };

/**
 * Compares only what the files say (CONTENT-20): server defaults, statistics and read-only fields do not count. Values are
 * normalised, so 9.9 is 9.90, CRLF is LF and zones are instants.
 */
export function compare(
  declared: Comparable,
  observed: Observed,
  onRecord: OnRecord = NOTHING_ON_RECORD,
): Comparison {
  if (unreadable(observed) !== null) return UNKNOWABLE;
  const { content, ignore } = declared;
  const { live } = observed;
  const { shown, hidden, media } = onRecord;
  const isIgnored = ignoring(ignore);
  const audience = compareAudience(content.audience_filters, live.audience_filters, {
    listIds: shown.lists,
    hidden: shown.hidden ?? {},
    hasSameHidden: hidden?.startsWith(`${VERSION}:`) === true ? hidden === digestHidden(declared) : null,
    isIgnored,
  });
  const mediaIs = mediaJudge(observed.accountId, shown.media, media);
  const rest = compareContent(readDeclared(declared), readLive(observed), mediaIs);
  const found = [...audience.fields, ...rest.fields].filter(
    ({ path, old, new: value }) => !isAsShown(shown, path, old, value ?? null),
  );
  const fields = found.filter(({ path }) => !isIgnored(path));
  const ignored = found.filter(({ path }) => isIgnored(path));
  const unverifiable = [...audience.unverifiable, ...rest.unverifiable]
    .filter((path) => !isIgnored(path))
    .toSorted();
  return { verdict: fields.length === 0 ? 'equal' : 'different', fields, ignored, unverifiable };
}

/** Tells whether a path, as plans print it, is one of those to ignore or below one. */
function ignoring(ignore: readonly string[]): (path: string) => boolean {
  if (ignore.length === 0) return () => false;
  const patterns = ignore.map((path) => new FieldPath(path).steps);
  return (path) => {
    const field = new FieldPath(path);
    return patterns.some((pattern) => field.isWithin(pattern));
  };
}

/** Why the content of a live object cannot be compared; null when it can. */
export function unreadable(observed: Observed): string | null {
  const messages = observed.live.messages ?? [];
  // A broadcast always has a message; an empty list is how an unreadable one shows (BROADCAST-23).
  if (observed.kind === 'broadcast') return messages.length === 0 ? 'its content cannot be read' : null;
  const { action, trigger } = observed.live;
  if (typeof action !== 'string') return 'this version of the service does not name its action';
  if (typeof trigger !== 'string') return 'this version of the service does not name its trigger';
  // One that sends messages has at least one; only an automated chat has none (CAMPAIGN-4).
  if (action !== 'start_mimic' && messages.length === 0) return 'its messages cannot be read';
  return null;
}

/** The version of the digests of this file. Digests of another version are not compared. */
const VERSION = '1';

/**
 * The content of a create as a digest with a version: without the name, and with the hour of a broadcast. A live object
 * with equal content has the same digest (`digestLive`), so that it has only what a reply shows: of the audience the kinds,
 * of media their number. What it does not tell apart waits for each other, and `compare` decides.
 */
export function digestDeclared(declared: Declared): string {
  return digestContent(declared.kind, readDeclared(declared), declared.content.audience_filters);
}

/** The digest of a live object; null if it cannot be read. */
export function digestLive(observed: Observed): string | null {
  if (unreadable(observed) !== null) return null;
  return digestContent(observed.kind, readLive(observed), observed.live.audience_filters ?? []);
}

/** Replies never show days, and may show them as dates that move (CONTENT-18): neither counts. */
function digestContent(
  kind: Kind,
  content: Content,
  filters: readonly (DeclaredFilter | ObservedFilter)[],
): string {
  const audience = filters.map(({ kind: filter, mode, options }) =>
    canonical([filter ?? null, mode ?? null, options?.lists?.length ?? 0]),
  );
  return versioned([kind, listDigested(content), audience.toSorted(), content.messages.length]);
}

/** What fans read: the texts alone, so that equal messages are found whatever their hour, price, rules and audience. */
export function digestTexts({ messages }: Pick<Declared['content'] | Observed['live'], 'messages'>): string {
  return versioned((messages ?? []).map(({ text }) => plainText(text)));
}

/** List names and day filters, which the service never returns (`listHidden`). The order of filters and lists does not matter. */
export function digestHidden({ content }: Pick<Comparable, 'content'>): string {
  const parts = content.audience_filters.map((filter) => {
    const { kind, mode, options = {} } = filter;
    const { to_days, lists } = options;
    const from_days = leavesDaysOpen(filter) ? undefined : options.from_days;
    return canonical({ kind, mode, from_days, to_days, lists: lists?.map((list) => list.name).toSorted() });
  });
  return versioned(parts.toSorted());
}

function versioned(parts: unknown): string {
  return `${VERSION}:${digest(parts)}`;
}

// What was read back after a create.

/** JSON for the column `shown`: what was read back after a create, where it tells more than what was sent. */
export function readShown(declared: Declared, observed: Observed): string | null {
  const comparison = compare({ ...declared, ignore: [] }, observed);
  if (comparison.verdict === 'unknowable') return null;
  const filledIn = listDropped(declared, [{ observed, shown: NOTHING_SHOWN }], []);
  const lists = listIds(observed.live.audience_filters);
  const media = Object.fromEntries(
    declared.content.messages.flatMap(({ attachments = [] }) =>
      attachments.flatMap((one) =>
        'id' in one && one.file !== undefined ? [[one.id, one.file.digest]] : [],
      ),
    ),
  );
  const hidden = listHidden(declared.content.audience_filters);
  const shown: Shown = {
    version: 1,
    fields: [
      ...comparison.fields.map(({ path, old, new: sent }) => ({
        path,
        sent: recordedValue(path, sent),
        got: recordedValue(path, old),
      })),
      ...filledIn.map(({ path, live }) => ({ path, sent: null, got: recordedValue(path, live) })),
    ],
    lists: lists.length === 0 ? null : [...lists],
    media,
    ...(Object.keys(hidden).length === 0 ? {} : { hidden }),
  };
  return canonical(shown) === canonical(NOTHING_SHOWN) ? null : canonical(shown);
}

/** Reads the column. What another version wrote counts as nothing. */
export function parseShown(text: string | null | undefined): Shown {
  const parsed = text == null ? null : shownShape.safeParse(parseJson(text));
  return parsed?.data ?? NOTHING_SHOWN;
}

/** A value as it is recorded: a digest in place of a text of a message. */
function recordedValue(path: string, value: unknown): string {
  const text = canonical(value ?? null);
  return path.endsWith('.text') ? digestText(text) : text;
}

/**
 * No drift: the service answered another value than the one sent, or filled in one that no file states (`wanted` is undefined
 * then), and both are unchanged since (CONTENT-23).
 */
function isAsShown({ fields }: Shown, path: string, live: unknown, wanted?: unknown): boolean {
  const sent = wanted === undefined ? null : canonical(wanted);
  return fields.some(
    (field) =>
      field.path === path &&
      (field.sent === null || sent === null ? field.sent === sent : isStoredAs(field.sent, sent)) &&
      isStoredAs(field.got, canonical(live ?? null)),
  );
}

/**
 * What replacing these live objects drops, each path once; of several, the first says it. `shown` is what was read back after
 * their creates. Their content must be readable.
 */
export function listDropped(
  declared: Declared,
  versions: readonly { readonly observed: Observed; readonly shown: Shown }[],
  ignore: readonly string[],
): readonly Dropped[] {
  const isIgnored = ignoring(ignore);
  const all = versions.flatMap(({ observed, shown }) => findDropped(declared, observed, shown));
  return [...new Map(all.toReversed().map((one) => [one.path, one])).values()]
    .filter(({ path }) => !isIgnored(path))
    .toSorted((left, right) => compareText(left.path, right.path));
}

/**
 * Live values that are not in the file: a replace creates the new version without them. Fields that are always compared
 * (text, price, attachments, audience) are differences and not in this list. Defaults of the service are not a loss.
 */
function findDropped(declared: Declared, observed: Observed, shown: Shown): readonly Dropped[] {
  const { rules, messages } = readDeclared(declared);
  const found: Dropped[] = [];
  const add = (place: string, unstated: readonly Dropped[]) => {
    for (const { path, live } of unstated) found.push({ path: `${place}.${path}`, live });
  };
  add('rules', listUnstated(observed.live.rules ?? {}, rules ?? {}, READ_ONLY_RULES));
  for (const [index, message] of readLive(observed).messages.entries()) {
    const wanted = messages[index];
    // A message that only one side has is a difference as a whole.
    if (wanted === undefined) continue;
    add(`messages[${index}]`, listUnstated(message, wanted, COMPARED_KEYS));
    for (const [place, one] of (message.attachments ?? []).entries())
      add(`messages[${index}].attachments[${place}]`, listUnstated(one, {}, ATTACHMENT_KEYS));
  }
  return found.filter((one) => !isAsShown(shown, one.path, one.live));
}

const COMPARED_KEYS: readonly string[] = ['step', 'text', 'price_gross', 'attachments'];

/** Also what this version of Herald does not know, and no create sends. Paths begin at the value. */
function listUnstated(
  live: Readonly<Record<string, unknown>>,
  declared: object,
  leftOut: readonly string[],
): readonly Dropped[] {
  const found: Dropped[] = [];
  for (const key of Object.keys(live)) {
    const value = live[key];
    if (leftOut.includes(key) || !isSet(value)) continue;
    const wanted: unknown = Reflect.get(declared, key);
    if (isMembers(value) && (wanted === undefined || isMembers(wanted)))
      for (const inner of listUnstated(value, wanted ?? {}, []))
        found.push({ path: `${key}.${inner.path}`, live: inner.live });
    else if (wanted === undefined) found.push({ path: key, live: value });
  }
  return found;
}

// What a create asks for.

const askedShape = z.looseObject({
  version: z.literal(1),
  /** `digestTexts`, so that a rename that also moves the hour is found. */
  texts: z.string(),
  hidden: z.nullable(z.string()),
  /** A UTC instant; null for a campaign, and for what is sent at once. */
  hour: z.nullable(z.string()),
  /** Ids of the name that existed before. */
  baseline: z.array(z.string()),
  replaces: z.array(z.string()),
  protect: z.optional(z.boolean()),
  /** The content that was sent, with digests in place of texts. Its members are trusted: Herald wrote it. */
  wanted: z.looseObject({
    audience_filters: z.array(z.looseObject({})),
    messages: z.array(z.looseObject({ attachments: z.optional(z.array(z.looseObject({}))) })),
  }),
});

/** What the row of a create keeps in `asked`, to recognise its object in a list. It has no text of a message. */
export type Asked = Readonly<z.infer<typeof askedShape>>;

/** For the row of a create. `declared` has the media ids that are sent (`withMediaIds`). */
export function describeAsked(
  declared: Declared,
  { baseline, replaces }: { readonly baseline: readonly string[]; readonly replaces: readonly string[] },
): Asked {
  const { content } = declared;
  const hour = declared.kind === 'broadcast' && declared.atOnce !== true ? declared.scheduledAtUtc : null;
  return {
    version: 1,
    texts: digestTexts(content),
    hidden: digestHidden(declared),
    hour,
    baseline: [...baseline],
    replaces: [...replaces],
    protect: declared.protect,
    wanted: JSON.parse(
      JSON.stringify({ ...content, messages: content.messages.map(withoutText) }),
    ) as Asked['wanted'],
  };
}

function withoutText({ attachments, text, ...message }: DeclaredMessage): object {
  return {
    ...message,
    text: text === null || text === undefined || text === '' ? text : digestText(text),
    attachments: attachments?.map(({ type, is_paid, ...media }) =>
      'id' in media ? { id: media.id, type, is_paid } : { file: media.file, type, is_paid },
    ),
  };
}

/** Reads the column `asked`; null for anything that this version did not write. */
export function parseAsked(text: string): Asked | null {
  return askedShape.safeParse(parseJson(text)).data ?? null;
}

/** Whether a live object is what a create without an answer has made. The caller compares the kind, the name and the baseline. */
export function matchCreated({ wanted, hour }: Asked, observed: Observed): Comparison['verdict'] {
  const content = wanted as unknown as CampaignContent & BroadcastContent;
  const declared = { kind: observed.kind, content, ignore: [], scheduledAtUtc: hour ?? '' };
  return compare(declared, observed).verdict;
}
