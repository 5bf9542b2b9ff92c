import type { Diagnostic } from '../domain/diagnostic.ts';
import { POLICY_RULES, type PolicyLevel, type PolicyRule } from '../domain/policy.ts';
import { formatAddress, type Declared, type PlaceOf } from '../domain/resource.ts';
import type { Breach, PolicyCase, Violation } from './policy-case.ts';
import { prices, requiredFields } from './policy-content.ts';
import { broadcastsPerDay } from './policy-day.ts';
import { quietHours } from './policy-hours.ts';
import { bannedWords } from './policy-words.ts';

/**
 * Every rule of `policy:` that something to be sent breaks. What is paused, archived or recalled is not judged,
 * because a policy must never stand in the way of stopping something, and what has had its hour is over.
 */
function violationsOf(the: PolicyCase): readonly Violation[] {
  const { policy, leftOut } = the;
  const judged = the.declared.filter(({ address }) => leftOut?.has(formatAddress(address)) !== true);
  const toBeSent = judged.filter((resource) => isToBeSent(resource, the.nowMs));
  const { maxPriceGross, minPriceGross, maxBroadcastsPerDay: perDay, required } = policy;
  const { bannedWords: words, quietHours: quiet } = policy;
  return [
    ...named('max_price_gross', maxPriceGross, (rule) => prices.above(toBeSent, rule)),
    ...named('min_price_gross', minPriceGross, (rule) => prices.below(toBeSent, rule)),
    ...named('banned_words', words, (rule) => bannedWords(toBeSent, rule)),
    ...named('quiet_hours', quiet, (rule) => quietHours(toBeSent, rule)),
    ...named('max_broadcasts_per_day', perDay, (rule) => broadcastsPerDay(the, toBeSent, rule)),
    ...named('required', required, (rule) => requiredFields(toBeSent, rule)),
  ];
}

/** The same as findings with their places; those of `deny` are errors, which hold back the whole run. */
export function checkPolicy(the: PolicyCase, placeOf: PlaceOf): readonly Diagnostic[] {
  return violationsOf(the).map(({ rule, level, resource, path, message }) => ({
    severity: level === 'deny' ? 'error' : 'warning',
    code: POLICY_RULES[rule],
    message,
    ...placeOf(resource.source, path),
    address: formatAddress(resource.address),
  }));
}

/** Whether it is declared to be sent, and still can be. */
export function isToBeSent(resource: Declared, nowMs: number): boolean {
  if (resource.kind === 'campaign') return resource.target === 'active';
  return resource.target === 'scheduled' && Date.parse(resource.scheduledAtUtc) > nowMs;
}

function named<Rule extends { readonly level: PolicyLevel }>(
  rule: PolicyRule,
  setting: Rule | null,
  check: (setting: Rule) => readonly Breach[],
): readonly Violation[] {
  if (setting === null) return [];
  return check(setting).map((breach) => ({ rule, level: setting.level, ...breach }));
}
