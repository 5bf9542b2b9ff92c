import { canonical } from '../domain/digest.ts';
import { nameForm } from '../domain/name-form.ts';
import type { Observed } from '../domain/resource.ts';
import type { Live } from '../live/read-object.ts';

/**
 * Whether what fans get, who gets it or when was changed between two reads. What one of them does not show is taken as
 * unchanged: a list and a single read may show different parts of the same object.
 */
export function isEdited({ live: before }: Observed, now: Live): boolean {
  const then = partsOf(before);
  return Object.entries(partsOf(now)).some(([name, part]) => {
    const old = then[name] ?? null;
    return old !== null && part !== null && canonical(old) !== canonical(part);
  });
}

function partsOf(live: Live): Readonly<Record<string, unknown>> {
  const hour = 'scheduled_at' in live ? Date.parse(String(live.scheduled_at)) : NaN;
  const messages = live.messages ?? [];
  return {
    name: live.name == null ? null : nameForm(live.name),
    hour: Number.isNaN(hour) ? null : hour,
    // No message at all stands for content that cannot be read.
    messages: messages.length === 0 ? null : messages.map(messageOf),
    audience: live.audience_filters?.map(filterOf).toSorted() ?? null,
  };
}

type Message = NonNullable<Live['messages']>[number];
type Filter = NonNullable<Live['audience_filters']>[number];

function messageOf({ text, price_gross: price, attachments, text_is_paid: isPaid }: Message): unknown {
  const media = (attachments ?? []).map(({ id, is_paid: paid }) => [id, paid ?? false]);
  return [text ?? '', price ?? 0, isPaid ?? false, media];
}

/** Without its days: the service may count them again for each read. */
function filterOf({ kind, mode, options }: Filter): string {
  return canonical([kind ?? null, mode ?? null, (options?.lists ?? []).map(({ id }) => id).toSorted()]);
}
