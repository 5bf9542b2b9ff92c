import type { FieldDifference } from '../../domain/change.ts';
import { hiddenDigest, hiddenOf } from '../../domain/hidden.ts';
import type { KnownContent } from '../../domain/knowledge.ts';
import { contentDigest, NO_MEDIA, type MediaOnRecord } from '../../domain/media.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { isStoredAs } from '../../domain/stored-text.ts';
import { compareAudience, filtersWithHiddenDays } from './audience.ts';
import { mediaJudge } from './media.ts';
import { compareMessages, unknownMedia } from './messages.ts';
import { compareRules } from './rules.ts';
import { ignoring, splitIgnored } from '../guards/ignore.ts';
import { sameInstant, shown } from './normalise.ts';

/**
 * How a live object compares with what is declared. `unverifiable` fields are sent but never returned,
 * and the ledger does not know what was sent: they are neither drift nor claimed equal. `ignored` fields do
 * differ, and the files say that it does not matter.
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

interface Findings {
  readonly fields: readonly FieldDifference[];
  readonly unverifiable: readonly string[];
}

/**
 * Compares only what the files say (CONTENT-20): server defaults, statistics and read-only fields
 * are not ours. Values are normalised, so 9.9 is 9.90, CRLF is LF and zones are instants.
 */
export function compare(
  declared: Declared,
  observed: Observed,
  known: KnownContent | null,
  media: MediaOnRecord = NO_MEDIA,
): Comparison {
  const why = unreadable(observed);
  if (why !== null) return { verdict: 'unknowable', why };
  const { content } = declared;
  const { live } = observed;
  const isMimic = declared.kind === 'campaign' && declared.content.action === 'start_mimic';
  // Of two automated chats no messages are compared; where the live one sends messages, they go.
  const bothMimic = isMimic && observed.kind === 'campaign' && observed.live.action === 'start_mimic';
  const audience = compareAudience(content.audience_filters, live.audience_filters, {
    listIds: known?.listIds ?? null,
    // Worked out only where it matters, because a fingerprint takes longer than the whole comparison.
    get isOfThisContent() {
      return known?.contentDigest == null ? null : known.contentDigest === contentDigest(content);
    },
  });
  const hidden = compareHidden(declared, live.audience_filters, known, audience.fields.length > 0);
  const rules = compareAllRules(content.rules ?? {}, live.rules);
  const mediaIs = mediaJudge(observed.accountId, known, media);
  const messages = isMimic ? [] : content.messages;
  const found = [
    ...compareHead(declared, observed),
    ...rules.fields,
    ...audience.fields,
    ...hidden.fields,
    ...(bothMimic ? [] : compareMessages(messages, live.messages ?? [], mediaIs)),
  ].filter((field) => !isKnownRewrite(field, known));
  const { fields, ignored } = splitIgnored(declared, found);
  const isIgnored = ignoring(declared.ignore);
  const untold = unknownMedia(messages, live.messages ?? [], mediaIs);
  const unverifiable = [
    ...new Set([...rules.unverifiable, ...audience.unverifiable, ...hidden.unverifiable, ...untold]),
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

function compareHead(declared: Declared, observed: Observed): readonly FieldDifference[] {
  if (declared.kind === 'campaign' && observed.kind === 'campaign') {
    return [
      ...differs('trigger', observed.live.trigger, declared.content.trigger),
      ...differs('action', observed.live.action, declared.content.action),
    ];
  }
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

/** Fields that no reply shows are compared by the digest of what was sent, where the ledger has it. */
function compareHidden(
  { content, ignore }: Declared,
  live: Observed['live']['audience_filters'],
  known: KnownContent | null,
  audienceDiffers: boolean,
): Findings {
  const hidden = hiddenOf(content.audience_filters);
  const sent = known?.hiddenDigest ?? null;
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

/** The service answered another value than the one sent, and both still stand: no drift (CONTENT-23). */
function isKnownRewrite(field: FieldDifference, known: KnownContent | null): boolean {
  return (known?.rewrites ?? []).some(
    (rewrite) =>
      rewrite.path === field.path &&
      isStoredAs(rewrite.sent, shown(field.new)) &&
      isStoredAs(rewrite.got, shown(field.old)),
  );
}
