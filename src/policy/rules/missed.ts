import * as z from 'zod/mini';
import { POLICY_LEVELS, type PolicyLevel, type PolicySetting } from '../../domain/policy.ts';
import type { PolicyRule } from '../rule.ts';

/** As many addresses as fit into one sentence. The plan lists all of them. */
const NAMED_MAX = 5;

/** What happens if something was never created because its time has passed. The plan itself warns of each one. */
export const missed = {
  key: 'missed',
  code: 'missed-denied',
  shape: z.enum(POLICY_LEVELS),
  help: 'deny blocks the whole run, warn (default) only warns.',
  default: null,
  appliesTo:
    'a run with a broadcast or campaign that missed its time before it was created; warns by default',
  example: 'missed: deny',
  read: (level) => ({ level }),
  describe: () => 'their time passed before they were created',
  checkRun: (run, { level }) => {
    if (level === 'warn' || run.missed.length === 0) return null;
    const more = run.missed.length > NAMED_MAX ? ` and ${run.missed.length - NAMED_MAX} more` : '';
    const names = `${run.missed.slice(0, NAMED_MAX).join(', ')}${more}`;
    return `Missed, and policy.missed is deny: ${names}. Change scheduled_at or rules.end_at, or remove them.`;
  },
} as const satisfies PolicyRule<PolicyLevel, PolicySetting>;
