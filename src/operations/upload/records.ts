import type { Client } from '../../api/client.ts';
import { readPages } from '../../api/pages/read-pages.ts';
import { compareText } from '../../domain/diagnostic.ts';
import type { UploadPorts, UploadRecord } from './upload.ts';

/**
 * The account's upload records, page by page. Unfinished ones are listed only with `expired` (service-api.md,
 * Upload flow 1), and none may be missed.
 */
export function uploadPages(
  client: Client,
  accountId: string,
): AsyncGenerator<readonly UploadRecord[], void> {
  return readPages(client, 'vault.uploads', { params: { account_id: accountId }, query: { expired: true } });
}

/**
 * All records of one key: there should be one at most. The oldest first, but of those that came to nothing none before
 * one that may be a media.
 */
export async function recordsOfKey(
  client: Client,
  accountId: string,
  key: string,
): Promise<readonly UploadRecord[]> {
  const found: UploadRecord[] = [];
  for await (const page of uploadPages(client, accountId))
    found.push(...page.filter((record) => record.metadata?.key === key));
  return found.toSorted(
    (left, right) =>
      Number(isDead(left)) - Number(isDead(right)) ||
      compareText(left.created_at ?? '', right.created_at ?? ''),
  );
}

/** Comes to no media any more. */
export function isDead({ status }: UploadRecord): boolean {
  return status === 'failed' || status === 'unprocessable';
}

/**
 * What a record of our key says about the export of it. The service names no state before `uploaded`, which an
 * export begins with, and says that an export's type is listed (service-api.md, Vault media upload).
 * Assumed: an upload whose addresses lapsed is listed without a status, or with a word of its own (N50).
 *
 * | media, type or a later state | status     | it is               |
 * |------------------------------|------------|---------------------|
 * | one of them                  | any        | an export           |
 * | none                         | `uploaded` | perhaps an export   |
 * | none                         | any other  | a start             |
 */
export function kindOfRecord({
  status,
  media_id: mediaId,
  metadata,
}: UploadRecord): 'export' | 'perhaps' | 'start' {
  if (mediaId != null || (metadata != null && typeof metadata['export_type'] === 'string')) return 'export';
  if (LATER_STATES.has(status ?? '')) return 'export';
  return status === 'uploaded' ? 'perhaps' : 'start';
}

/** Certainly an export, and one that has not come to nothing. */
export function mayBeMedia(record: UploadRecord): boolean {
  return kindOfRecord(record) === 'export' && !isDead(record);
}

const LATER_STATES: ReadonlySet<string> = new Set([
  'processing',
  'processed',
  'exporting',
  'exported',
  'failed',
  'unprocessable',
]);

/** The record of one upload; null when the list does not show it. */
export async function recordOfId(
  client: Client,
  accountId: string,
  id: string,
): Promise<UploadRecord | null> {
  for await (const page of uploadPages(client, accountId)) {
    const found = page.find((record) => record.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

/** When to look for what a lost request may have done, in milliseconds after it left (rulebook 1.2.4). */
const LOOKS_MS = [2_000, 5_000, 10_000, 20_000, 40_000];

/** Absence has to show in as many complete readings begun after the window (rulebook 0.6). */
const LAST_LOOKS = 2;

/** When a request left. */
export interface Left {
  /** By the wall clock of the machine that sent it. */
  readonly atMs: number;
  /** A moment before it by the monotonic clock of this process, where this process sent it; null otherwise. */
  readonly afterMs: number | null;
}

/**
 * Looks again and again for what a lost request may have done. Presence counts at once; null means that it was
 * absent from two complete readings begun when it could no longer be carried out. Rejects when a reading fails,
 * or with the signal's reason: then nobody knows. A wall clock that jumps ahead makes nothing older than this
 * process knows it to be.
 */
export async function lookUntilSettled<Found>(
  { clock, settleMs, interrupted }: Pick<UploadPorts, 'clock' | 'settleMs' | 'interrupted'>,
  { atMs, afterMs }: Left,
  look: () => Promise<Found | null>,
): Promise<Found | null> {
  const moments = [
    ...LOOKS_MS.filter((ms) => ms < settleMs),
    ...Array<number>(LAST_LOOKS).fill(settleMs + 1),
  ];
  const hereMs = clock.monotonicMs();
  const begunMs = Math.min(
    Math.max(0, clock.now() - atMs),
    afterMs === null ? Number.POSITIVE_INFINITY : hereMs - afterMs,
  );
  const ageMs = () => begunMs + clock.monotonicMs() - hereMs;
  for (const [index, moment] of moments.entries()) {
    const isLast = moment > settleMs;
    // After a crash some moments have long passed; one look stands for all of them.
    if (!isLast && index > 0 && moment <= begunMs) continue;
    const left = Math.min(moment - ageMs(), settleMs + 1);
    if (left > 0) await clock.sleep(left, interrupted);
    const found = await look();
    if (found !== null) return found;
  }
  return null;
}
