import * as z from 'zod';
import { PAUSE_PURPOSES, type KnownObject, type WantedContent } from '../domain/knowledge.ts';
import { KINDS } from '../domain/resource.ts';

const base = {
  v: z.literal(1),
  /** When the line was written, ISO 8601 in UTC. */
  at: z.string(),
  /** The run that wrote it. */
  run: z.string(),
  /**
   * The simulator that the run worked with. Missing for the service itself, before the first answer, and if it cannot
   * be read. A line without it counts everywhere, which loses nothing.
   */
  origin: z.string().min(1).optional().catch(undefined),
  /**
   * The service's clock minus that of the writer when `at` was written; null where it was not known. Missing where
   * `skew_ms` says the same, and on lines of earlier versions.
   */
  at_skew_ms: z.number().nullable().optional().catch(undefined),
  /** Where the clocks say that it was written before a line that its run had read: the first time after that line. */
  after_ms: z.number().optional().catch(undefined),
};

/**
 * The service's clock minus that of the machine that sent, as it was known then; missing or null where it was not, or
 * cannot be read.
 */
const skew = { skew_ms: z.number().nullable().optional().catch(undefined) };

const object = { account: z.string(), account_id: z.string(), kind: z.enum(KINDS), name: z.string() };

const comparableShape = z.looseObject({
  rules: z.looseObject({}).optional(),
  audience_filters: z.array(z.looseObject({})),
  messages: z.array(
    z.looseObject({
      text: z.string().nullable().optional(),
      attachments: z.array(z.looseObject({})).optional(),
    }),
  ),
});

/** Our own writing; looked at only as far as a comparison needs to survive whatever stands in the file. */
const wantedContent = z.custom<WantedContent['content']>((value) => comparableShape.safeParse(value).success);

/** Written and flushed before a request that must not be repeated blindly leaves. */
const intentLine = z.object({
  ...base,
  type: z.literal('intent'),
  ...object,
  entry: z.string(),
  who: z.string(),
  call: z.enum(['create', 'status', 'unsend']),
  live_id: z.string().nullable(),
  target: z.string().nullable(),
  purpose: z.enum(PAUSE_PURPOSES).nullable(),
  /** Of a change by hand: true if the object showed that status already, so that no window begins with it. */
  already: z.boolean().optional(),
  content: z.string().nullable(),
  hidden: z.string().nullable(),
  /** Whether what a create makes is protected from its first moment. */
  protect: z.boolean().default(false),
  /** What a create asks for, so that its object is known again whatever the files say by then; null otherwise. */
  wanted: z.object({ content: wantedContent, scheduled_at: z.string().nullable() }).nullable().default(null),
  /** The name and the text of that content (`madeAs`); only where a reader let the content itself go. */
  created_as: z.number().nullable().optional(),
  supersedes: z.array(z.string()),
  baseline: z.array(z.string()),
  sent_at_ms: z.number(),
  ...skew,
});

/** `unknown` leaves its entry open; every other outcome closes it. */
export const LEDGER_OUTCOMES = ['done', 'adopted', 'refused', 'not_sent', 'absent', 'unknown'] as const;

const outcomeLine = z.object({
  ...base,
  type: z.literal('outcome'),
  entry: z.string(),
  outcome: z.enum(LEDGER_OUTCOMES),
  live_id: z.string().nullable(),
  created_by: z.string().nullable(),
  list_ids: z.array(z.string()).nullable(),
  message: z.string(),
  /** When the request really left, where that is known better than its intent knew. */
  sent_at_ms: z.number().nullable().default(null),
  /** When the last copy of the request left of which nothing was heard: it may land late. */
  unheard_ms: z.number().nullable().default(null),
  /** For a refusal: true if the same request would be refused again until someone changes the object. */
  for_good: z.boolean().optional(),
  /** Of a status: true where a person stopped the object by hand meanwhile, so that it counts as stopped by them. */
  by_hand: z.boolean().optional(),
  /** Of an export into the vault: the upload that the service could not use, as it will not use the same bytes again. */
  unprocessable: z.string().optional(),
  ...skew,
});

/** An object seen as declared without a write of ours: an adoption, or an end to what we knew of a pause. */
const seenLine = z.object({
  ...base,
  type: z.literal('seen'),
  ...object,
  live_id: z.string(),
  /** True if someone else changed its audience, so that the sent content says nothing about it any more. */
  changed: z.boolean().optional(),
  /** True if a person has stopped it, and no one has started it since. */
  stopped: z.boolean().optional(),
});

