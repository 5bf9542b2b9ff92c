import * as z from 'zod';
import { KINDS, type Kind } from '../domain/resource.ts';

/** The columns of the tables of the state, for SQLite and PostgreSQL alike: only TEXT and BIGINT. Then the rows, and what a caller hands in. */

/** PostgreSQL keeps no text with a NUL. */
const text = z.string().refine((value) => !value.includes('\0'), 'has a NUL');
/** A higher number could not be followed by the next ones. */
const number = z
  .int()
  .min(0)
  .max(2 ** 50);
const json = text.refine((value) => parseJson(value) !== undefined, 'is not JSON');

/** What each type of column may have: a text or a number in the database, with `?` also null. */
export const CELLS = {
  text,
  'text?': text.nullable(),
  number,
  'number?': number.nullable(),
  flag: z.union([z.literal(0), z.literal(1)]),
  json,
  'json?': json.nullable(),
  kind: z.enum(KINDS),
  any_kind: z.enum([...KINDS, 'message', 'label', 'follow', 'payout', 'upload']),
  'outcome?': z.enum(['done', 'refused', 'not_sent', 'absent', 'adopted', 'closed']).nullable(),
  'status_by?': z.enum(['apply', 'hand']).nullable(),
} as const;

export type ColumnType = keyof typeof CELLS;
type Cells = { readonly [Type in ColumnType]: z.infer<(typeof CELLS)[Type]> };

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Raised with every change of the tables. A state of a higher number is refused. */
export const SCHEMA_VERSION = 1;

/** The workspace of a file or of a branch, which has one. Its rows may go to any workspace. */
export const OWN_WORKSPACE = 'workspace';

const CREATES: readonly string[] = ['campaigns.create', 'broadcasts.create'];
/** What the service is asked for by an activation of a campaign, and by a resume of a broadcast (CAMPAIGN-6, BROADCAST-19). */
const START_TARGETS: readonly string[] = ['active', 'queued'];

const inList = (values: readonly string[]) => `IN (${values.map((value) => `'${value}'`).join(', ')})`;

/** A request that may put messages in front of fans: a create, an activation or a resume. */
export const STARTS = `(operation ${inList(CREATES)} OR coalesce(target, '') ${inList(START_TARGETS)})`;

/** Whether `STARTS` is true of a request. */
export function isStart({ operation, target }: Pick<NewRequest, 'operation' | 'target'>): boolean {
  return CREATES.includes(operation) || START_TARGETS.includes(target ?? '');
}

/** Whether it is about a campaign or a broadcast. The commands that send the others settle them as well. */
export function isAboutObject<Request extends { readonly kind: string }>(
  request: Request,
): request is Request & { readonly kind: Kind } {
  return (KINDS as readonly string[]).includes(request.kind);
}

/** It has no answer. One that is answered, and of which an earlier copy got none, holds back starts only, where they leave. */
export function isUnconfirmed({ outcome }: Pick<RequestRow, 'outcome'>): boolean {
  return outcome === null;
}

/** A pause, an archive or a recall that a person asked for by a command. */
export const STOPS_BY_HAND = `(purpose = 'by_hand' AND kind IN ('campaign', 'broadcast') AND NOT ${STARTS})`;

/** It has no answer yet, or an earlier copy of it got none and its window is not over. */
export const OPEN = '(outcome IS NULL OR unheard_copy = 1)';

/** The columns of each table after the workspace and the service: those of an export. */
export const COLUMNS = {
  request: {
    seq: 'number',
    entry: 'text',
    run: 'text',
    who: 'text?',
    command: 'text',
    operation: 'text',
    // The alias, for people.
    account: 'text',
    account_id: 'text',
    kind: 'any_kind',
    // Empty for what has no name.
    name: 'text',
    live_id: 'text?',
    // The requested status; null for a create and a recall.
    target: 'text?',
    // Why: declared, replace, duplicate, prune or by_hand.
    purpose: 'text?',
    // The digest of the content; for a start of an object, that of the object.
    content: 'text?',
    asked: 'json',
    // The last copy, by the wall clock of the sender: for people, and never compared.
    sent_at: 'number',
    // 1 while a copy without an answer may still take effect.
    unheard_copy: 'flag',
    outcome: 'outcome?',
    ended_at: 'number?',
    answer: 'json?',
    because: 'text?',
  },
  object: {
    account_id: 'text',
    kind: 'kind',
    live_id: 'text',
    name: 'text',
    ours: 'flag',
    protect: 'flag',
    declared_digest: 'text?',
    // Of what the service never returns, with the version of the digest.
    hidden_digest: 'text?',
    // What was read back after the create.
    shown: 'json?',
    // The status that was confirmed last, by whom, why, and by which request.
    status_set: 'text?',
    status_by: 'status_by?',
    status_why: 'text?',
    status_seq: 'number',
    replaced_by: 'text?',
    // The fingerprint of the live difference that it was replaced for.
    replaced_for: 'text?',
    recalled: 'flag',
    first_seq: 'number',
  },
  media: { account_id: 'text', digest: 'text', media_id: 'text' },
  alias: { alias: 'text', account_id: 'text' },
} as const satisfies Record<string, Readonly<Record<string, ColumnType>>>;

