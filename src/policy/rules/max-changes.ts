import * as z from 'zod/mini';
import type { PolicyRule } from '../rule.ts';
import { limitShape, readLimit, type Limit, type WrittenLimit } from '../setting.ts';

/** A run with more changes than this needs `--allow large`. */
export const MAX_CHANGES_DEFAULT = 20;

/** No run may make more changes. */
export const maxChanges = {
  key: 'max_changes',
  code: 'too-many-changes',
  shape: limitShape(z.int().check(z.minimum(1))),
  help: `Default: ${MAX_CHANGES_DEFAULT}.`,
  default: { limit: MAX_CHANGES_DEFAULT, level: 'deny' },
  appliesTo: `a run with more changes; ${MAX_CHANGES_DEFAULT} by default; \`--allow large\` allows it`,
  example: 'max_changes: 20',
  read: readLimit,
  describe: ({ limit }) => `${limit}`,
  checkRun: ({ changes, allow }, { limit, level }) => {
    if (changes <= limit || allow.has('large')) return null;
    const advice = level === 'deny' ? 'Review them, then use --allow large.' : 'Review them.';
    return `${changes} changes, more than policy.max_changes (${limit}). ${advice}`;
  },
} as const satisfies PolicyRule<WrittenLimit, Limit>;
