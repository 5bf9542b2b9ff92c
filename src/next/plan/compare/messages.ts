import { wishesWords } from '../../../domain/media-wishes.ts';
import type { FieldDifference } from '../../../domain/change.ts';
import type { MediaId } from '../../../domain/ids.ts';
import { isFileAttachment } from '../../../domain/media.ts';
import type { DeclaredAttachment, DeclaredMessage, MediaFile } from '../../../domain/message.ts';
import type { ObservedMessage } from '../../../domain/replies.ts';
import { UNKNOWN_MEDIA, type CompareMedia } from './media.ts';
import { plainText } from '../../../domain/plain-text.ts';
import { isStoredAs } from '../../../domain/stored-text.ts';
import { sameMoney } from './normalise.ts';

/**
 * Messages are a sequence: compared one by one in the order of `step`. What a fan reads and pays
 * (text, price, attachments) is compared even where the file leaves it to its default;
 * everything else only where the file says it.
 */
export function compareMessages(
  declared: readonly DeclaredMessage[],
  observed: readonly ObservedMessage[],
  mediaIs: CompareMedia = UNKNOWN_MEDIA,
): readonly FieldDifference[] {
  const live = inOrder(observed);
  const count: readonly FieldDifference[] =
    live.length === declared.length
      ? []
      : [{ path: 'messages.length', old: live.length, new: declared.length }];
  const pairs = Array.from({ length: Math.max(live.length, declared.length) }, (_, index) => index);
  return [
    ...count,
    ...pairs.flatMap((index) => comparePair(`messages[${index}]`, declared[index], live[index], mediaIs)),
  ];
}

/** Files that may differ from the live media. Everything else about the media is equal. */
export function unknownMedia(
  declared: readonly DeclaredMessage[],
  observed: readonly ObservedMessage[],
  mediaIs: CompareMedia,
): readonly string[] {
  const live = inOrder(observed);
  return declared.flatMap(({ attachments = [] }, index) =>
    attachments.flatMap((attachment, place) => {
      const got = live[index]?.attachments?.[place];
      const isUntold =
        got !== undefined && isFileAttachment(attachment) && mediaIs(attachment.file, got.id) === 'unknown';
      return isUntold ? [`messages[${index}].attachments[${place}].file`] : [];
    }),
  );
}

/** By `step` where every message says it, otherwise as listed. */
export function inOrder(observed: readonly ObservedMessage[]): readonly ObservedMessage[] {
  if (observed.some(({ step }) => step === null || step === undefined)) return observed;
  return observed.toSorted((left, right) => (left.step ?? 0) - (right.step ?? 0));
}

function comparePair(
  path: string,
  wanted: DeclaredMessage | undefined,
  got: ObservedMessage | undefined,
  mediaIs: CompareMedia,
): readonly FieldDifference[] {
  if (wanted === undefined) return removedMessage(path, got ?? {});
  if (got === undefined)
    return messageEntries(wanted).map(([key, value]) => ({ path: `${path}.${key}`, old: null, new: value }));
  return [
    ...unless(sameText(wanted.text, got.text), () => ({
      path: `${path}.text`,
      old: got.text ?? null,
      new: wanted.text ?? null,
    })),
    ...unless(sameMoney(wanted.price_gross ?? 0, got.price_gross ?? 0), () => ({
      path: `${path}.price_gross`,
      old: got.price_gross ?? null,
      new: wanted.price_gross ?? 0,
    })),
    ...unless(wanted.delay_sec === undefined || wanted.delay_sec === (got.delay_sec ?? 0), () => ({
      path: `${path}.delay_sec`,
      old: got.delay_sec ?? null,
      new: wanted.delay_sec,
    })),
    ...unless(sameAttachments(wanted, got, mediaIs), () => ({
      path: `${path}.attachments`,
      ...attachmentWords(got, wanted),
    })),
    ...unless(sameFlag(wanted.text_is_paid, got.text_is_paid), () => ({
      path: `${path}.text_is_paid`,
      old: got.text_is_paid ?? null,
      new: wanted.text_is_paid,
    })),
    ...compareTags(path, wanted, got),
  ];
}

type AnyMessage = DeclaredMessage | ObservedMessage;

/** Every field that a message has, in the order in which plans show them. The attachments are in words. */
export function messageEntries(message: AnyMessage): readonly (readonly [key: string, value: unknown])[] {
  const { text, price_gross, delay_sec, attachments, text_is_paid, tagged_platform_account_ids } = message;
  const values = {
    text,
    price_gross,
    delay_sec,
    attachments: attachments == null ? undefined : attachmentsOf(message),
    text_is_paid,
    tagged_platform_account_ids,
  };
  return Object.entries(values).filter(([, value]) => value !== undefined);
}

