import type { DeclaredFilter } from '../../../domain/audience.ts';
import type { FieldDifference } from '../../../domain/change.ts';
import { canonical, digest } from '../../../domain/digest.ts';
import { fullInstantMs } from '../../../domain/full-instant.ts';
import { hiddenDigest, hiddenOf } from '../../../domain/hidden.ts';
import { isSetRule } from '../../../domain/live-defaults.ts';
import { plainText } from '../../../domain/plain-text.ts';
import type { Declared, DeclaredBroadcast, DeclaredCampaign, Observed } from '../../../domain/resource.ts';
import { compareAudience, filtersWithHiddenDays } from './audience.ts';
import { notInFile } from './dropped.ts';
import { ignoring, splitIgnored } from './ignore.ts';
import { mediaJudge, type MediaDigests } from './media.ts';
import { compareMessages, inOrder, unknownMedia } from './messages.ts';
import { sameInstant } from './normalise.ts';
import { compareRules } from './rules.ts';
import { isRewrite, NOTHING_SHOWN, recordedValue, type Shown } from './shown.ts';

/**
 * How a live object compares with what is declared. `unverifiable` fields are sent but never returned, and the state does
 * not know what was sent: they are neither drift nor claimed equal. `ignored` fields differ, and the files say that it does
 * not matter.
 */
export type Comparison =
  | {
      readonly verdict: 'equal';
      readonly unverifiable: readonly string[];
      readonly ignored: readonly FieldDifference[];
    }
  | {
      readonly verdict: 'different';
      readonly fields: readonly FieldDifference[];
      readonly unverifiable: readonly string[];
      readonly ignored: readonly FieldDifference[];
    }
  | { readonly verdict: 'unknowable'; readonly why: string };

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

interface Findings {
  readonly fields: readonly FieldDifference[];
  readonly unverifiable: readonly string[];
}

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
  if (why !== null) return { verdict: 'unknowable', why };
  const { content } = declared;
  const { live } = observed;
  const { shown, hidden } = onRecord;
  const isMimic = declared.kind === 'campaign' && declared.content.action === 'start_mimic';
  // Of two automated chats no messages are compared; if the live one sends messages, a replace removes them.
  const bothMimic = isMimic && observed.kind === 'campaign' && observed.live.action === 'start_mimic';
  const audience = compareAudience(content.audience_filters, live.audience_filters, {
    listIds: shown.lists,
    get isOfThisContent() {
      const sent = partsOf(hidden)?.audience ?? null;
      return sent === null ? null : sent === audiencePart(content.audience_filters);
    },
  });
  const unshown = compareHidden(declared, live.audience_filters, hidden, audience.fields.length > 0);
  const rules = compareAllRules(content.rules ?? {}, live.rules);
  const mediaIs = mediaJudge(observed.accountId, shown.media, onRecord.media);
  const messages = isMimic ? [] : content.messages;
  const found = [
    ...compareHead(declared, observed),
    ...rules.fields,
    ...audience.fields,
    ...unshown.fields,
    ...(bothMimic ? [] : compareMessages(messages, live.messages ?? [], mediaIs)),
  ].filter((field) => !isRewrite(field, shown));
  const { fields, ignored } = splitIgnored(declared, found);
  const isIgnored = ignoring(declared.ignore);
  const untold = unknownMedia(messages, live.messages ?? [], mediaIs);
  const unverifiable = [
    ...new Set([...rules.unverifiable, ...audience.unverifiable, ...unshown.unverifiable, ...untold]),
  ]
    .filter((path) => !isIgnored(path))
    .toSorted();
  return fields.length === 0
    ? { verdict: 'equal', unverifiable, ignored }
    : { verdict: 'different', fields, unverifiable, ignored };
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

