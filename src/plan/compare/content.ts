import type { DeclaredFilter } from '../../domain/audience.ts';
import type { FieldDifference } from '../../domain/change.ts';
import { canonical, digest } from '../../domain/digest.ts';
import { isMembers, isSet } from '../live-defaults.ts';
import { plainText } from '../../domain/text.ts';
import type { ObservedFilter } from '../../domain/replies.ts';
import type { Declared, DeclaredBroadcast, DeclaredCampaign, Kind, Observed } from '../../domain/resource.ts';
import { compareAudience, digestHiddenParts, type Findings } from './audience.ts';
import {
  compareMessages,
  inOrder,
  mediaJudge,
  readMessage,
  type AnyMessage,
  type MediaDigests,
} from './messages.ts';
import { ignoring, parseInstant, sameInstant } from './normalise.ts';
import { isAsShown, listDropped, NOTHING_SHOWN, recordedValue, type Shown } from './shown.ts';

/**
 * How a live object compares with what is declared. `unverifiable` fields are sent but never returned, and the state does
 * not know what was sent: they are neither drift nor claimed equal. `ignored` fields differ, and the files say that it does
 * not matter.
 */
export type Comparison = Findings & { readonly ignored: readonly FieldDifference[] } & (
    { readonly verdict: 'equal' | 'different' } | { readonly verdict: 'unknowable'; readonly why: string }
  );

/** Of what cannot be compared. */
export function unknowable(why: string): Comparison {
  return { verdict: 'unknowable', why, fields: [], ignored: [], unverifiable: [] };
}

/** What is compared of a declared resource. */
export type Comparable =
  | Pick<DeclaredCampaign, 'kind' | 'content' | 'ignore'>
  | Pick<DeclaredBroadcast, 'kind' | 'content' | 'ignore' | 'scheduledAtUtc'>;

