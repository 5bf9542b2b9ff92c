/*
 * Separate from the shape of a plan, because `validate` needs the kinds, and building the shape
 * takes time at each start.
 */

/** Kinds that change live state. */
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
