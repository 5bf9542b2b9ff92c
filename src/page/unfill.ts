import type { Change, Plan } from '../domain/change.ts';

/** Shorter values are not looked for in texts: they are parts of too many words. */
const VALUE_UNITS_MIN = 2;

/**
 * The same changes, with the values of each account's variables as `{{first_name}}`, on both sides of a difference. So
 * the same edit reads the same on all accounts, and is one entry.
 */
export function withVariables({ variables = {} }: Plan): (change: Change) => Change {
  const unfillOf = new Map(Object.entries(variables).map(([account, values]) => [account, unfiller(values)]));
  return (change) => {
    const unfill = unfillOf.get(change.address.account);
    if (unfill == null || change.fields.length === 0) return change;
    const fields = change.fields.map(({ path, old, new: wanted }) => ({
      path,
      old: typeof old === 'string' ? unfill(old) : old,
      new: typeof wanted === 'string' ? unfill(wanted) : wanted,
    }));
    return { ...change, fields };
  };
}

function unfiller(values: Readonly<Record<string, string>>): ((text: string) => string) | null {
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(values).toSorted(([left], [right]) => (left < right ? -1 : 1)))
    if (value.trim().length >= VALUE_UNITS_MIN && !names.has(value)) names.set(value, name);
  if (names.size === 0) return null;
  const longestFirst = [...names.keys()].toSorted((left, right) => right.length - left.length);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${longestFirst.map(escaped).join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  );
  return (text) => text.replace(pattern, (value) => `{{${names.get(value) ?? ''}}}`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
