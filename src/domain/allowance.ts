/**
 * What a person may allow, and what it lets happen.
 * Everything dangerous goes through this one mechanism.
 */
export const ALLOWANCES = {
  adopt: 'the first write to a same-named object that is not known as ours',
  resume: 'undoing a pause that was not ours',
  recall: 'unsending what was sent; it cannot be undone',
  replace: 'replacing once more for a field that differs again after a replace',
  prune: 'retiring owned objects that are no longer declared',
  large: 'more changes than policy.max_changes, or retiring more than 30 % of an account',
} as const;

export type Allowance = keyof typeof ALLOWANCES;

export const ALLOWANCE_NAMES = Object.keys(ALLOWANCES).sort() as readonly Allowance[];
