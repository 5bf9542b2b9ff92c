import type { Change, ChangeKind, DeadlineKind, Step } from '../domain/change.ts';
import type { Kind } from '../domain/resource.ts';

/** How an action is shown. The glyph says it without colour. */
interface ActionWords {
  readonly glyph: string;
  /** Infinitive, as in the counts and the filter. */
  readonly verb: string;
  /** For a drift: what is different. */
  readonly drift: string;
}

export const ACTIONS = {
  create: { glyph: '+', verb: 'create', drift: 'missing on the service' },
  replace: { glyph: '±', verb: 'replace', drift: 'different' },
  activate: { glyph: '~', verb: 'activate', drift: 'stopped' },
  resume: { glyph: '~', verb: 'resume', drift: 'stopped' },
  pause: { glyph: '~', verb: 'pause', drift: 'not paused' },
  archive: { glyph: '~', verb: 'archive', drift: 'not archived' },
  recall: { glyph: '−', verb: 'recall', drift: 'not recalled' },
  retire: { glyph: '~', verb: 'stop duplicate', drift: 'duplicate' },
  keep: { glyph: '·', verb: 'unchanged', drift: 'unchanged' },
  done: { glyph: '✓', verb: 'done', drift: 'done' },
  missed: { glyph: '?', verb: 'missed', drift: 'missed' },
  blocked: { glyph: '!', verb: 'blocked', drift: 'blocked' },
  unmanaged: { glyph: '○', verb: 'unmanaged', drift: 'unmanaged' },
} as const satisfies Record<ChangeKind, ActionWords>;

/** What a document is about: what apply would do, what differs, or what the files declare. */
export type PageTitle = 'plan' | 'drift' | 'preview';

export function actionWord(title: PageTitle, action: ChangeKind): string {
  if (title === 'preview') return action === 'create' ? 'declared' : ACTIONS[action].verb;
  return title === 'drift' ? ACTIONS[action].drift : ACTIONS[action].verb;
}

/** `Replace campaign`, `Blocked broadcast`. */
export function actionTitle(title: PageTitle, { action, address }: Change): string {
  if (title === 'preview') return sentence(address.kind);
  if (title === 'drift') return `${sentence(address.kind)} ${ACTIONS[action].drift}`;
  if (action === 'retire') return `Stop a duplicate ${address.kind}`;
  return `${sentence(ACTIONS[action].verb)} ${address.kind}`;
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const STEPS = {
  upload: 'Upload',
  create: 'Create the new one',
  pause: 'Pause',
  archive: 'Archive',
  activate: 'Activate',
  reactivate: 'Activate the old version again',
  resume: 'Resume',
  recall: 'Recall',
  prove_dead: 'Check that the old one can no longer be sent',
  check_not_left: 'Check that it has not gone out',
  read_back: 'Read back',
} as const satisfies Record<Step['kind'], string>;

/** `Pause 60902`. In a group, objects have no id. */
export function stepWords(step: Step): string {
  const words = STEPS[step.kind];
  return step.live_id === null || step.live_id === '' ? words : `${words} ${step.live_id}`;
}

/** What happens at a deadline: `Setlist vote goes out`. */
export const DEADLINES = {
  sends: 'goes out',
  recall_ends: 'about the last moment for a recall',
  archived: 'the service archives it',
  resume_ends: 'the last moment to resume it',
} as const satisfies Record<DeadlineKind, string>;

export function kindWord(kind: Kind): string {
  return kind === 'campaign' ? 'Campaigns' : 'Broadcasts';
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  text: 'text',
  price_gross: 'price',
  delay_sec: 'delay',
  attachments: 'media',
  text_is_paid: 'paid text',
};

const PATHS: Readonly<Record<string, string>> = {
  scheduled_at: 'Goes out',
  audience: 'Audience',
  audience_filters: 'Audience',
  trigger: 'Trigger',
  action: 'Action',
  name: 'Name',
  status: 'Status',
  'messages.length': 'Number of messages',
  'rules.end_at': 'Ends',
  'rules.send_delay_interval': 'First message after',
  'rules.unsend_delay_sec': 'Recalled after',
};

/** A field in words, and its path if the words do not say it. */
export function fieldWords(path: string): string {
  const message = messageFieldOf(path);
  if (message === null) return Object.hasOwn(PATHS, path) ? (PATHS[path] ?? path) : path;
  const number = `Message ${message.number}`;
  return message.field === null ? number : `${number}, ${message.field}`;
}

const PHRASES: Readonly<Record<string, string>> = {
  scheduled_at: 'its time',
  audience: 'the audience',
  audience_filters: 'the audience',
  'messages.length': 'the number of messages',
  'rules.end_at': 'its end',
};

/** A field in a sentence: `the text of message 1`. */
export function fieldPhrase(path: string): string {
  const message = messageFieldOf(path);
  if (message === null) return Object.hasOwn(PHRASES, path) ? (PHRASES[path] ?? path) : path;
  const number = `message ${message.number}`;
  return message.field === null ? number : `the ${message.field} of ${number}`;
}

/** What a path such as `messages[0].text` is about. Null for another one. */
function messageFieldOf(path: string): { readonly number: number; readonly field: string | null } | null {
  const match = /^messages\[(\d+)\](?:\.(\w+))?$/.exec(path);
  if (match === null) return null;
  const field = match[2];
  return { number: Number(match[1]) + 1, field: field === undefined ? null : (FIELD_WORDS[field] ?? field) };
}

/** `in 17 h`, `in 5 days`. The page's script says it again from now. */
export function leftWords(ms: number): string {
  if (ms <= 0) return 'passed';
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `in ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `in ${hours} h` : `in ${Math.floor(hours / 24)} days`;
}
