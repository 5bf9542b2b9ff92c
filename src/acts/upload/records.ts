import type { Reply } from '../../api/catalogue.ts';
import type { Client } from '../../api/client.ts';
import type { Problem } from '../../api/errors.ts';
import { type ListInput, readWhole } from '../../api/pages.ts';
import { compareText } from '../../domain/diagnostic.ts';
import type { AccountId, FanId, MediaId, UploadId } from '../../domain/ids.ts';
import type { WithStatus } from '../../domain/status.ts';
import type { Fact } from '../../state/shapes.ts';

export type UploadRecord = Reply<'vault.upload-export'>;

/** The result of an upload. Null while it continues, or if it is unknown. */
export type UploadEnd = 'exported' | 'failed' | 'unprocessable' | null;

interface UploadTraits {
  /** Only during an export. */
  readonly isExport: boolean;
  readonly end: UploadEnd;
  /** It continues by itself, so there is nothing to retry. */
  readonly moves: boolean;
}

/** Of an upload that was only started, and of each status that is missing or not documented: it does not prove an export. */
const STARTED: UploadTraits = { isExport: false, end: null, moves: false };

/** The traits of each documented status (VAULT-12). */
const TRAITS: ReadonlyMap<string | null | undefined, UploadTraits> = new Map([
  ['uploaded', STARTED],
  ['processing', { isExport: true, end: null, moves: true }],
  ['processed', { isExport: true, end: null, moves: false }],
  ['exporting', { isExport: true, end: null, moves: true }],
  ['exported', { isExport: true, end: 'exported', moves: false }],
  ['failed', { isExport: true, end: 'failed', moves: false }],
  ['unprocessable', { isExport: true, end: 'unprocessable', moves: false }],
]);

export function readTraits({ status }: WithStatus): UploadTraits {
  return TRAITS.get(status) ?? STARTED;
}

/** All uploads of an account: unfinished ones are listed only with `expired` (VAULT-13). */
export function listOfUploads(accountId: AccountId): ListInput<'vault.uploads'> {
  return { params: { account_id: accountId }, query: { expired: true } };
}

/** Normally at most one. The oldest first, but a failed one never before one that may be a media. */
export async function recordsOfKey(
  client: Client,
  accountId: AccountId,
  key: string,
): Promise<readonly UploadRecord[]> {
  const isOfKey = ({ metadata }: UploadRecord) => metadata?.key === key;
  return (await readWhole(client, 'vault.uploads', listOfUploads(accountId), isOfKey)).toSorted(
    (left, right) =>
      Number(hasFailed(left)) - Number(hasFailed(right)) ||
      compareText(left.created_at ?? '', right.created_at ?? ''),
  );
}

/** Will not become a media any more. */
function hasFailed(record: UploadRecord): boolean {
  const { end } = readTraits(record);
  return end === 'failed' || end === 'unprocessable';
}

/**
 * What a record of our key says about the export of it. The service lists the type of an export. A record without one,
 * without a media and in no later state than `uploaded` is an upload that was only started (VAULT-13).
 */
export function kindOfRecord(record: UploadRecord): 'export' | 'start' {
  const { media_id: mediaId, metadata } = record;
  if (mediaId != null || (metadata != null && typeof metadata['export_type'] === 'string')) return 'export';
  return readTraits(record).isExport ? 'export' : 'start';
}

/** Assumed: `failed` and `unprocessable` may be reached from any state (VAULT-12). */
export function readEnd(record: UploadRecord): UploadEnd {
  const { end } = readTraits(record);
  return end === 'exported' && record.media_id == null ? null : end;
}

/** The key is not accepted, or may not do this: no new start helps it. */
export function isDenied({ status }: Problem): boolean {
  return status === 401 || status === 403;
}

/**
 * How far an upload came.
 *
 * | outcome       | the media is in the vault | what it means                                                |
 * |---------------|---------------------------|--------------------------------------------------------------|
 * | exported      | yes                       | uploaded now                                                 |
 * | already       | yes                       | the same bytes were uploaded before; nothing was sent        |
 * | accepted      | not yet                   | the service has it, and Herald did not wait for the end      |
 * | pending       | not yet                   | the wait ran out before the end                              |
 * | failed        | no                        | it may be uploaded again                                     |
 * | unprocessable | no                        | the service cannot use these bytes: no repeat helps          |
 * | unknown       | not known                 | an answer was lost, and the list of uploads did not tell     |
 * | not_attempted | no                        | nothing was exported: interrupted, or it takes --again       |
 */
export const UPLOAD_OUTCOMES = [
  'exported',
  'already',
  'accepted',
  'pending',
  'failed',
  'unprocessable',
  'unknown',
  'not_attempted',
] as const;
export type UploadOutcome = (typeof UPLOAD_OUTCOMES)[number];

export interface UploadResult {
  readonly outcome: UploadOutcome;
  readonly uploadId: UploadId | null;
  readonly mediaId: MediaId | null;
  /** The service's word for the state of the upload, as it was last read. */
  readonly status: string | null;
  /** What happened and what to do, as sentences; empty where there is nothing to say. */
  readonly message: string;
  /** The service refused the key or what it asked for: no other upload would succeed. */
  readonly denied?: boolean;
}

export function makeResult(
  outcome: UploadOutcome,
  message: string,
  known: Partial<UploadResult> = {},
): UploadResult {
  return { uploadId: null, mediaId: null, status: null, ...known, outcome, message };
}

/** An export that the service has accepted. */
export interface Exported {
  readonly outcome: null;
  readonly record: UploadRecord;
  readonly key: string;
  /** What to record when its media is known. */
  readonly mediaFacts: (mediaId: MediaId) => readonly Fact[];
  /** These bytes were exported before; nothing was uploaded now. */
  readonly isEarlier: boolean;
  /** An export of this key was lost before and sent once more: one that takes effect late makes a second media. */
  readonly isRepeated: boolean;
  /** Why the state does not have its end. */
  readonly unrecorded: string | null;
}

/** Exports of one key that were carried out twice make two media (LOST-17, FAULT-12). */
export function warnOfSecondCopy(
  onWarning: (sentence: string) => void,
  { id }: UploadRecord,
  records: readonly UploadRecord[],
): void {
  const others = records.filter(
    (record) => record.id !== id && kindOfRecord(record) === 'export' && !hasFailed(record),
  );
  if (others.length === 0) return;
  onWarning(
    `The vault has ${others.length + 1} uploads with the same key. Herald waits for ${id}; ${others.map((other) => other.id).join(', ')} may be a second copy of the media.`,
  );
}

/** Asks the service for the id of a fan, given a link to the platform. This only looks it up, so it may be repeated. */
export async function verifyFan(client: Client, accountId: AccountId, link: string): Promise<FanId> {
  const call = { params: { account_id: accountId }, body: { fan_link: link } };
  return (await client.read('vault.verify-fan', call)).fan_id;
}
