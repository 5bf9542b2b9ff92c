import type { Cells, ColumnType } from './cells.ts';
import type { COLUMNS } from './schema.ts';

/**
 * The rows of the state as the database has them, and what a caller hands in. Columns keep their spelling. A number is at most
 * 2^53; an id of the service is text.
 */

/** How a request ended. A request without an outcome is unconfirmed. */
export type Outcome = NonNullable<Cells['outcome?']>;

type RowOf<Columns extends Readonly<Record<string, ColumnType>>> = {
  readonly [Name in keyof Columns]: Cells[Columns[Name]];
};

/** One row of the table `request`. */
export type RequestRow = RowOf<typeof COLUMNS.request>;

/** A request as it is recorded right before its first byte leaves. */
export type NewRequest = Omit<RequestRow, 'asked' | RecordedLater> & {
  /** What was wanted, and what is needed to find out later how it ended. */
  readonly asked: unknown;
};
type RecordedLater =
  | 'seq'
  | 'entry'
  | 'run'
  | 'who'
  | 'sent_at'
  | 'unheard_copy'
  | 'outcome'
  | 'ended_at'
  | 'answer'
  | 'because';

/** A request that may still take effect. */
export type OpenRequest = RequestRow & {
  /** How long this process has known its last copy: no clock of another process is compared. */
  readonly known_ms: number;
};

/** One row of the table `object`: what Herald knows of an object of the service. */
export type ObjectRow = RowOf<typeof COLUMNS.object>;

/** An object's key. */
export type ObjectKey = Pick<ObjectRow, 'account_id' | 'kind' | 'live_id'>;

/** What may be learned of an object. A key that is left out stays as it is. */
export type ObjectNews = ObjectKey &
  Pick<ObjectRow, 'name'> &
  Partial<Omit<ObjectRow, StatusKey | 'first_seq'>>;
type StatusKey = 'status_set' | 'status_by' | 'status_why' | 'status_seq';

/** A fact that is recorded together with the end of a request, or alone. */
export type Fact =
  | { readonly kind: 'object'; readonly object: ObjectNews }
  /** A confirmed status. An older request than the one that set the last status changes nothing. */
  | ({
      readonly kind: 'status';
      readonly object: ObjectKey & Pick<ObjectRow, 'name'>;
    } & Required<{ readonly status: string; readonly by: 'apply' | 'hand'; readonly why: string | null }> & {
        /** The request that set it; null for a status that was only seen. */
        readonly seq: number | null;
      })
  | {
      readonly kind: 'media';
      readonly account_id: string;
      readonly digest: string;
      readonly media_id: string;
    }
  | { readonly kind: 'alias'; readonly alias: string; readonly account_id: string }
  /** The window of the last copy without an answer is over. */
  | { readonly kind: 'window-over'; readonly entry: string };

/** What a start must not overlook, checked in the transaction that records it. */
export interface StartCheck {
  /** Stops by hand after this number count: the last one that the plan knew. */
  readonly after_seq: number;
  /** The other name of a resource with `renamed_from`; null without. */
  readonly other_name: string | null;
}

/** Why nothing may be sent. */
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
  | {
      readonly kind: 'begun';
      readonly entry: string;
      readonly seq: number;
      /** For a stop: starts of its name or object that may still take effect after it, so that it has to be repeated. */
      readonly open_starts: readonly RequestRow[];
    }
  | { readonly kind: 'refused'; readonly hindrance: Hindrance };

/** What is known of the accounts of a plan. */
export interface Known {
  readonly objects: readonly ObjectRow[];
  /** Media ids by account id and digest. */
  readonly media: readonly {
    readonly account_id: string;
    readonly digest: string;
    readonly media_id: string;
  }[];
  readonly aliases: readonly { readonly alias: string; readonly account_id: string }[];
  /** The last number that is given: stops by hand after it are news. */
  readonly seq: number;
  /** True after an import, an unlock or a lost state, until a run has waited for one window. */
  readonly isCut: boolean;
}

/** What ended requests still say about the objects of some accounts. */
export interface Past {
  /** When each request left that set a status on record, in epoch milliseconds of the sender, by its number. */
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