/** An object that is declared with `protect: true`, or without it again. */
const protectionLine = z.object({
  ...base,
  type: z.literal('protection'),
  ...object,
  live_id: z.string(),
  who: z.string(),
  protect: z.boolean(),
});

/** Values that the service answered instead of the ones sent. */
const rewriteLine = z.object({
  ...base,
  type: z.literal('rewrite'),
  ...object,
  live_id: z.string(),
  rewrites: z.array(z.strictObject({ path: z.string(), sent: z.string(), got: z.string() })),
});

/** Written and flushed before an imperative request that must not be repeated blindly: a chat message, a payout, an upload. */
const actLine = z.object({
  ...base,
  type: z.literal('act'),
  entry: z.string(),
  who: z.string(),
  /** The catalogue's name of the call. */
  operation: z.string(),
  account: z.string(),
  account_id: z.string(),
  /** What it was about, in a word that people and the next run know it by: an amount, a chat, a file's digest. */
  subject: z.string(),
  /** What the next run needs in order to find it again. Never a secret. */
  details: z.record(z.string(), z.unknown()),
  sent_at_ms: z.number(),
  ...skew,
});

/** A person has checked an unconfirmed request and closed it. No run waits for its outcome any more. */
const acknowledgedLine = z.object({
  ...base,
  type: z.literal('acknowledged'),
  entry: z.string(),
  who: z.string(),
  /** In that person's words; missing where the command that it was done with says why. */
  because: z.string().optional(),
});

const knownParts = z
  .looseObject({
    name: z.string(),
    createdByHerald: z.boolean(),
    ours: z.boolean(),
    isProtected: z.boolean(),
    contentDigest: z.string().nullable(),
    hiddenDigest: z.string().nullable(),
    listIds: z.array(z.string()).nullable(),
    media: z.record(z.string(), z.string()).nullable(),
    pausedFor: z.enum(PAUSE_PURPOSES).nullable(),
    pausedAtMs: z.number().nullable(),
    supersededBy: z.string().nullable(),
    recalled: z.boolean(),
    recallRefused: z.boolean(),
    rewrites: z.array(z.looseObject({ path: z.string(), sent: z.string(), got: z.string() })),
    createdBy: z.string().nullable(),
    createLeftMs: z.number().nullable(),
    createdAs: z.number().nullable(),
  })
  .partial();

/**
 * What a compaction keeps of removed lines: the fields that they set last, with their time. Merging it with the
 * original lines gives the same result.
 */
const knownLine = z.object({
  ...base,
  type: z.literal('known'),
  account: object.account,
  account_id: object.account_id,
  kind: object.kind,
  live_id: z.string(),
  /** Members of `KnownObject`, spelled as there. */
  set: z.custom<Partial<KnownObject>>((value) => knownParts.safeParse(value).success),
  /** False where the line does not tell which account the alias stood for at that time. */
  tells_account: z.boolean().optional().catch(undefined),
});

/**
 * Stands for everything else that a compaction put away. With an account, it stands for the line that told last which
 * account an alias stood for, and has the time of that line. Earlier versions read it as one more mark.
 */
const compactedLine = z.object({
  ...base,
  type: z.literal('compacted'),
  who: z.string(),
  /** Lines of before this instant were put away, as far as nothing depends on them. */
  before: z.string(),
  /** The file that they are in; null where they were dropped. */
  archive: z.string().nullable(),
  /** `created_by` of our own creates among them. */
  creators: z.array(z.string()),
  account: z.string().optional().catch(undefined),
  account_id: z.string().optional().catch(undefined),
});

/** One line of `.herald/ledger.ndjson`. Members that a later version adds pass. */
export const ledgerLineShape = z.discriminatedUnion('type', [
  intentLine,
  outcomeLine,
  seenLine,
  protectionLine,
  rewriteLine,
  actLine,
  acknowledgedLine,
  knownLine,
  compactedLine,
]);
export type LedgerLine = z.infer<typeof ledgerLineShape>;
export type IntentLine = z.infer<typeof intentLine>;
export type OutcomeLine = z.infer<typeof outcomeLine>;
export type SeenLine = z.infer<typeof seenLine>;
export type ProtectionLine = z.infer<typeof protectionLine>;
export type RewriteLine = z.infer<typeof rewriteLine>;
export type ActLine = z.infer<typeof actLine>;
export type KnownLine = z.infer<typeof knownLine>;
export type CompactedLine = z.infer<typeof compactedLine>;
