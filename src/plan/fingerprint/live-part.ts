import { canonical } from '../../domain/digest.ts';
import type { ObservedFilter, ObservedMessage } from '../../domain/replies.ts';
import type { Observed } from '../../domain/resource.ts';
import { plainText } from '../../domain/plain-text.ts';
import { inOrder } from '../compare/messages.ts';
import { instantPart } from './declared-part.ts';

/** What a live object says and to whom, without statistics and without anything that changes as time passes. */
export function liveContentPart({ kind, live }: Observed): object {
  const shared = {
    name: live.name ?? null,
    rules: live.rules ?? {},
    audience_filters: (live.audience_filters ?? []).map(filterPart).toSorted(),
    messages: inOrder(live.messages ?? []).map(messagePart),
  };
  if (kind === 'campaign') return { ...shared, trigger: live.trigger, action: live.action };
  return { ...shared, scheduled_at: instantPart(live.scheduled_at) };
}

/** Without dates: the service may show a range in days as dates, and those move every day (CONTENT-18). */
function filterPart({ kind, mode, options }: ObservedFilter): string {
  const lists = (options?.lists ?? []).map(({ id }) => id).toSorted();
  return canonical({ kind, mode, lists });
}

function messagePart(message: ObservedMessage): object {
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