/** Replies carry every default (no price, no delay), and a default that goes is not worth a line. */
function removedMessage(path: string, got: ObservedMessage): readonly FieldDifference[] {
  const lost = messageEntries(got)
    .filter(([, value]) => !isDefault(value))
    .map(([key, value]) => ({ path: `${path}.${key}`, old: value, new: null }));
  // The message itself is gone, even where nothing in it can be shown.
  return lost.length > 0 ? lost : [{ path, old: '(empty)', new: null }];
}

function isDefault(value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return (
    value === null || value === '' || value === 0 || value === false || value === NO_MEDIA || isEmptyList
  );
}

const SAME: readonly FieldDifference[] = [];

/** The words about a difference cost more than the comparison, and most things are the same. */
function unless(same: boolean, differs: () => FieldDifference): readonly FieldDifference[] {
  return same ? SAME : [differs()];
}

function sameText(wanted: string | null | undefined, got: string | null | undefined): boolean {
  return wanted === got || plainText(wanted) === plainText(got) || isStoredAs(wanted ?? '', got ?? '');
}

/** A flag that the reply leaves out is unknown, not false (CONTENT-21). */
function sameFlag(wanted: boolean | undefined, got: boolean | null | undefined): boolean {
  return wanted === undefined || got === null || got === undefined || wanted === got;
}

function sameAttachments(wanted: DeclaredMessage, got: ObservedMessage, mediaIs: CompareMedia): boolean {
  const wantedList = wanted.attachments ?? [];
  const gotList = got.attachments ?? [];
  return (
    wantedList.length === gotList.length &&
    wantedList.every((attachment, index) => {
      const live = gotList[index];
      if (live === undefined || !isMedia(attachment, live.id, mediaIs)) return false;
      const typeKnown = live.type !== null && live.type !== undefined;
      return (
        sameFlag(attachment.is_paid ?? false, live.is_paid) && (!typeKnown || live.type === attachment.type)
      );
    })
  );
}

/** An unknown value is not a difference. */
function isMedia(attachment: DeclaredAttachment, liveId: MediaId, mediaIs: CompareMedia): boolean {
  return isFileAttachment(attachment)
    ? mediaIs(attachment.file, liveId) !== 'other'
    : attachment.id === liveId;
}

type ObservedAttachment = NonNullable<ObservedMessage['attachments']>[number];

const NO_MEDIA = 'none';

/** Attachments by id, or by file and what it holds, the paid ones marked. */
function attachmentsOf({ attachments }: AnyMessage, withTypes = false): string {
  const words = (attachments ?? []).map((attachment: DeclaredAttachment | ObservedAttachment) => {
    const name = 'id' in attachment ? attachment.id : fileWords(attachment.file);
    const type = withTypes ? ` ${attachment.type ?? '(type not shown)'}` : '';
    return attachment.is_paid === true ? `${name}${type} (paid)` : `${name}${type}`;
  });
  return words.length === 0 ? NO_MEDIA : words.join(', ');
}

/** Both sides in words. Types are named only where the rest reads the same: the state keeps the short form. */
function attachmentWords(got: ObservedMessage, wanted: DeclaredMessage): { old: string; new: string } {
  const [old, declared] = [attachmentsOf(got), attachmentsOf(wanted)];
  return old === declared
    ? { old: attachmentsOf(got, true), new: attachmentsOf(wanted, true) }
    : { old, new: declared };
}

/** With the beginning of its fingerprint: of two versions of a file, both are named. */
function fileWords({ path, digest, wishes }: MediaFile): string {
  const named = `${path} [${digest.slice(digest.indexOf(':') + 1).slice(0, 8)}]`;
  const words = wishesWords(wishes);
  return words === '' ? named : `${named} {${words}}`;
}

function compareTags(
  path: string,
  wanted: DeclaredMessage,
  got: ObservedMessage,
): readonly FieldDifference[] {
  const tags = wanted.tagged_platform_account_ids;
  if (tags === undefined) return SAME;
  const [left, right] = [sortedSet(tags), sortedSet(got.tagged_platform_account_ids ?? [])];
  return unless(left === right, () => ({
    path: `${path}.tagged_platform_account_ids`,
    old: right || 'none',
    new: left || 'none',
  }));
}

function sortedSet(ids: readonly string[]): string {
  return [...new Set(ids)].toSorted().join(', ');
}