export type Table = keyof typeof COLUMNS;
export const TABLES = Object.keys(COLUMNS) as readonly Table[];

/** How a request ended. A request without an outcome is unconfirmed. */
export type Outcome = NonNullable<Cells['outcome?']>;

type Row<Columns extends Readonly<Record<string, ColumnType>>> = {
  readonly [Name in keyof Columns]: Cells[Columns[Name]];
};

export type RequestRow = Row<typeof COLUMNS.request>;

/** A request as it is recorded right before its first byte leaves. What is left out is null. */
export type NewRequest = Pick<
  RequestRow,
  'command' | 'operation' | 'account' | 'account_id' | 'kind' | 'name'
> &
  Partial<Pick<RequestRow, 'live_id' | 'target' | 'purpose' | 'content'>> & {
    /** What was wanted, and what is needed to find out later how it ended. */
    readonly asked?: unknown;
  };

/** A request that may still take effect. */
export type OpenRequest = RequestRow & {
  /** How long this process has known its last copy: no clock of another process is compared. */
  readonly known_ms: number;
};

/** One row of the table `object`: what Herald knows of an object of the service. */
export type ObjectRow = Row<typeof COLUMNS.object>;

type MediaRow = Row<typeof COLUMNS.media>;
type AliasRow = Row<typeof COLUMNS.alias>;

export type ObjectKey = Pick<ObjectRow, 'account_id' | 'kind' | 'live_id'>;

/** What may be learned of an object. A key that is left out stays as it is. */
export type ObjectNews = ObjectKey &
  Pick<ObjectRow, 'name'> &
  Partial<Omit<ObjectRow, 'status_set' | 'status_by' | 'status_why' | 'status_seq' | 'first_seq'>>;

/** A fact that is recorded together with the end of a request, or alone. */
export type Fact =
  | { readonly kind: 'object'; readonly object: ObjectNews }
  /** A confirmed status. An older request than the one that set the last status changes nothing. */
  | {
      readonly kind: 'status';
      readonly object: ObjectKey & Pick<ObjectRow, 'name'>;
      readonly status: string;
      readonly by: 'apply' | 'hand';
      readonly why: string | null;
      /** The request that set it; null for a status that was only seen. */
      readonly seq: number | null;
    }
  | ({ readonly kind: 'media' } & MediaRow)
  | ({ readonly kind: 'alias' } & AliasRow)
  /** The window of the last copy without an answer is over. With `sent_at`, only if none has left after that one. */
  | { readonly kind: 'window-over'; readonly entry: string; readonly sent_at?: number };

/** What a start must not overlook, checked in the transaction that records it. */
export interface StartCheck {
  /** Stops by hand after this number count: the last one that the plan knew. */
  readonly after_seq: number;
  /** The other name of a resource with `renamed_from`; null without. */
  readonly other_name: string | null;
}

export type Hindrance =
  | { readonly kind: 'lease-lost' }
  | { readonly kind: 'stopped-by-hand'; readonly request: RequestRow }
  | { readonly kind: 'open-start'; readonly request: RequestRow }
  /** A stop or a recall of the object has no answer yet. */
  | { readonly kind: 'open-stop'; readonly request: RequestRow }
  /** Another payout of the account has no answer yet. */
  | { readonly kind: 'open-payout'; readonly request: RequestRow }
  /** The request has ended meanwhile: by a person, or by another run. */
  | { readonly kind: 'ended' };

/** The answer to `begin` and `repeat`. */
export type Begun =
  | { readonly kind: 'begun'; readonly entry: string; readonly seq: number }
  | { readonly kind: 'refused'; readonly hindrance: Hindrance };

export interface Known {
  readonly objects: readonly ObjectRow[];
  /** Media ids by account id and digest. */
  readonly media: readonly MediaRow[];
  readonly aliases: readonly AliasRow[];
  /** The last number that is given: stops by hand after it are news. */
  readonly seq: number;
  /** True after an import, an unlock or a lost state, until a run has waited for one window. */
  readonly isCut: boolean;
}

export const NOTHING_KNOWN: Known = { objects: [], media: [], aliases: [], seq: 0, isCut: false };

/** What ended requests still say about the objects of some accounts. */
export interface Past {
  /** When each status on record was confirmed, in epoch milliseconds by the clock that is ahead, by the number of its request. */
  readonly statusTimes: ReadonlyMap<number, number>;
  /** Recalls (`target` is null) and resumes that the service refused. */
  readonly refused: readonly Pick<RequestRow, 'account_id' | 'kind' | 'live_id' | 'target' | 'answer'>[];
}

/** Which requests `history` returns, newest first. */
export interface HistoryFilter {
  readonly address?: Pick<RequestRow, 'account_id' | 'kind' | 'name'>;
  readonly account_id?: string;
  readonly entry?: string;
  /** Requests before this number, for the next page. */
  readonly before_seq?: number;
  readonly limit: number;
}
