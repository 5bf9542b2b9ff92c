import { groupBy } from '../../domain/group-by.ts';
import type { MediaId } from '../../domain/ids.ts';
import type { MediaFile } from '../../domain/message.ts';
import type { Known } from '../../state/shapes.ts';

/** Whether a live media holds the bytes of a file. */
type MediaVerdict = 'same' | 'other' | 'unknown';

/** Asked for each file that is declared, with the id of the live media in its place. */
export type CompareMedia = (file: MediaFile, liveId: MediaId) => MediaVerdict;

/** Digests of uploaded files, by account id and media id. One media may stand for several: each purpose has its own. */
export type MediaDigests = ReadonlyMap<string, readonly string[]>;

export function indexMedia(media: Known['media']): MediaDigests {
  const rows = groupBy(media, (one) => `${one.account_id}/${one.media_id}`);
  return new Map([...rows].map(([key, own]) => [key, own.map(({ digest }) => digest)]));
}

/**
 * A reply shows media by id only, so the uploads on record decide. Without them, Herald does not decide: a lost state must
 * not send anything a second time.
 *
 * | the live id                                                   | verdict                   |
 * |---------------------------------------------------------------|---------------------------|
 * | was uploaded from these bytes, or sent for them by the create | same                      |
 * | was uploaded from other bytes, or sent for them by the create | other: the file changed   |
 * | is not known, and these bytes were sent under another id      | other: someone changed it |
 * | is not known, and it is not known what was sent               | unknown                   |
 */
export function mediaJudge(
  accountId: string,
  sent: Readonly<Record<string, string>>,
  media: MediaDigests,
): CompareMedia {
  return ({ digest }, liveId) => {
    const asSent = Object.hasOwn(sent, liveId) ? sent[liveId] : undefined;
    const prints = [
      ...(asSent === undefined ? [] : [asSent]),
      ...(media.get(`${accountId}/${liveId}`) ?? []),
    ];
    if (prints.includes(digest)) return 'same';
    if (prints.length > 0) return 'other';
    return Object.values(sent).includes(digest) ? 'other' : 'unknown';
  };
}
