import type { FieldDifference } from '../../domain/change.ts';
import { canonical } from '../../domain/digest.ts';
import { isMembers } from '../../domain/field-path.ts';
import type { MediaId } from '../../domain/ids.ts';
import { WISH_KEYS } from '../../domain/media.ts';
import {
  attachmentShape,
  messageShape,
  type DeclaredAttachment,
  type DeclaredMessage,
  type MediaFile,
  type MediaWishes,
} from '../../domain/content.ts';
import type { ObservedMessage } from '../../domain/replies.ts';
import type { DeclaredBroadcast, DeclaredCampaign, Observed } from '../../domain/resource.ts';
import { isStoredAs, plainText } from '../../domain/text.ts';
import { fullInstantMs } from '../../domain/time.ts';

export interface Findings {
  readonly fields: readonly FieldDifference[];
  readonly unverifiable: readonly string[];
}

/** One value of a content, without the audience. `key` is a row of `FIELDS`, if it has one. */
export interface Entry {
  readonly path: string;
  readonly key: string;
  readonly value: unknown;
}

interface Field {
  /** The form in which it is compared and digested, unless as it is. */
  readonly normalise?: (value: never) => unknown;
  /** Whether values are equal, unless their forms are. */
  readonly isSame?: (wanted: never, got: never, mediaIs: CompareMedia) => boolean;
  /** How plans show it, unless as it is. */
  readonly show?: (value: never) => unknown;
  /** A reply may leave it out, or a create does not have it. */
  readonly isNotInDigest?: true;
}

type Attachments = readonly (DeclaredAttachment | LiveAttachment)[] | null | undefined;
type Text = string | null | undefined;
type Ids = readonly string[] | null | undefined;
type Interval = { readonly min_sec?: unknown; readonly range_sec?: unknown } | null | undefined;

/** Every field that is not compared, digested and shown as it is. */
const FIELDS: Readonly<Record<string, Field>> = {
  // A live hour that is missing means that it was sent, and never that someone moved it (BROADCAST-11).
  scheduled_at: {
    normalise: parseInstant,
    isSame: (wanted: Text, got: Text) => got == null || parseInstant(wanted) === parseInstant(got),
  },
  'rules.end_at': {
    normalise: (value: unknown) => (typeof value === 'string' ? parseInstant(value) : value),
  },
  'rules.end_at_timezone': { isNotInDigest: true },
  // One value for people: 30-90 s.
  'rules.send_delay_interval': {
    normalise: (interval: Interval) => {
      const parts = [interval?.min_sec, interval?.range_sec].map((part) => (isSet(part) ? part : null));
      return parts.some(isSet) ? parts : null;
    },
  },
  text: {
    normalise: plainText,
    isSame: (wanted: Text, got: Text) =>
      plainText(wanted) === plainText(got) || isStoredAs(wanted ?? '', got ?? ''),
  },
  // In cents: 9.9, 9.90 and 9.900000001 are one price.
  price_gross: {
    normalise: (price: number | null | undefined) => Math.round((price ?? 0) * 100),
    show: (price: number | null | undefined) => price ?? 0,
  },
  delay_sec: { normalise: (delay: number | null | undefined) => delay ?? 0 },
  // In a digest without ids: a file has none before it is uploaded.
  attachments: {
    normalise: (attachments: Attachments) => attachments?.length ?? 0,
    isSame: (wanted: DeclaredAttachment[], got: LiveAttachment[] | null | undefined, mediaIs) =>
      wanted.length === (got ?? []).length && !judgeAttachments(wanted, got ?? [], mediaIs).includes('other'),
    show: (attachments: Attachments) => describeAttachments(attachments ?? []),
  },
  text_is_paid: { isNotInDigest: true },
  tagged_platform_account_ids: {
    normalise: (ids: Ids) => [...new Set(ids)].toSorted(),
    show: (ids: Ids) => [...new Set(ids)].toSorted().join(', ') || 'none',
  },
};

const MESSAGE_FIELDS = Object.keys(messageShape.shape) as readonly (keyof DeclaredMessage)[];

type Value = Pick<Entry, 'key' | 'value'>;

function normalise({ key, value }: Value): unknown {
  const form = FIELDS[key]?.normalise;
  return form === undefined ? (value ?? null) : form(value as never);
}

export function showValue({ key, value }: Value): unknown {
  const show = FIELDS[key]?.show;
  return show === undefined ? (value ?? null) : show(value as never);
}

/** What a file sends without its audience, or what a live object shows of that. */
export interface Content<Message = DeclaredMessage | ObservedMessage> {
  readonly head: Readonly<Record<string, string | null>>;
  /** Null where a reply leaves them out as a whole. */
  readonly rules: Readonly<Record<string, unknown>> | null;
  readonly messages: readonly Message[];
}

export type Comparable =
  | Pick<DeclaredCampaign, 'kind' | 'content' | 'ignore'>
  | (Pick<DeclaredBroadcast, 'kind' | 'content' | 'ignore' | 'scheduledAtUtc'> &
      Partial<Pick<DeclaredBroadcast, 'atOnce'>>);

