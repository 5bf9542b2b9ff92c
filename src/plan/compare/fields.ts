import type { FieldDifference } from '../../domain/change.ts';
import { canonical } from '../../domain/digest.ts';
import { messageShape, type DeclaredAttachment, type DeclaredMessage } from '../../domain/message.ts';
import type { ObservedMessage } from '../../domain/replies.ts';
import type { DeclaredBroadcast, DeclaredCampaign, Observed } from '../../domain/resource.ts';
import { isStoredAs, plainText } from '../../domain/text.ts';
import { isMembers, isSet } from '../live-defaults.ts';
import type { Findings } from './audience.ts';
import {
  describeAttachments,
  hasSameAttachments,
  listUntold,
  type CompareMedia,
  type LiveAttachment,
} from './media.ts';
import { parseInstant } from './normalise.ts';

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
    isSame: (wanted: DeclaredAttachment[] | undefined, got: LiveAttachment[] | null | undefined, mediaIs) =>
      hasSameAttachments(wanted ?? [], got ?? [], mediaIs),
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

/** How plans show a value. */
export function showValue({ key, value }: Value): unknown {
  const show = FIELDS[key]?.show;
  return show === undefined ? (value ?? null) : show(value as never);
}

/** What a file sends without its audience, or what a live object shows of that. */
export interface Content<Message = DeclaredMessage | ObservedMessage> {
  readonly head: Readonly<Record<string, string | null>>;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly messages: readonly Message[];
}

/** What is compared of a declared resource. */
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
  const [rules, messages] = [live.rules ?? {}, inOrder(live.messages ?? [])];
  if (kind === 'broadcast') return { head: { scheduled_at: live.scheduled_at ?? null }, rules, messages };
  const { trigger = null, action = null } = live;
  return { head: { trigger, action }, rules, messages: action === 'start_mimic' ? [] : messages };
}

/** By `step` where every message says it, otherwise as listed. */
export function inOrder(observed: readonly ObservedMessage[]): readonly ObservedMessage[] {
  if (observed.some(({ step }) => step === null || step === undefined)) return observed;
  return observed.toSorted((left, right) => (left.step ?? 0) - (right.step ?? 0));
}

/** Every value of a content, in the order in which plans show them. */
export function listEntries({ head, rules, messages }: Content): readonly Entry[] {
  return [...listHead(head), ...listRules(rules), ...listMessages(messages)];
}

export function listHead(head: Content['head']): readonly Entry[] {
  return Object.entries(head).map(([key, value]) => ({ path: key, key, value }));
}

/** Each member of a member is an entry, unless it is a field as a whole. */
export function listRules(rules: Content['rules'], prefix = 'rules'): readonly Entry[] {
  return Object.entries(rules).flatMap(([key, value]) => {
    const path = `${prefix}.${key}`;
    if (value === undefined) return [];
    const isOne = FIELDS[path] !== undefined || !isMembers(value);
    return isOne ? [{ path, key: path, value }] : listRules(value, path);
  });
}

export function listMessages(messages: Content['messages']): readonly Entry[] {
  return messages.flatMap((message, index) =>
    MESSAGE_FIELDS.map((key) => ({ path: `messages[${index}].${key}`, key, value: message[key] })).filter(
      ({ value }) => value !== undefined,
    ),
  );
}

/** What of a content is in its digest: what says something (CONTENT-20), in the form in which it is compared. */
export function listDigested(content: Content): Readonly<Record<string, unknown>> {
  const entries = listEntries(content)
    .filter(({ key }) => FIELDS[key]?.isNotInDigest !== true)
    .map((entry) => [entry.path, normalise(entry)] as const);
  return Object.fromEntries(entries.filter(([, value]) => isSet(value)));
}

/** Compares what a file says, value by value. A flag that a reply leaves out is unknown, not false (CONTENT-21). */
export function compareEntries(
  wanted: readonly Entry[],
  live: readonly Entry[],
  mediaIs: CompareMedia,
): readonly FieldDifference[] {
  const got = new Map(live.map(({ path, value }) => [path, value]));
  return wanted.flatMap((entry) => {
    const { path, key, value } = entry;
    const other = { key, value: got.get(path) };
    const isUnknown = typeof value === 'boolean' && (other.value ?? null) === null;
    const isSame =
      FIELDS[key]?.isSame?.(value as never, other.value as never, mediaIs) ??
      canonical(normalise(entry)) === canonical(normalise(other));
    return isSame || isUnknown ? [] : [{ path, old: showValue(other), new: showValue(entry) }];
  });
}

/** Messages are a sequence: compared one by one. */
export function compareMessages(
  declared: readonly DeclaredMessage[],
  live: readonly ObservedMessage[],
  mediaIs: CompareMedia,
): Findings {
  const length = { path: 'messages.length', old: live.length, new: declared.length };
  // What is always compared of a message has a value, also where the file leaves it to its default.
  const wanted = declared.map((message) => ({ text: null, price_gross: 0, attachments: [], ...message }));
  const beyond = live.map((message, index) => (index < declared.length ? {} : message));
  const removed = listMessages(beyond).filter(({ value }) => isSet(value));
  const untold = declared.flatMap(({ attachments = [] }, index) =>
    listUntold(attachments, live[index]?.attachments ?? [], mediaIs).map(
      (place) => `messages[${index}].attachments[${place}].file`,
    ),
  );
  return {
    fields: [
      ...(live.length === declared.length ? [] : [length]),
      ...compareEntries(listMessages(wanted), listMessages(live), mediaIs),
      ...removed.map((entry) => ({ path: entry.path, old: showValue(entry), new: null })),
    ],
    unverifiable: untold,
  };
}
