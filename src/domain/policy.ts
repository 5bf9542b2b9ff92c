import { KINDS, type Kind } from './resource.ts';

/** What breaking a rule does: `deny` holds back the whole run before any write (exit 5), `warn` only says so. */
export const POLICY_LEVELS = ['deny', 'warn'] as const;
export type PolicyLevel = (typeof POLICY_LEVELS)[number];

interface Rule {
  readonly level: PolicyLevel;
}

export interface Limit extends Rule {
  readonly limit: number;
}

/** Whether something stands in a text. */
export type TextSearch = (text: string) => boolean;

export interface BannedWords extends Rule {
  /** Words and phrases, or `/pattern/flags`, as written. */
  readonly words: readonly string[];
  /** What each pattern among them searches for, by the pattern as written. */
  readonly searches: ReadonlyMap<string, TextSearch>;
}

/** Local hours in which no broadcast may send; `from` inclusive, `to` exclusive, both `HH:MM`. */
export interface QuietHours extends Rule {
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  /** A broadcast sends for some time: this many hours from each of its messages must not touch the quiet ones. */
  readonly hoursAfter: number;
}

export interface BroadcastsPerDay extends Limit {
  /** Whose days are counted: an IANA name. */
  readonly timezone: string;
}

export interface RequiredFields extends Rule {
  readonly fields: readonly RequiredField[];
}

/** `policy:`; rules that are null are not set. */
export interface Policy {
  readonly maxChanges: Limit;
  readonly maxPriceGross: Limit | null;
  /** Of messages that cost something at all. */
  readonly minPriceGross: Limit | null;
  readonly bannedWords: BannedWords | null;
  readonly quietHours: QuietHours | null;
  /** Per account. */
  readonly maxBroadcastsPerDay: BroadcastsPerDay | null;
  readonly required: RequiredFields | null;
}

/** A run with more changes than this needs `--allow large`. */
export const MAX_CHANGES_DEFAULT = 20;

/** Assumed: sending to everyone takes up to an hour (BROADCAST-9). */
export const HOURS_AFTER_DEFAULT = 1;

/** Rules that look at what is declared, in the order in which they are told, with the code of their findings. */
export const POLICY_RULES = {
  max_price_gross: 'policy-max-price',
  min_price_gross: 'policy-min-price',
  banned_words: 'policy-banned-word',
  quiet_hours: 'policy-quiet-hours',
  max_broadcasts_per_day: 'policy-broadcasts-per-day',
  required: 'policy-required',
} as const;
export type PolicyRule = keyof typeof POLICY_RULES;

interface FieldPlace {
  readonly kinds: readonly Kind[];
  /** Keys from the resource down to the field. */
  readonly path: readonly string[];
}

const rule = (name: string, kinds: readonly Kind[] = KINDS): FieldPlace => ({ kinds, path: ['rules', name] });

/** What `policy.required` can ask for, and of which kinds (CONTENT-20). */
export const REQUIRED_FIELDS = {
  audience_filters: { kinds: KINDS, path: ['audience_filters'] },
  end_at: rule('end_at'),
  mimic_on_reply_enabled: rule('mimic_on_reply_enabled'),
  online_check_mode: rule('online_check_mode', ['broadcast']),
  retry_after_unsend_min: rule('retry_after_unsend_min', ['campaign']),
  send_delay_interval: rule('send_delay_interval', ['campaign']),
  unsend_delay_sec: rule('unsend_delay_sec'),
  unsend_if_not_read_enabled: rule('unsend_if_not_read_enabled'),
  unsend_if_not_replied_enabled: rule('unsend_if_not_replied_enabled', ['campaign']),
} as const satisfies Record<string, FieldPlace>;
export type RequiredField = keyof typeof REQUIRED_FIELDS;

export const REQUIRED_FIELD_NAMES = Object.keys(REQUIRED_FIELDS) as RequiredField[];

/** A banned word that is a regular expression. */
export interface BannedPattern {
  readonly source: string;
  readonly flags: string;
}

/** What `/pattern/flags` holds, composed as texts are; null for a word or a phrase. */
export function bannedPattern(word: string): BannedPattern | null {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(word.normalize('NFC')) ?? [];
  return source === undefined ? null : { source, flags: flags ?? '' };
}
