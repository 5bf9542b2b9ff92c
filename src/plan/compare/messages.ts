import { canonical } from '../../domain/digest.ts';
import { isSet } from '../live-defaults.ts';
import { wishesWords } from '../../domain/media-wishes.ts';
import { isStoredAs, plainText } from '../../domain/text.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { MediaId } from '../../domain/ids.ts';
import { isFileAttachment } from '../../domain/media.ts';
import type { DeclaredAttachment, DeclaredMessage, MediaFile } from '../../domain/message.ts';
import type { ObservedMessage } from '../../domain/replies.ts';
import type { Known } from '../../state/shapes.ts';
import type { Findings } from './audience.ts';

export type AnyMessage = DeclaredMessage | ObservedMessage;

interface Field {
  readonly key:
    'text' | 'price_gross' | 'delay_sec' | 'attachments' | 'text_is_paid' | 'tagged_platform_account_ids';
  /** Compared even where the file leaves it to its default: what a fan reads and pays. */
  readonly isAlways?: true;
  /** The value in the form in which it is compared and digested. Null if a digest does not have it. */
  readonly read: ((message: AnyMessage) => unknown) | null;
  /** Unless equal means equal forms. */
  readonly isSame?: (wanted: DeclaredMessage, got: ObservedMessage, mediaIs: CompareMedia) => boolean;
  /** How plans show it, unless as it is. */
  readonly show?: (message: AnyMessage) => unknown;
}

/** Everything that is compared of a message, in the order in which plans show it. */
const FIELDS: readonly Field[] = [
  { key: 'text', isAlways: true, read: ({ text }) => plainText(text), isSame: hasSameText },
  {
    key: 'price_gross',
    isAlways: true,
    // In cents: 9.9, 9.90 and 9.900000001 are one price.
    read: ({ price_gross: price }) => Math.round((price ?? 0) * 100),
    show: ({ price_gross: price }) => price ?? 0,
  },
  { key: 'delay_sec', read: ({ delay_sec: delay }) => delay ?? 0 },
  {
    key: 'attachments',
    isAlways: true,
    // Without ids: a file has none before it is uploaded.
    read: ({ attachments }) => attachments?.length ?? 0,
    isSame: hasSameAttachments,
    show: describeAttachments,
  },
  {
    key: 'text_is_paid',
    // A reply may leave it out.
    read: null,
    isSame: (wanted, got) => isSameFlag(wanted.text_is_paid ?? false, got.text_is_paid),
  },
  {
    key: 'tagged_platform_account_ids',
    read: listTags,
    show: (message) => listTags(message).join(', ') || 'none',
  },
];

function showField({ key, show }: Field, message: AnyMessage): unknown {
  return show === undefined ? (message[key] ?? null) : show(message);
}

/** What a digest has of a message. */
export function readMessage(message: AnyMessage): readonly unknown[] {
  return FIELDS.flatMap(({ read }) => (read === null ? [] : [read(message)]));
}

/** Messages are a sequence: compared one by one in the order of `step`. */
export function compareMessages(
  declared: readonly DeclaredMessage[],
  observed: readonly ObservedMessage[],
  mediaIs: CompareMedia,
): Findings {
  const live = inOrder(observed);
  const count = { path: 'messages.length', old: live.length, new: declared.length };
  const found = Array.from({ length: Math.max(declared.length, live.length) }, (_, index) =>
    compareMessage(declared[index], live[index], `messages[${index}]`, mediaIs),
  );
  const fields = found.flatMap((one) => one.fields);
  return {
    fields: live.length === declared.length ? fields : [count, ...fields],
    unverifiable: found.flatMap(({ unverifiable }) => unverifiable),
  };
}

