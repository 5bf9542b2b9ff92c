import { broadcastRulesShape } from '../domain/broadcast.ts';
import { campaignRulesShape } from '../domain/campaign.ts';
import type { Kind } from '../domain/resource.ts';
import { isForm, type Form, type Plain } from './form.ts';
import { writtenInstant } from './instant.ts';
import { NotExpressible } from './not-expressible.ts';

const CREATABLE: Readonly<Record<Kind, readonly string[]>> = {
  campaign: Object.keys(campaignRulesShape.shape),
  broadcast: Object.keys(broadcastRulesShape.shape),
};

/** Says in words what `end_at` says as an instant (service-api.md, Broadcast: `rules`). */
const READ_ONLY: readonly string[] = ['end_at_timezone'];

/**
 * The rules that somebody has set. Null, false, 0 and `off` are left out: only what a file says is compared.
 * Assumed: they are what the service fills in by itself, so that a create without them makes the same rule.
 */
export function writeRules(kind: Kind, live: Readonly<Record<string, unknown>>): Form | null {
  const set = Object.entries(live).filter(([key, value]) => isSet(value) && !READ_ONLY.includes(key));
  const unknown = set.filter(([key]) => !CREATABLE[kind].includes(key)).map(([key]) => key);
  if (unknown.length > 0)
    throw new NotExpressible(
      `A create cannot set its rule ${unknown.toSorted().join(', ')}: a replace would lose it.`,
    );
  const values = Object.fromEntries(set);
  // In the order of the service's document, so that the same rules are always written alike.
  const rules = CREATABLE[kind].flatMap((key): [string, Plain][] =>
    key in values ? [[key, writeRule(key, values[key])]] : [],
  );
  return rules.length === 0 ? null : Object.fromEntries(rules);
}

function isSet(value: unknown): boolean {
  if (isForm(value)) return Object.values(value).some(isSet);
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== 'off';
}

function writeRule(key: string, value: unknown): Plain {
  if (key === 'end_at' && typeof value === 'string') return writtenInstant(value);
  if (isForm(value)) {
    const parts = Object.entries(value).filter(([part, member]) => isSet(member) || part === 'min_sec');
    return Object.fromEntries(parts.map(([part, member]) => [part, writeRule(part, member)]));
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new NotExpressible(`Its rule ${key} is of a shape that this version of Herald does not know.`);
}
