import type { AccountId, MediaId } from '../../domain/ids.ts';
import type { KnownContent } from '../../domain/knowledge.ts';
import { mediaKey, type MediaOnRecord } from '../../domain/media.ts';
import type { MediaFile } from '../../domain/message.ts';

/** Whether a live media holds the bytes of a file. */
type MediaVerdict = 'same' | 'other' | 'unknown';

/** Asked for each file that is declared, with the id of the media that stands in its place. */
export type CompareMedia = (file: MediaFile, liveId: MediaId) => MediaVerdict;

/** Where nothing is known of any upload. */
export const UNKNOWN_MEDIA: CompareMedia = () => 'unknown';

/**
 * A reply shows media by id only, so the ledger's uploads decide. Without the ledger, Herald does not decide: a lost ledger
 * must not send anything a second time.
 *
 * | the live id                                                   | verdict                  |
 * |---------------------------------------------------------------|--------------------------|
 * | was uploaded from these bytes, or sent for them by the create | same                     |
 * | was uploaded from other bytes, or sent for them by the create | other: the file changed  |
 * | is not known, and these bytes were sent under another id      | other: someone changed it |
 * | is not known, and it is not known what was sent               | untold                   |
 */
export function mediaJudge(
  accountId: AccountId,
  known: Pick<KnownContent, 'media'> | null,
  media: MediaOnRecord,
): CompareMedia {
  const sent = known?.media ?? {};
  return ({ digest }, liveId) => {
    const prints = [sent[liveId], media.get(mediaKey(accountId, liveId))].filter(
      (print) => print !== undefined,
    );
    if (prints.includes(digest)) return 'same';
    // A fingerprint of another kind, as an earlier version made it, says nothing about this one.
    if (prints.some((print) => kindOf(print) === kindOf(digest))) return 'other';
    return Object.values(sent).includes(digest) ? 'other' : 'unknown';
  };
}

function kindOf(print: string): string {
  return print.slice(0, print.indexOf(':'));
}