function compareMessage(
  wanted: DeclaredMessage | undefined,
  got: ObservedMessage | undefined,
  path: string,
  mediaIs: CompareMedia,
): Findings {
  if (wanted === undefined || got === undefined) {
    const added = messageEntries(wanted ?? {}).map(([key, value]) => ({ key, old: null, new: value }));
    const removed = messageEntries(got ?? {})
      .filter(([, value]) => isSet(value) && value !== NO_MEDIA)
      .map(([key, value]) => ({ key, old: value, new: null }));
    const fields = [...added, ...removed].map(({ key, ...values }) => ({
      path: `${path}.${key}`,
      ...values,
    }));
    return { fields, unverifiable: [] };
  }
  const differing = FIELDS.filter(({ key, isAlways, read, isSame }) => {
    if (isAlways !== true && wanted[key] === undefined) return false;
    if (isSame !== undefined) return !isSame(wanted, got, mediaIs);
    return canonical(read?.(wanted)) !== canonical(read?.(got));
  });
  // Files that may differ from the live media. Everything else about the media is equal.
  const unverifiable = (wanted.attachments ?? []).flatMap((attachment, place) => {
    const id = got.attachments?.[place]?.id;
    const isUntold =
      id !== undefined && isFileAttachment(attachment) && mediaIs(attachment.file, id) === 'unknown';
    return isUntold ? [`${path}.attachments[${place}].file`] : [];
  });
  const fields = differing.map((field) => ({
    path: `${path}.${field.key}`,
    old: showField(field, got),
    new: showField(field, wanted),
  }));
  return { fields, unverifiable };
}

/** By `step` where every message says it, otherwise as listed. */
export function inOrder(observed: readonly ObservedMessage[]): readonly ObservedMessage[] {
  if (observed.some(({ step }) => step === null || step === undefined)) return observed;
  return observed.toSorted((left, right) => (left.step ?? 0) - (right.step ?? 0));
}

/** Every field that a message has, in the order in which plans show them. The attachments are in words. */
export function messageEntries(message: AnyMessage): readonly (readonly [key: string, value: unknown])[] {
  return FIELDS.filter(({ key }) => message[key] !== undefined).map(({ key }) => [
    key,
    key === 'attachments' ? describeAttachments(message) : message[key],
  ]);
}

function hasSameText({ text: wanted }: DeclaredMessage, { text: got }: ObservedMessage): boolean {
  return wanted === got || plainText(wanted) === plainText(got) || isStoredAs(wanted ?? '', got ?? '');
}

function listTags({ tagged_platform_account_ids: ids }: AnyMessage): readonly string[] {
  return [...new Set(ids)].toSorted();
}

/** A flag that the reply leaves out is unknown, not false (CONTENT-21). */
function isSameFlag(wanted: boolean, got: boolean | null | undefined): boolean {
  return got === null || got === undefined || wanted === got;
}

function hasSameAttachments(wanted: DeclaredMessage, got: ObservedMessage, mediaIs: CompareMedia): boolean {
  const [wantedList, gotList] = [wanted.attachments ?? [], got.attachments ?? []];
  return (
    wantedList.length === gotList.length &&
    wantedList.every((attachment, index) => {
      const live = gotList[index];
      if (live === undefined) return false;
      // Unknown media are not a difference.
      const isMedia = isFileAttachment(attachment)
        ? mediaIs(attachment.file, live.id) !== 'other'
        : attachment.id === live.id;
      const isType = live.type === null || live.type === undefined || live.type === attachment.type;
      return isMedia && isType && isSameFlag(attachment.is_paid ?? false, live.is_paid);
    })
  );
}

const NO_MEDIA = 'none';

/** Attachments by id, or by file and what it holds, with their types, the paid ones marked. */
function describeAttachments({ attachments }: AnyMessage): string {
  const words = (attachments ?? []).map(
    (one: DeclaredAttachment | NonNullable<ObservedMessage['attachments']>[number]) => {
      const name = 'id' in one ? one.id : describeFile(one.file);
      return `${name}${one.type == null ? '' : ` ${one.type}`}${one.is_paid === true ? ' (paid)' : ''}`;
    },
  );
  return words.length === 0 ? NO_MEDIA : words.join(', ');
}

/** With the beginning of its fingerprint: of two versions of a file, both are named. */
function describeFile({ path, digest, wishes }: MediaFile): string {
  const named = `${path} [${digest.slice(digest.indexOf(':') + 1).slice(0, 8)}]`;
  const words = wishesWords(wishes);
  return words === '' ? named : `${named} {${words}}`;
}

/** Whether a live media holds the bytes of a file. */
type MediaVerdict = 'same' | 'other' | 'unknown';

/** Asked for each file that is declared, with the id of the live media in its place. */
type CompareMedia = (file: MediaFile, liveId: MediaId) => MediaVerdict;

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
