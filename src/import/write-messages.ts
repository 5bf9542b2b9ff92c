import { ATTACHMENT_KEYS, isEmpty, MESSAGE_KEYS } from '../plan/live-defaults.ts';
import type { ObservedMessage } from '../domain/replies.ts';
import { TEXT_LENGTH_MAX, tidyText } from '../workspace/text.ts';
import type { Form, Plain } from './form.ts';
import { NotExpressible } from './not-expressible.ts';

/** The messages in order, without values that are the service's default (CONTENT-20). */
export function writeMessages(live: readonly ObservedMessage[]): readonly Form[] {
  return inOrder(live).map(writeMessage);
}

/** Sorted by `step` if all messages have it, otherwise as listed. Plans compare in this order. */
export function inOrder(live: readonly ObservedMessage[]): readonly ObservedMessage[] {
  if (live.some(({ step }) => step === null || step === undefined)) return live;
  return live.toSorted((left, right) => (left.step ?? 0) - (right.step ?? 0));
}

function writeMessage(live: ObservedMessage): Form {
  refuseUnknown(live, MESSAGE_KEYS, 'a message');
  const text = writtenText(live.text ?? '');
  if (text.length > TEXT_LENGTH_MAX)
    throw new NotExpressible(`A text is longer than ${TEXT_LENGTH_MAX} characters, the limit of a file.`);
  const attachments = (live.attachments ?? []).map(writeAttachment);
  const tagged = live.tagged_platform_account_ids ?? [];
  return given({
    text: text === '' ? undefined : text,
    price_gross: inCents(live.price_gross ?? 0) || undefined,
    text_is_paid: live.text_is_paid === true ? true : undefined,
    delay_sec: live.delay_sec || undefined,
    attachments: attachments.length === 0 ? undefined : attachments,
    tagged_platform_account_ids: tagged.length === 0 ? undefined : tagged,
  });
}

/** A normalised text for a file. Its braces are not variables. */
export function writtenText(text: string): string {
  return escapeBraces(tidyText(text.replace(/\r\n?/g, '\n')));
}

/** In a file, `{{` is written as `\{{`. */
function escapeBraces(text: string): string {
  return text.replaceAll('{{', String.raw`\{{`);
}

/** A price in whole cents, as files have it. A replace would change any other price. */
function inCents(price: number): number {
  const cents = Math.round(price * 100) / 100;
  if (Math.abs(cents - price) < 1e-9) return cents;
  throw new NotExpressible(`A message costs ${price}, and a file has whole cents.`);
}

type Attachment = NonNullable<ObservedMessage['attachments']>[number];

function writeAttachment(live: Attachment): Form {
  refuseUnknown(live, ATTACHMENT_KEYS, 'an attachment');
  const { id, type, is_paid: isPaid } = live;
  if (type === null || type === undefined)
    throw new NotExpressible(`The service does not show the type of attachment ${id}, which a create needs.`);
  return given({ id, type: escapeBraces(type), is_paid: isPaid === true ? true : undefined });
}

/** Throws for an unknown member with content, because a create would not send it. */
function refuseUnknown(live: Readonly<Record<string, unknown>>, known: readonly string[], of: string): void {
  const unknown = Object.entries(live).filter(([key, value]) => !known.includes(key) && !isEmpty(value));
  if (unknown.length === 0) return;
  const keys = unknown.map(([key]) => key).toSorted();
  throw new NotExpressible(
    `It has ${of} with ${keys.join(', ')}, which this version of Herald cannot send. A replace would lose it.`,
  );
}

/** The members with a value. */
function given(members: Readonly<Record<string, Plain | undefined>>): Form {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Plain] => entry[1] !== undefined),
  );
}