/** What is sent at once has no hour. */
export function readDeclared(declared: Comparable): Content<DeclaredMessage> {
  const { rules = {}, messages } = declared.content;
  if (declared.kind === 'broadcast') {
    const hour = declared.atOnce === true ? null : declared.scheduledAtUtc;
    return { head: { scheduled_at: hour }, rules, messages };
  }
  const { trigger, action } = declared.content;
  return { head: { trigger, action }, rules, messages: action === 'start_mimic' ? [] : messages };
}

/** An automated chat has no messages (CAMPAIGN-4). */
export function readLive({ kind, live }: Observed): Content<ObservedMessage> {
  const [rules, messages] = [live.rules ?? null, inOrder(live.messages ?? [])];
  if (kind === 'broadcast') return { head: { scheduled_at: live.scheduled_at ?? null }, rules, messages };
  const { trigger = null, action = null } = live;
  return { head: { trigger, action }, rules, messages: action === 'start_mimic' ? [] : messages };
}

/** By `step` where every message says it, otherwise as listed. */
function inOrder(observed: readonly ObservedMessage[]): readonly ObservedMessage[] {
  if (observed.some(({ step }) => step === null || step === undefined)) return observed;
  return observed.toSorted((left, right) => (left.step ?? 0) - (right.step ?? 0));
}

/** Every value of a content, in the order in which plans show them. */
export function listEntries({ head, rules, messages }: Content): readonly Entry[] {
  const settings = [
    ...Object.entries(head),
    ...Object.entries(rules ?? {}).map(([key, value]) => [`rules.${key}`, value] as const),
  ];
  return [...settings.map(([path, value]) => ({ path, key: path, value })), ...listMessages(messages)].filter(
    ({ value }) => value !== undefined,
  );
}

/** `from` is the place of the first one. */
function listMessages(messages: Content['messages'], from = 0): readonly Entry[] {
  return messages.flatMap((message, index) =>
    MESSAGE_FIELDS.map((key) => ({ path: `messages[${from + index}].${key}`, key, value: message[key] })),
  );
}

/** What of a content is in its digest: what says something (CONTENT-20), in the form in which it is compared. */
export function listDigested(content: Content): Readonly<Record<string, unknown>> {
  const entries = listEntries(content)
    .filter(({ key }) => FIELDS[key]?.isNotInDigest !== true)
    .map((entry) => [entry.path, normalise(entry)] as const);
  return Object.fromEntries(entries.filter(([, value]) => isSet(value)));
}

/** What a message is compared with where the file leaves it to its default. */
const ALWAYS_COMPARED: Readonly<Record<string, unknown>> = { text: null, price_gross: 0, attachments: [] };

/** Compares what a file says of everything but its audience, value by value. Messages are a sequence. */
export function compareContent(
  wanted: Content<DeclaredMessage>,
  live: Content<ObservedMessage>,
  mediaIs: CompareMedia,
): Findings {
  const fields: FieldDifference[] = [];
  const unverifiable: string[] = [];
  const [count, liveCount] = [wanted.messages.length, live.messages.length];
  if (count !== liveCount) fields.push({ path: 'messages.length', old: liveCount, new: count });
  // Most values are the same, so the path of one in a message is written only where it is not.
  const check = (key: string, value: unknown, got: unknown, index: number | null) => {
    if (value === undefined || isSameValue({ key, value }, got, mediaIs)) return;
    const path = index === null ? key : `messages[${index}].${key}`;
    fields.push({ path, old: showValue({ key, value: got }), new: showValue({ key, value }) });
  };
  for (const [key, value] of Object.entries(wanted.head)) check(key, value, live.head[key], null);
  for (const [name, value] of Object.entries(wanted.rules ?? {})) {
    // Rules that a reply leaves out as a whole are unknown: neither drift nor claimed equal.
    if (live.rules !== null) check(`rules.${name}`, value, live.rules[name], null);
    else if (value !== null && value !== undefined) unverifiable.push(`rules.${name}`);
  }
  for (const [index, message] of wanted.messages.entries())
    for (const key of MESSAGE_FIELDS) {
      const { [key]: value = ALWAYS_COMPARED[key] } = message;
      check(key, value, live.messages[index]?.[key], index);
    }
  const removed = listMessages(live.messages.slice(count), count).filter(({ value }) => isSet(value));
  fields.push(...removed.map((entry) => ({ path: entry.path, old: showValue(entry), new: null })));
  for (const [index, { attachments = [] }] of wanted.messages.entries()) {
    const verdicts = judgeAttachments(attachments, live.messages[index]?.attachments ?? [], mediaIs);
    for (const [place, verdict] of verdicts.entries())
      if (verdict === 'unknown') unverifiable.push(`messages[${index}].attachments[${place}].file`);
  }
  return { fields, unverifiable };
}

