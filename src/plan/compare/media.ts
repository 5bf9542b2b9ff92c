import { groupBy } from '../../domain/group-by.ts';
import type { MediaId } from '../../domain/ids.ts';
import { isFileAttachment } from '../../domain/media.ts';
import { type MediaWishes, WISH_KEYS } from '../../domain/media-wishes.ts';
import type { DeclaredAttachment, MediaFile } from '../../domain/message.ts';
import type { ObservedMessage } from '../../domain/replies.ts';
import type { Known } from '../../state/shapes.ts';

export type LiveAttachment = NonNullable<ObservedMessage['attachments']>[number];

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
    const asSent = Object.hasOwn(sent, liveId) ? [sent[liveId]] : [];
    const prints = [...asSent, ...(media.get(`${accountId}/${liveId}`) ?? [])];
    if (prints.includes(digest)) return 'same';
    return prints.length > 0 || Object.values(sent).includes(digest) ? 'other' : 'unknown';
  };
}

/** Equal in order, type and price. Unknown media, and what a reply leaves out, are not a difference (CONTENT-21). */
export function hasSameAttachments(
  wanted: readonly DeclaredAttachment[],
  got: readonly LiveAttachment[],
  mediaIs: CompareMedia,
): boolean {
  return (
    wanted.length === got.length &&
    wanted.every((attachment, index) => {
      const live = got[index];
      if (live === undefined) return false;
      const isMedia = isFileAttachment(attachment)
        ? mediaIs(attachment.file, live.id) !== 'other'
        : attachment.id === live.id;
      const isPaid = live.is_paid == null || live.is_paid === (attachment.is_paid ?? false);
      return isMedia && isPaid && (live.type == null || live.type === attachment.type);
    })
  );
}

/** Places of files that may differ from the live media. */
export function listUntold(
  wanted: readonly DeclaredAttachment[],
  got: readonly LiveAttachment[],
  mediaIs: CompareMedia,
): readonly number[] {
  return wanted.flatMap((attachment, place) => {
    const id = got[place]?.id;
    if (id === undefined || !isFileAttachment(attachment)) return [];
    return mediaIs(attachment.file, id) === 'unknown' ? [place] : [];
  });
}

/** Attachments by id, or by file and what it holds, with their types, the paid ones marked. */
export function describeAttachments(attachments: readonly (DeclaredAttachment | LiveAttachment)[]): string {
  const words = attachments.map((one) => {
    const name = 'id' in one ? one.id : describeFile(one.file);
    return `${name}${one.type == null ? '' : ` ${one.type}`}${one.is_paid === true ? ' (paid)' : ''}`;
  });
  return words.join(', ') || 'none';
}

/** With the beginning of its fingerprint: of two versions of a file, both are named. */
function describeFile({ path, digest, wishes }: MediaFile): string {
  const named = `${path} [${digest.slice(digest.indexOf(':') + 1).slice(0, 8)}]`;
  const words = formatWishes(wishes);
  return words === '' ? named : `${named} {${words}}`;
}

/** In words for a plan: `name hello.jpg, rf_tag 5 6`. Empty if there are none. */
function formatWishes(wishes: MediaWishes | undefined): string {
  return WISH_KEYS.flatMap((key) => {
    const value = wishes?.[key];
    if (value === undefined) return [];
    return `${key} ${typeof value === 'object' ? value.join(' ') : String(value)}`;
  }).join(', ');
}
