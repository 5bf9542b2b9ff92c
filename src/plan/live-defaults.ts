import { broadcastRulesShape } from '../domain/broadcast.ts';
import { campaignRulesShape } from '../domain/campaign.ts';
import { attachmentShape, messageShape } from '../domain/message.ts';
import type { Kind } from '../domain/resource.ts';

/** The rules that a create accepts, in the documented order. */
export const CREATABLE_RULES: Readonly<Record<Kind, readonly string[]>> = {
  campaign: Object.keys(campaignRulesShape.shape),
  broadcast: Object.keys(broadcastRulesShape.shape),
};

/** The zone of `end_at`. A create does not accept it. */
export const READ_ONLY_RULES: readonly string[] = ['end_at_timezone'];

/** Known members of a message and of an attachment. `step` is the place of a message. */
export const MESSAGE_KEYS: readonly string[] = ['step', ...Object.keys(messageShape.shape)];
export const ATTACHMENT_KEYS: readonly string[] = Object.keys(attachmentShape.shape);

/** True if a file can set this path, such as `rules.unsend_delay_sec`. */
export function isCreatable(kind: Kind, path: string): boolean {
  const [area = '', key = '', ...deeper] = path.split('.');
  if (area === 'rules') return CREATABLE_RULES[kind].includes(key);
  return area.startsWith('messages[') && deeper.length === 0 && MESSAGE_KEYS.includes(key);
}

/**
 * True if someone set the value. Assumed: the service itself fills in null, false, 0, `off` and empty members (CONTENT-20), so a
 * create without them makes the same.
 */
export function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isMembers(value)) return Object.values(value).some(isSet);
  return ![null, undefined, false, 0, '', 'off'].includes(value as null);
}

export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
