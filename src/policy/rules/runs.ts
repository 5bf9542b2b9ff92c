import * as z from 'zod/mini';
import { limitShape, readLimit, type Limit, type PolicyRule, type WrittenLimit } from '../rule.ts';
import { POLICY_LEVELS } from '../../domain/workspace.ts';
import type { PolicyLevel, PolicySetting } from '../../domain/workspace.ts';

/** A run with more changes than this needs `--allow large`. */
const MAX_CHANGES_DEFAULT = 20;

/** No run may make more changes. */
export const maxChanges = {
  key: 'max_changes',
  code: 'too-many-changes',
  shape: limitShape(z.int().check(z.minimum(1))),
  help: `Default: ${MAX_CHANGES_DEFAULT}.`,
  default: { limit: MAX_CHANGES_DEFAULT, level: 'deny' },
  read: readLimit,
  describe: ({ limit }) => `${limit}`,
  checkRun: ({ changes, allow }, { limit, level }) => {
    if (changes <= limit || allow.has('large')) return null;
    const advice =
      level === 'deny'
        ? 'Review them, then use --allow large, or raise policy.max_changes in herald.yaml.'
        : 'Review them.';
    return `${changes} changes, more than policy.max_changes (${limit}). ${advice}`;
  },
} as const satisfies PolicyRule<WrittenLimit, Limit>;

/** As many addresses as fit into one sentence. The plan lists all of them. */
const NAMED_MAX = 5;

/** What happens if something was never created because its time has passed. The plan itself warns of each one. */
export const missed = {
  key: 'missed',
  code: 'missed-denied',
  shape: z.enum(POLICY_LEVELS),
  help: 'deny blocks the whole run, warn (default) only warns.',
  default: null,
  read: (level) => ({ level }),
  describe: () => 'their time passed before they were created',
  checkRun: (run, { level }) => {
    if (level === 'warn' || run.missed.length === 0) return null;
    const more = run.missed.length > NAMED_MAX ? ` and ${run.missed.length - NAMED_MAX} more` : '';
    const names = `${run.missed.slice(0, NAMED_MAX).join(', ')}${more}`;
    return `Missed, and policy.missed is deny: ${names}. Change scheduled_at or rules.end_at, or remove them.`;
  },
} as const satisfies PolicyRule<PolicyLevel, PolicySetting>;
