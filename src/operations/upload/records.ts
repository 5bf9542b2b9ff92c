import { endOf, type UploadRecord } from '../../live/uploads.ts';
import type { Conclusion } from '../../ledger/ledger.ts';
import { conclusion } from '../../requests/conclusion.ts';

/**
 * The end of an upload, for the ledger; null while it has none. One that failed stands for nothing any more; one that
 * the service could not use stands for its bytes: they would fail again.
 */
export function conclusionOf(record: UploadRecord): Conclusion | null {
  const { id, media_id: mediaId } = record;
  switch (endOf(record)) {
    case 'exported':
      return conclusion('done', `media ${mediaId ?? ''}`, mediaId ?? null);
    case 'failed':
      return conclusion('refused', `upload ${id} failed`);
    case 'unprocessable':
      return { ...conclusion('done', `upload ${id} is unprocessable`), unprocessable: id };
    case null:
      return null;
  }
}