/** What the state knows of a live object. */
export interface OnRecord {
  readonly shown: Shown;
  /** The column `hidden_digest`. */
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
  const why = unreadable(observed);
  if (why !== null) return unknowable(why);
  const { content } = declared;
  const { live } = observed;
  const { shown, hidden } = onRecord;
  const isMimic = declared.kind === 'campaign' && declared.content.action === 'start_mimic';
  // Of two automated chats no messages are compared; if the live one sends messages, a replace removes them.
  const bothMimic = isMimic && observed.kind === 'campaign' && observed.live.action === 'start_mimic';
  const isIgnored = ignoring(declared.ignore);
  const audience = compareAudience(content.audience_filters, live.audience_filters, {
    listIds: shown.lists,
    digest: hidden?.startsWith(`${VERSION}:`) === true ? hidden.slice(VERSION.length + 1) : null,
    isIgnored,
  });
  const rules = compareRules(content.rules ?? {}, live.rules);
  const mediaIs = mediaJudge(observed.accountId, shown.media, onRecord.media);
  const messages = compareMessages(
    isMimic ? [] : content.messages,
    bothMimic ? [] : (live.messages ?? []),
    mediaIs,
  );
  const found = [
    ...compareHead(declared, observed),
    ...rules.fields,
    ...audience.fields,
    ...messages.fields,
  ].filter(({ path, old, new: wanted }) => !isAsShown(shown, path, old, wanted ?? null));
  const fields = found.filter(({ path }) => !isIgnored(path));
  const ignored = found.filter(({ path }) => isIgnored(path));
  const unverifiable = [...rules.unverifiable, ...audience.unverifiable, ...messages.unverifiable]
    .filter((path) => !isIgnored(path))
    .toSorted();
  return { verdict: fields.length === 0 ? 'equal' : 'different', fields, ignored, unverifiable };
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

type Rules = Readonly<Record<string, unknown>>;

/**
 * Rules that a reply leaves out as a whole are unknown: neither drift nor claimed equal.
 *
 * | declared    | live missing or null | live present                    |
 * | null        | equal                | different                       |
 * | boolean     | equal: unknown       | explicit inequality differs     |
 * | number, text| different            | compared by value               |
 * | instant     | different            | compared as instants            |
 * | object      | each declared member is compared like a rule of its own         |
 */
function compareRules(declared: Rules, live: Rules | null | undefined): Findings {
  if (live !== null && live !== undefined)
    return { fields: compareMembers(declared, live, 'rules'), unverifiable: [] };
  const stated = Object.entries(declared).filter(([, value]) => value !== undefined && value !== null);
  return { fields: [], unverifiable: stated.map(([key]) => `rules.${key}`) };
}

function compareMembers(declared: Rules, live: Rules, prefix: string): readonly FieldDifference[] {
  return Object.entries(declared).flatMap(([key, wanted]) => {
    const [path, got] = [`${prefix}.${key}`, live[key] ?? null];
    if (wanted === undefined || (typeof wanted === 'boolean' && got === null)) return [];
    if (isMembers(wanted)) return compareMembers(wanted, isMembers(got) ? got : {}, path);
    const isInstant = key === 'end_at' && typeof wanted === 'string' && typeof got === 'string';
    const isSame = isInstant ? sameInstant(wanted, got) : wanted === got;
    return isSame ? [] : [{ path, old: got, new: wanted }];
  });
}

type Head = Readonly<Record<string, string | null>>;

/** What a file says next to rules, audience and messages. What is sent at once has no hour. */
export function readHead(declared: Comparable & Partial<Pick<DeclaredBroadcast, 'atOnce'>>): Head {
  if (declared.kind === 'broadcast')
    return { scheduled_at: declared.atOnce === true ? null : declared.scheduledAtUtc };
  const { trigger, action } = declared.content;
  return { trigger, action };
}

export function readLiveHead({ kind, live }: Observed): Head {
  if (kind === 'broadcast') return { scheduled_at: live.scheduled_at ?? null };
  return { trigger: live.trigger ?? null, action: live.action ?? null };
}

/** A live hour that is missing means that it was sent, and never that someone moved it (BROADCAST-11). */
function compareHead(declared: Comparable, observed: Observed): readonly FieldDifference[] {
  const live = readLiveHead(observed);
  return Object.entries(readHead(declared)).flatMap(([path, wanted]) => {
    const old = live[path] ?? null;
    return old === null || parseInstant(old) === parseInstant(wanted) ? [] : [{ path, old, new: wanted }];
  });
}

/** The version of the digests of this file. Digests of another version are not compared. */
const VERSION = '1';

/**
 * The content of a create as a digest with a version: without the name, and with the hour of a broadcast. A live object
 * with equal content has the same digest (`digestLive`), so that it has only what a reply shows: of the audience the kinds,
 * of media their number. What it does not tell apart waits for each other, and `compare` decides.
 */
export function digestDeclared(declared: Declared): string {
  return digestContent(declared.kind, readHead(declared), declared.content);
}

/** The digest of a live object; null if it cannot be read. */
export function digestLive(observed: Observed): string | null {
  if (unreadable(observed) !== null) return null;
  const messages = inOrder(observed.live.messages ?? []);
  return digestContent(observed.kind, readLiveHead(observed), { ...observed.live, messages });
}

interface Content {
  readonly rules?: Rules | null | undefined;
  readonly audience_filters?: readonly (DeclaredFilter | ObservedFilter)[] | null | undefined;
  readonly messages: readonly AnyMessage[];
}

function digestContent(kind: Kind, head: Head, content: Content): string {
  const { rules, audience_filters: filters, messages } = content;
  return versioned([
    [kind, ...Object.values(head).map(parseInstant)],
    rulesPart(rules ?? {}),
    (filters ?? []).map(filterPart).toSorted(),
    head['action'] === 'start_mimic' ? [] : messages.map(readMessage),
  ]);
}

/** What fans read: the texts alone, so that equal messages are found whatever their hour, price, rules and audience. */
export function digestTexts({ messages }: Pick<Declared['content'] | Observed['live'], 'messages'>): string {
  return versioned((messages ?? []).map(({ text }) => plainText(text)));
}

/** List names and day filters, which the service never returns. */
export function digestHidden({ content }: Declared): string {
  return `${VERSION}:${digestHiddenParts(content.audience_filters)}`;
}

/** JSON for the column `shown`: what was read back after a create, where it tells more than what was sent. */
export function readShown(declared: Declared, observed: Observed): string | null {
  const comparison = compare({ ...declared, ignore: [] }, observed);
  if (comparison.verdict === 'unknowable') return null;
  const filledIn = listDropped(declared, [{ observed, shown: NOTHING_SHOWN }], []);
  const lists = (observed.live.audience_filters ?? []).flatMap(({ options }) => options?.lists ?? []);
  const media = Object.fromEntries(
    declared.content.messages.flatMap(({ attachments = [] }) =>
      attachments.flatMap((one) =>
        'id' in one && one.file !== undefined ? [[one.id, one.file.digest]] : [],
      ),
    ),
  );
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
    lists: lists.length === 0 ? null : lists.map(({ id }) => id).toSorted(),
    media,
  };
  return canonical(shown) === canonical(NOTHING_SHOWN) ? null : canonical(shown);
}

function versioned(parts: unknown): string {
  return `${VERSION}:${digest(parts)}`;
}

/** The rules that say something (CONTENT-20), with instants for times. */
function rulesPart(rules: Rules): unknown {
  const set = Object.entries(rules).filter(([key, value]) => isSet(value) && key !== 'end_at_timezone');
  return Object.fromEntries(
    set.map(([key, value]) => {
      if (key === 'end_at' && typeof value === 'string') return [key, parseInstant(value)];
      return [key, isMembers(value) ? rulesPart(value) : value];
    }),
  );
}

/** Replies never show days, and may show them as dates that move (CONTENT-18): neither counts. */
function filterPart({ kind, mode, options }: DeclaredFilter | ObservedFilter): string {
  return canonical([kind ?? null, mode ?? null, options?.lists?.length ?? 0]);
}
