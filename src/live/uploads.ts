import type { Reply } from '../api/catalogue.ts';
import type { Client } from '../api/client.ts';
import { readPages } from '../api/pages/read-pages.ts';
import { compareText } from '../domain/diagnostic.ts';
import type { AccountId } from '../domain/ids.ts';
import { UPLOAD_TRAITS, uploadStatusOf } from '../domain/upload-status.ts';

export type UploadRecord = Reply<'vault.upload-export'>;

/**
 * The account's upload records, page by page. Unfinished ones are listed only with `expired` (VAULT-13), and none may be
 * missed.
 */
export function uploadPages(
  client: Client,
  accountId: AccountId,
): AsyncGenerator<readonly UploadRecord[], void> {
  return readPages(client, 'vault.uploads', { params: { account_id: accountId }, query: { expired: true } });
}

/**
 * All records of one key; there should be at most one. The oldest first, but a failed one never comes before one that
 * may be a media.
 */
export async function recordsOfKey(
  client: Client,
  accountId: AccountId,
  key: string,
): Promise<readonly UploadRecord[]> {
  const found: UploadRecord[] = [];
  for await (const page of uploadPages(client, accountId))
    found.push(...page.filter((record) => record.metadata?.key === key));
  return found.toSorted(
    (left, right) =>
      Number(hasFailed(left)) - Number(hasFailed(right)) ||
      compareText(left.created_at ?? '', right.created_at ?? ''),
  );
}

/** Will not become a media any more. */
export function hasFailed(record: UploadRecord): boolean {
  const { end } = UPLOAD_TRAITS[uploadStatusOf(record)];
  return end === 'failed' || end === 'unprocessable';
}

/**
 * What a record of our key says about the export of it. The service lists the type of an export. A record without one,
 * without a media and in no later state than `uploaded` is an upload that was only started (VAULT-13).
 */
export function kindOfRecord(record: UploadRecord): 'export' | 'start' {
  const { media_id: mediaId, metadata } = record;
  if (mediaId != null || (metadata != null && typeof metadata['export_type'] === 'string')) return 'export';
  return UPLOAD_TRAITS[uploadStatusOf(record)].isExport ? 'export' : 'start';
}

/** Certainly an export, and not failed. */
export function mayBeMedia(record: UploadRecord): boolean {
  return kindOfRecord(record) === 'export' && !hasFailed(record);
}

/** The record of one upload; null when the list does not show it. */
export async function recordOfId(
  client: Client,
  accountId: AccountId,
  id: string,
): Promise<UploadRecord | null> {
  for await (const page of uploadPages(client, accountId)) {
    const found = page.find((record) => record.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

/** Assumed: `failed` and `unprocessable` may be reached from any state (VAULT-12). */
export function endOf(record: UploadRecord): 'exported' | 'failed' | 'unprocessable' | null {
  const { end } = UPLOAD_TRAITS[uploadStatusOf(record)];
  return end === 'exported' && record.media_id == null ? null : end;
}