/** Rules that a reply leaves out as a whole are unknown: neither drift nor claimed equal. */
function compareAllRules(
  declared: Readonly<Record<string, unknown>>,
  live: Readonly<Record<string, unknown>> | null | undefined,
): Findings {
  if (live !== null && live !== undefined) return { fields: compareRules(declared, live), unverifiable: [] };
  const stated = Object.entries(declared).filter(([, value]) => value !== undefined && value !== null);
  return { fields: [], unverifiable: stated.map(([key]) => `rules.${key}`) };
}

function compareHead(declared: Comparable, observed: Observed): readonly FieldDifference[] {
  if (declared.kind === 'campaign' && observed.kind === 'campaign')
    return [
      ...differs('trigger', observed.live.trigger, declared.content.trigger),
      ...differs('action', observed.live.action, declared.content.action),
    ];
  if (declared.kind === 'broadcast' && observed.kind === 'broadcast') {
    const liveAt = observed.live.scheduled_at ?? null;
    // Null means that it was sent, and never that someone moved it (BROADCAST-11).
    if (liveAt === null || sameInstant(liveAt, declared.scheduledAtUtc)) return [];
    return [{ path: 'scheduled_at', old: liveAt, new: declared.scheduledAtUtc }];
  }
  return [];
}

function differs(path: string, live: unknown, declared: string): readonly FieldDifference[] {
  return live === declared ? [] : [{ path, old: live ?? null, new: declared }];
}

/** Fields that no reply shows are compared by the digest of what was sent, where the state has it. */
function compareHidden(
  { content, ignore }: Comparable,
  live: Observed['live']['audience_filters'],
  recorded: string | null,
  audienceDiffers: boolean,
): Findings {
  const hidden = hiddenOf(content.audience_filters);
  const sent = partsOf(recorded)?.hidden ?? null;
  const paths = Object.keys(hidden);
  if (sent === null)
    return { fields: [], unverifiable: [...paths, ...filtersWithHiddenDays(content.audience_filters, live)] };
  if (sent === hiddenDigest(content.audience_filters)) return { fields: [], unverifiable: [] };
  const isIgnored = ignoring(ignore);
  const compared = paths.filter((path) => !isIgnored(path));
  // One digest stands for all of them: where some are ignored, it does not tell whether the others differ.
  if (compared.length < paths.length) return { fields: [], unverifiable: compared };
  const old = 'another value (never shown by the service)';
  const fields = paths.map((path) => ({ path, old, new: hidden[path] }));
  if (fields.length > 0 || audienceDiffers) return { fields, unverifiable: [] };
  const gone = 'fan-list names or days (never shown by the service)';
  return { fields: [{ path: 'audience_filters', old: gone, new: null }], unverifiable: [] };
}

/** The version of the digests of this file. Digests of another version are not compared. */
const VERSION = '1';

/**
 * The content of a create as a digest with a version: without the name, and with the hour of a broadcast. A live object
 * with equal content has the same digest (`digestLive`), so that it has only what a reply shows: of the audience the kinds,
 * of media their number. What it does not tell apart waits for each other, and `compare` decides.
 */
export function digestDeclared(declared: Declared): string {
  const { content } = declared;
  const head = declared.kind === 'campaign' ? [declared.content.trigger, declared.content.action] : [];
  const hour = declared.kind === 'broadcast' && declared.atOnce !== true ? declared.scheduledAtUtc : null;
  const isMimic = declared.kind === 'campaign' && declared.content.action === 'start_mimic';
  return versioned([
    declared.kind,
    head,
    hourPart(hour),
    rulesPart(content.rules ?? {}),
    content.audience_filters.map(filterPart).toSorted(),
    isMimic ? [] : content.messages.map(messagePart),
  ]);
}

/** The digest of a live object; null if it cannot be read. */
export function digestLive(observed: Observed): string | null {
  if (unreadable(observed) !== null) return null;
  const { live } = observed;
  const head = observed.kind === 'campaign' ? [observed.live.trigger, observed.live.action] : [];
  const isMimic = observed.kind === 'campaign' && observed.live.action === 'start_mimic';
  return versioned([
    observed.kind,
    head,
    hourPart(observed.kind === 'broadcast' ? observed.live.scheduled_at : null),
    rulesPart(live.rules ?? {}),
    (live.audience_filters ?? []).map(filterPart).toSorted(),
    isMimic ? [] : inOrder(live.messages ?? []).map(messagePart),
  ]);
}

