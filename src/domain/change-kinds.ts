/* Apart from the shape of a plan, which takes time to build: `validate` needs only these words. */

export const WRITING_KINDS = [
  'create',
  'replace',
  'activate',
  'resume',
  'pause',
  'archive',
  'recall',
  'retire',
] as const;

/** All kinds of change, in the order of summaries. */
export const CHANGE_KINDS = [...WRITING_KINDS, 'keep', 'done', 'missed', 'blocked', 'unmanaged'] as const;

/** The allowances and their effects. Every dangerous change needs one of them. */
export const ALLOWANCES = {
  adopt: 'the first write to an object of the same name that Herald did not create',
  resume: 'resuming an object that Herald did not pause',
  now: 'creating a broadcast that is sent at once (broadcasts send)',
  recall: 'recalling sent messages; it cannot be undone',
  replace: 'replacing again for a field that differs again after a replace',
  prune: 'stopping owned objects that are no longer declared',
  large: 'more changes than policy.max_changes, or stopping more than 30 % of an account',
} as const;

export type Allowance = keyof typeof ALLOWANCES;
export const ALLOWANCE_NAMES = Object.keys(ALLOWANCES).sort() as readonly Allowance[];
