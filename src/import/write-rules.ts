import { CREATABLE_RULES, isSetRule, READ_ONLY_RULES } from '../plan/live-defaults.ts';
import type { Kind } from '../domain/resource.ts';
import { isForm, type Form, type Plain } from './form.ts';
import { writtenTime } from './instant.ts';
import { NotExpressible } from './not-expressible.ts';

/** Rules that were set by someone. Defaults of the service are left out, because plans compare only what a file has. */
export function writeRules(kind: Kind, live: Readonly<Record<string, unknown>>): Form | null {
  const set = Object.entries(live).filter(
    ([key, value]) => isSetRule(value) && !READ_ONLY_RULES.includes(key),
  );
  const unknown = set.filter(([key]) => !CREATABLE_RULES[kind].includes(key)).map(([key]) => key);
  if (unknown.length > 0)
    throw new NotExpressible(
      `A create cannot set its rule ${unknown.toSorted().join(', ')}, so a replace would lose it.`,
    );
  const values = Object.fromEntries(set);
  // In the documented order, so that equal rules are written equally.
  const rules = CREATABLE_RULES[kind].flatMap((key): [string, Plain][] => {
    const value = values[key];
    if (key === 'end_at' && typeof value === 'string')
      return Object.entries(writtenTime(key, value, live['end_at_timezone']));
    return key in values ? [[key, writeRule(key, value)]] : [];
  });
  return rules.length === 0 ? null : Object.fromEntries(rules);
}

function writeRule(key: string, value: unknown): Plain {
  if (isForm(value)) {
    const parts = Object.entries(value).filter(([part, member]) => isSetRule(member) || part === 'min_sec');
    return Object.fromEntries(parts.map(([part, member]) => [part, writeRule(part, member)]));
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new NotExpressible(`Its rule ${key} has a form that this version of Herald does not know.`);
}
