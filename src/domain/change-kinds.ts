/*
 * Separate from the shape of a plan, because `validate` needs the kinds, and building the shape
 * takes time at each start.
 */

/** All kinds of change, in the order of summaries. */
export const CHANGE_KINDS = [
  'create',
  'replace',
  'activate',
  'resume',
  'pause',
  'archive',
  'recall',
  'retire',
  'keep',
  'done',
  'missed',
  'blocked',
  'unmanaged',
] as const;

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
] as const satisfies readonly (typeof CHANGE_KINDS)[number][];
