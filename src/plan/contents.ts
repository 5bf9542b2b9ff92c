import type { FieldDifference } from '../domain/change.ts';
import type { Declared } from '../domain/resource.ts';
import { describeDeclared } from './compare-audience.ts';
import { attachmentsOf } from './compare-messages.ts';

/** What a create sends, field by field, so that a reviewer reads it in the plan: nothing of it is live yet. */
export function contentsOf(declared: Declared): readonly FieldDifference[] {
  const { rules = {}, audience_filters: filters, messages } = declared.content;
  const head =
    declared.kind === 'campaign'
      ? { trigger: declared.content.trigger, action: declared.content.action }
      : { scheduled_at: declared.scheduledAtUtc };
  const audience = filters.length === 0 ? 'everyone' : filters.map(describeDeclared).join('; ');
  return [
    ...fields('', { ...head, audience }),
    ...fields('rules.', rules),
    ...messages.flatMap((message, index) => {
      const attachments = message.attachments === undefined ? undefined : attachmentsOf(message);
      return fields(`messages[${index}].`, { ...message, attachments });
    }),
  ];
}

function fields(prefix: string, values: Readonly<Record<string, unknown>>): readonly FieldDifference[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ path: `${prefix}${key}`, old: null, new: value }));
}
