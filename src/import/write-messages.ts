import { ATTACHMENT_KEYS, MESSAGE_KEYS, saysNothing } from '../domain/live-defaults.ts';
import type { ObservedMessage } from '../domain/replies.ts';
import { TEXT_LENGTH_MAX, tidyText } from '../workspace/text.ts';
import type { Form, Plain } from './form.ts';
import { NotExpressible } from './not-expressible.ts';

/** The messages in their order, each with what is not the service's default (CONTENT-20). */
export function writeMessages(live: readonly ObservedMessage[]): readonly Form[] {
  return inOrder(live).map(writeMessage);
}

/** By `step` where every message says it, otherwise as listed: the order in which they are compared. */
export function inOrder(live: readonly ObservedMessage[]): readonly ObservedMessage[] {
  if (live.some(({ step }) => step === null || step === undefined)) return live;
  return live.toSorted((left, right) => (left.step ?? 0) - (right.step ?? 0));
}

function writeMessage(live: ObservedMessage): Form {
  refuseUnknown(live, MESSAGE_KEYS, 'a message');
  const text = writtenText(live.text ?? '');
  if (text.length > TEXT_LENGTH_MAX)
    throw new NotExpressible(`A text is longer than the ${TEXT_LENGTH_MAX} characters that a file may have.`);
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

/** A text as it is compared, with one kind of line break; braces are no variables. */
export function writtenText(text: string): string {
  return escapeBraces(tidyText(text.replace(/\r\n?/g, '\n')));
}

/** `\{{` is how a file says `{{`. */
function escapeBraces(text: string): string {
  return text.replaceAll('{{', String.raw`\{{`);
}

/** Prices are compared in cents, and a file has no more digits than those. */
function inCents(price: number): number {
  return Math.round(price * 100) / 100;
}

type Attachment = NonNullable<ObservedMessage['attachments']>[number];

function writeAttachment(live: Attachment): Form {
  refuseUnknown(live, ATTACHMENT_KEYS, 'an attachment');
  const { id, type, is_paid: isPaid } = live;
  if (type === null || type === undefined)
    throw new NotExpressible(
      `The service does not show what attachment ${id} is, and a create has to say it.`,
    );
  return given({ id, type: escapeBraces(type), is_paid: isPaid === true ? true : undefined });
}

/** What an unknown member says would not be sent again; one that says nothing is no loss. */
function refuseUnknown(live: Readonly<Record<string, unknown>>, known: readonly string[], of: string): void {
  const unknown = Object.entries(live).filter(([key, value]) => !known.includes(key) && !saysNothing(value));
  if (unknown.length === 0) return;
  const keys = unknown.map(([key]) => key).toSorted();
  throw new NotExpressible(
    `It has ${of} with ${keys.join(', ')}, which this version of Herald cannot send: a replace would lose it.`,
  );
}

/** The members that have a value. */
function given(members: Readonly<Record<string, Plain | undefined>>): Form {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Plain] => entry[1] !== undefined),
  );
}