/** A flag that a reply leaves out is unknown, not false (CONTENT-21). */
function isSameValue({ key, value }: Value, got: unknown, mediaIs: CompareMedia): boolean {
  if (value === got || (typeof value === 'boolean' && (got ?? null) === null)) return true;
  return (
    FIELDS[key]?.isSame?.(value as never, got as never, mediaIs) ??
    canonical(normalise({ key, value })) === canonical(normalise({ key, value: got }))
  );
}

// Which values someone has set.

/** The zone of `end_at`. A create does not accept it. */
export const READ_ONLY_RULES: readonly string[] = ['end_at_timezone'];

export const ATTACHMENT_KEYS: readonly string[] = Object.keys(attachmentShape.shape);

/**
 * True if someone set the value. Assumed: the service itself fills in null, false, 0, `off` and empty members (CONTENT-20), so a
 * create without them makes the same.
 */
export function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isMembers(value)) return Object.values(value).some(isSet);
  return !UNSET.has(value);
}

const UNSET: ReadonlySet<unknown> = new Set([null, undefined, false, 0, '', 'off']);

/** In milliseconds; the text where it has no instant. Assumed: a time without a zone is in UTC (READ-7). */
export function parseInstant(text: string | null | undefined): number | string | null {
  if (text === null || text === undefined) return null;
  return fullInstantMs(text) ?? fullInstantMs(`${text}Z`) ?? fullInstantMs(`${text}T00:00:00Z`) ?? text;
}

// Media, which a reply shows by id only.

type LiveAttachment = NonNullable<ObservedMessage['attachments']>[number];

/** Whether a live media holds the bytes of a file. */
type MediaVerdict = 'same' | 'other' | 'unknown';

/** Asked for each file that is declared, with the id of the live media in its place. */
type CompareMedia = (file: MediaFile, liveId: MediaId) => MediaVerdict;

/** Digests of uploaded files, by account id and media id. One media may stand for several: each purpose has its own. */
export type MediaDigests = ReadonlyMap<string, readonly { readonly digest: string }[]>;

/**
 * A reply shows media by id only, so the uploads on record decide. Without them, Herald does not decide: a lost state must
 * not send anything a second time.
 *
 * | the live id                                                   | verdict                   |
 * |---------------------------------------------------------------|---------------------------|
 * | was uploaded from these bytes, or sent for them by the create | same                      |
 * | was uploaded from other bytes, or sent for them by the create | other: the file changed   |
 * | is not known, and these bytes were sent under another id      | other: someone changed it |
 * | is not known, and it is not known what was sent               | unknown                   |
 */
export function mediaJudge(
  accountId: string,
  sent: Readonly<Record<string, string>>,
  media: MediaDigests,
): CompareMedia {
  return ({ digest }, liveId) => {
    const asSent = Object.hasOwn(sent, liveId) ? [sent[liveId]] : [];
    const uploaded = media.get(`${accountId}/${liveId}`) ?? [];
    const prints = [...asSent, ...uploaded.map((one) => one.digest)];
    if (prints.includes(digest)) return 'same';
    return prints.length > 0 || Object.values(sent).includes(digest) ? 'other' : 'unknown';
  };
}

/** Compares in order, by media, type and price. What a reply leaves out is not a difference (CONTENT-21). */
function judgeAttachments(
  wanted: readonly DeclaredAttachment[],
  got: readonly LiveAttachment[],
  mediaIs: CompareMedia,
): readonly MediaVerdict[] {
  return wanted.map((attachment, place) => {
    const live = got[place];
    if (live === undefined || (live.type != null && live.type !== attachment.type)) return 'other';
    if (live.is_paid != null && live.is_paid !== (attachment.is_paid ?? false)) return 'other';
    if (!('id' in attachment)) return mediaIs(attachment.file, live.id);
    return attachment.id === live.id ? 'same' : 'other';
  });
}

/** Attachments by id, or by file and what it holds, with their types, the paid ones marked. */
function describeAttachments(attachments: readonly (DeclaredAttachment | LiveAttachment)[]): string {
  const words = attachments.map((one) => {
    const name = 'id' in one ? one.id : describeFile(one.file);
    return `${name}${one.type == null ? '' : ` ${one.type}`}${one.is_paid === true ? ' (paid)' : ''}`;
  });
  return words.join(', ') || 'none';
}

/** With the beginning of its fingerprint: of two versions of a file, both are named. */
function describeFile({ path, digest, wishes }: MediaFile): string {
  const named = `${path} [${digest.slice(digest.indexOf(':') + 1).slice(0, 8)}]`;
  const words = formatWishes(wishes);
  return words === '' ? named : `${named} {${words}}`;
}

/** In words for a plan: `name hello.jpg, rf_tag 5 6`. Empty if there are none. */
function formatWishes(wishes: MediaWishes | undefined): string {
  return WISH_KEYS.flatMap((key) => {
    const value = wishes?.[key];
    if (value === undefined) return [];
    return `${key} ${typeof value === 'object' ? value.join(' ') : String(value)}`;
  }).join(', ');
}
