import type { FieldDifference } from '../domain/change.ts';
import type { Message, ObservedMessage } from '../domain/message.ts';
import { plainText, sameMoney } from './normalise.ts';

/**
 * Messages are a sequence: compared one by one in the order of `step`. What a fan reads and pays
 * (text, price, attachments) is compared even where the file leaves it to its default;
 * everything else only where the file says it.
 */
export function compareMessages(
  declared: readonly Message[],
  observed: readonly ObservedMessage[],
): readonly FieldDifference[] {
  const live = inOrder(observed);
  const count: readonly FieldDifference[] =
    live.length === declared.length
      ? []
      : [{ path: 'messages.length', old: live.length, new: declared.length }];
  const pairs = Array.from({ length: Math.max(live.length, declared.length) }, (_, index) => index);
  return [
    ...count,
    ...pairs.flatMap((index) => comparePair(`messages[${index}]`, declared[index], live[index])),
  ];
}

/** By `step` where every message says it, otherwise as listed. */
function inOrder(observed: readonly ObservedMessage[]): readonly ObservedMessage[] {
  if (observed.some(({ step }) => step === null || step === undefined)) return observed;
  return observed.toSorted((left, right) => (left.step ?? 0) - (right.step ?? 0));
}

function comparePair(
  path: string,
  wanted: Message | undefined,
  got: ObservedMessage | undefined,
): readonly FieldDifference[] {
  if (wanted === undefined) return [{ path, old: got?.text ?? '(attachments)', new: null }];
  if (got === undefined) return [{ path, old: null, new: wanted.text ?? '(attachments)' }];
  return [
    ...difference(
      `${path}.text`,
      plainText(wanted.text) === plainText(got.text),
      got.text ?? null,
      wanted.text ?? null,
    ),
    ...difference(
      `${path}.price_gross`,
      sameMoney(wanted.price_gross ?? 0, got.price_gross ?? 0),
      got.price_gross ?? null,
      wanted.price_gross ?? 0,
    ),
    ...difference(
      `${path}.delay_sec`,
      wanted.delay_sec === undefined || wanted.delay_sec === (got.delay_sec ?? 0),
      got.delay_sec ?? null,
      wanted.delay_sec,
    ),
    ...difference(
      `${path}.attachments`,
      sameAttachments(wanted, got),
      attachmentsOf(got),
      attachmentsOf(wanted),
    ),
    ...difference(
      `${path}.text_is_paid`,
      sameFlag(wanted.text_is_paid, got.text_is_paid),
      got.text_is_paid ?? null,
      wanted.text_is_paid,
    ),
    ...compareTags(`${path}.tagged_platform_account_ids`, wanted, got),
  ];
}

function difference(path: string, same: boolean, old: unknown, wanted: unknown): readonly FieldDifference[] {
  return same ? [] : [{ path, old, new: wanted }];
}

/** A flag that the reply leaves out is unknown, not false (rulebook 2.10.8). */
function sameFlag(wanted: boolean | undefined, got: boolean | null | undefined): boolean {
  return wanted === undefined || got === null || got === undefined || wanted === got;
}

function sameAttachments(wanted: Message, got: ObservedMessage): boolean {
  const wantedList = wanted.attachments ?? [];
  const gotList = got.attachments ?? [];
  return (
    wantedList.length === gotList.length &&
    wantedList.every((attachment, index) => {
      const live = gotList[index];
      if (live === undefined || live.id !== attachment.id) return false;
      const typeKnown = live.type !== null && live.type !== undefined;
      return (
        sameFlag(attachment.is_paid ?? false, live.is_paid) && (!typeKnown || live.type === attachment.type)
      );
    })
  );
}

interface AttachmentLike {
  readonly id: string;
  readonly is_paid?: boolean | null | undefined;
}

/** Attachments by id, the paid ones marked. */
export function attachmentsOf(message: {
  readonly attachments?: readonly AttachmentLike[] | null | undefined;
}): string {
  const words = (message.attachments ?? []).map(({ id, is_paid }) =>
    is_paid === true ? `${id} (paid)` : id,
  );
  return words.length === 0 ? 'none' : words.join(', ');
}

function compareTags(path: string, wanted: Message, got: ObservedMessage): readonly FieldDifference[] {
  const tags = wanted.tagged_platform_account_ids;
  if (tags === undefined) return [];
  const [left, right] = [sortedSet(tags), sortedSet(got.tagged_platform_account_ids ?? [])];
  return difference(path, left === right, right || 'none', left || 'none');
}

function sortedSet(ids: readonly string[]): string {
  return [...new Set(ids)].toSorted().join(', ');
}
