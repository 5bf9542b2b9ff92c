import type { FieldDifference } from '../../domain/change.ts';
import type { Declared } from '../../domain/resource.ts';
import { describeDeclared } from '../compare/audience.ts';
import { messageEntries } from '../compare/messages.ts';

/** What a create sends, field by field, so that a reviewer reads it in the plan: nothing of it is live yet. */
export function listContents(declared: Declared): readonly FieldDifference[] {
  const { rules = {}, audience_filters: filters, messages } = declared.content;
  const head =
    declared.kind === 'campaign'
      ? { trigger: declared.content.trigger, action: declared.content.action }
      : { scheduled_at: declared.atOnce === true ? 'at once' : declared.scheduledAtUtc };
  const audience = filters.length === 0 ? 'everyone' : filters.map(describeDeclared).join('; ');
  return [
    ...fields('', Object.entries({ ...head, audience })),
    ...fields('rules.', Object.entries(rules)),
    ...messages.flatMap((message, index) => fields(`messages[${index}].`, messageEntries(message))),
  ];
}

type Entries = readonly (readonly [key: string, value: unknown])[];

function fields(prefix: string, entries: Entries): readonly FieldDifference[] {
  return entries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ path: `${prefix}${key}`, old: null, new: value }));
}
