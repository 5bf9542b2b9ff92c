import { broadcastRulesShape } from './broadcast.ts';
import { campaignRulesShape } from './campaign.ts';
import type { Kind } from './resource.ts';

/** The rules that a create takes, in the order of the service's document. */
export const CREATABLE_RULES: Readonly<Record<Kind, readonly string[]>> = {
  campaign: Object.keys(campaignRulesShape.shape),
  broadcast: Object.keys(broadcastRulesShape.shape),
};

/** Says in words what `end_at` says as an instant; a create does not take it. */
export const READ_ONLY_RULES: readonly string[] = ['end_at_timezone'];

/** The members of a message and of an attachment that this version knows; `step` is the place of a message. */
export const MESSAGE_KEYS: readonly string[] = [
  'step',
  'text',
  'price_gross',
  'delay_sec',
  'attachments',
  'text_is_paid',
  'tagged_platform_account_ids',
];
export const ATTACHMENT_KEYS: readonly string[] = ['id', 'type', 'is_paid'];

/** Whether a file can state what a plan calls by this path, such as `rules.unsend_delay_sec`. */
export function isCreatable(kind: Kind, path: string): boolean {
  const [area = '', key = '', ...deeper] = path.split('.');
  if (area === 'rules') return CREATABLE_RULES[kind].includes(key);
  return area.startsWith('messages[') && deeper.length === 0 && MESSAGE_KEYS.includes(key);
}

/**
 * Whether somebody has set a rule. Assumed: the service itself fills in null, false, 0 and `off` (CONTENT-20), so that
 * a create without them makes the same rule.
 */
export function isSetRule(value: unknown): boolean {
  if (isMembers(value)) return Object.values(value).some(isSetRule);
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== 'off';
}

/** Whether a member of a message says anything; the service fills in the rest. */
export function saysNothing(value: unknown): boolean {
  const isNothing = value === null || value === undefined || value === false || value === 0 || value === '';
  return isNothing || (Array.isArray(value) && value.length === 0);
}

export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
