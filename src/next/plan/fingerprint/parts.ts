import type { DeclaredFilter } from '../../../domain/audience.ts';
import { canonical, sha256Of } from '../../../domain/digest.ts';
import type { DeclaredAttachment, DeclaredMessage } from '../../../domain/message.ts';
import { plainText } from '../../../domain/plain-text.ts';
import type { ObservedFilter, ObservedMessage } from '../../../domain/replies.ts';
import type { Declared, Observed } from '../../../domain/resource.ts';
import { inOrder } from '../compare/messages.ts';

/**
 * What a file declares, without the ways to write it: what fans get, who gets it, when, and at what price. A default
 * that is written is the same as one that is left out. Texts stay as they are, because fans get these bytes.
 */
export function declaredPart(declared: Declared): object {
  const { kind, target, content } = declared;
  const shared = {
    target,
    rules: stated(content.rules ?? {}),
    audience_filters: content.audience_filters.map(filterPart).toSorted(),
    messages: content.messages.map(messagePart),
  };
  if (kind === 'campaign')
    return { ...shared, trigger: declared.content.trigger, action: declared.content.action };
  // What is sent at once has the time of its plan.
  return { ...shared, scheduled_at: declared.atOnce === true ? 'at once' : declared.scheduledAtUtc };
}

/** How a campaign is replaced: whether fans may get both for a moment, and what becomes of the old queue. */
export function replacePart(declared: Declared): object | null {
  return declared.kind === 'campaign' ? { order: declared.replace, old_queue: declared.oldQueue } : null;
}

/** The fingerprint of everything that a plan takes from one declared resource, the same in every layout of the files. */
export function declaredFingerprint(declared: Declared): string {
  const { address, kind, renamedFrom, protect, ignore } = declared;
  return sha256Of({
    of: 'herald/declared/1',
    address,
    kind,
    declared: declaredPart(declared),
    replace: replacePart(declared),
    renamed_from: renamedFrom,
    protect,
    ignore,
  });
}

/** The rules that say something. One that is null or false says what the service does anyway. */
function stated(rules: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(rules).filter(([, value]) => value !== undefined && value !== null && value !== false),
  );
}

/** As text, because the order of filters and lists does not matter (CONTENT-19). */
function filterPart({ kind, mode, options = {} }: DeclaredFilter): string {
  const { from_at, to_at, from_days, to_days, lists } = options;
  return canonical({
    kind,
    mode,
    from_at: instantPart(from_at),
    to_at: instantPart(to_at),
    from_days,
    to_days,
    lists: lists?.map(({ name, id }) => canonical({ name, id })).toSorted(),
  });
}

/** The instant, in whatever zone it is written. */
function instantPart(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}

function messagePart(message: DeclaredMessage): object {
  const { text, price_gross, delay_sec, text_is_paid, attachments, tagged_platform_account_ids } = message;
  return {
    text: text ?? '',
    price_gross: price_gross ?? 0,
    delay_sec: delay_sec ?? 0,
    text_is_paid: text_is_paid ?? false,
    attachments: (attachments ?? []).map(attachmentPart),
    tags: [...new Set(tagged_platform_account_ids)].toSorted(),
  };
}

/** A file counts by its bytes and its settings, not by its path. */
function attachmentPart(attachment: DeclaredAttachment): object {
  const { type, file, is_paid } = attachment;
  const media = file === undefined && 'id' in attachment ? { id: attachment.id } : { sha256: file?.digest };
  return { ...media, type, is_paid: is_paid ?? false };
}

/** What a live object says and to whom, without statistics and without anything that changes as time passes. */
export function liveContentPart({ kind, live }: Observed): object {
  const shared = {
    name: live.name ?? null,
    rules: live.rules ?? {},
    audience_filters: (live.audience_filters ?? []).map(liveFilterPart).toSorted(),
    messages: inOrder(live.messages ?? []).map(liveMessagePart),
  };
  if (kind === 'campaign') return { ...shared, trigger: live.trigger, action: live.action };
  return { ...shared, scheduled_at: instantPart(live.scheduled_at) };
}

/** Without dates: the service may show a range in days as dates, and those move every day (CONTENT-18). */
function liveFilterPart({ kind, mode, options }: ObservedFilter): string {
  const lists = (options?.lists ?? []).map(({ id }) => id).toSorted();
  return canonical({ kind, mode, lists });
}

function liveMessagePart(message: ObservedMessage): object {
  const { text, price_gross, delay_sec, text_is_paid, attachments, tagged_platform_account_ids } = message;
  return {
    text: plainText(text),
    cents: Math.round((price_gross ?? 0) * 100),
    delay_sec: delay_sec ?? 0,
    text_is_paid: text_is_paid ?? false,
    attachments: (attachments ?? []).map(({ id, type, is_paid }) => ({
      id,
      type,
      is_paid: is_paid ?? false,
    })),
    tags: [...new Set(tagged_platform_account_ids ?? [])].toSorted(),
  };
}
