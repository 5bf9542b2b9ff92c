import type { ChangeKind, DeadlineKind } from '../domain/change.ts';
import { WORDS, type PlanTitle } from '../render/wording.ts';

/** What a document is about: what apply would do, what differs, or what the files declare. */
export type PageTitle = PlanTitle | 'preview';

/** `create`, and `missing` for a drift. */
export function labelAction(title: PageTitle, action: ChangeKind): string {
  if (title === 'preview') return 'declared';
  return action === 'keep' ? WORDS[title].keep.counted : WORDS[title][action].label;
}

/** The word after a number: `to create`. */
export function countedWord(title: PageTitle, action: ChangeKind): string {
  return title === 'preview' ? 'declared' : WORDS[title][action].counted;
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What happens at a deadline: `Setlist vote goes out`. */
export const DEADLINES = {
  sends: 'goes out',
  recall_ends: 'about the last moment for a recall',
  archived: 'the service archives it',
  resume_ends: 'the last moment to resume it',
} as const satisfies Record<DeadlineKind, string>;

const FIELDS: Readonly<Record<string, string>> = {
  price_gross: 'price',
  delay_sec: 'delay',
  attachments: 'media',
  text_is_paid: 'paid text',
  scheduled_at: 'time',
  audience_filters: 'audience',
  'messages.length': 'number of messages',
};

/** `text of message 1` for `messages[0].text`. */
export function describePath(path: string): string {
  const [, index, field = path] = /^messages\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const word = Object.hasOwn(FIELDS, field) ? (FIELDS[field] ?? field) : field;
  return index === undefined ? word : `${word} of message ${Number(index) + 1}`;
}