/** What fans read: the texts alone, so that equal messages are found whatever their hour, price, rules and audience. */
export function digestTexts(content: {
  readonly messages?: readonly { readonly text?: string | null | undefined }[] | null | undefined;
}): string {
  return versioned((content.messages ?? []).map(({ text }) => plainText(text)));
}

/** List names and day filters, which the service never returns, and the audience that they belong to. */
export function digestHidden({ content }: Declared): string {
  const { audience_filters: filters } = content;
  return `${VERSION}:${hiddenDigest(filters)}:${audiencePart(filters)}`;
}

function partsOf(recorded: string | null): { readonly hidden: string; readonly audience: string } | null {
  const [version, hidden, audience] = (recorded ?? '').split(':');
  return version === VERSION && hidden !== undefined && audience !== undefined ? { hidden, audience } : null;
}

/** JSON for the column `shown`: what was read back after a create, where it tells more than what was sent. */
export function readShown(declared: Declared, observed: Observed): string | null {
  const comparison = compare({ ...declared, ignore: [] }, observed);
  if (comparison.verdict === 'unknowable') return null;
  const rewritten = comparison.verdict === 'different' ? comparison.fields : [];
  const filledIn = notInFile({ ...declared, ignore: [] }, { observed, shown: NOTHING_SHOWN });
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
      ...rewritten.map(({ path, old, new: sent }) => ({
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

function hourPart(text: string | null | undefined): number | string | null {
  return text === null || text === undefined ? null : (fullInstantMs(text) ?? text);
}

/** The rules that say something (CONTENT-20), with instants for times. */
function rulesPart(rules: Readonly<Record<string, unknown>>): unknown {
  const set = Object.entries(rules).filter(([key, value]) => isSetRule(value) && key !== 'end_at_timezone');
  return Object.fromEntries(
    set.map(([key, value]) => {
      if (key === 'end_at' && typeof value === 'string') return [key, hourPart(value)];
      const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [key, isNested ? rulesPart(value as Readonly<Record<string, unknown>>) : value];
    }),
  );
}

/** Replies never show days, and may show them as dates that move (CONTENT-18): neither counts. */
function filterPart(filter: {
  readonly kind?: string | null | undefined;
  readonly mode?: string | null | undefined;
  readonly options?: { readonly lists?: readonly unknown[] | null | undefined } | null | undefined;
}): string {
  return canonical([filter.kind ?? null, filter.mode ?? null, filter.options?.lists?.length ?? 0]);
}

interface AnyMessage {
  readonly text?: string | null | undefined;
  readonly price_gross?: number | null | undefined;
  readonly delay_sec?: number | null | undefined;
  readonly attachments?: readonly unknown[] | null | undefined;
  readonly tagged_platform_account_ids?: readonly string[] | null | undefined;
}

/** Without the ids of media: a file has none before it is uploaded. Without flags, which a reply may leave out. */
function messagePart(message: AnyMessage): unknown {
  return [
    plainText(message.text),
    Math.round((message.price_gross ?? 0) * 100),
    message.delay_sec ?? 0,
    message.attachments?.length ?? 0,
    [...new Set(message.tagged_platform_account_ids)].toSorted(),
  ];
}

/** The whole audience as it is declared, whatever the order and the spelling of its times. */
function audiencePart(filters: readonly DeclaredFilter[]): string {
  return digest(
    filters
      .map(({ kind, mode, options: { lists, from_at, to_at, ...days } = {} }) =>
        canonical({
          kind,
          mode,
          days,
          from_at: hourPart(from_at),
          to_at: hourPart(to_at),
          lists: lists?.map(({ id, name }) => canonical({ id, name })).toSorted(),
        }),
      )
      .toSorted(),
  );
}
