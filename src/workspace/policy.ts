import * as z from 'zod/mini';
import { withHelp } from '../domain/with-help.ts';
import type { Policy, PolicySetting } from '../domain/policy.ts';
import { setPatternEngine } from '../policy/patterns.ts';
import { POLICY_RULES } from '../policy/rules.ts';
import type { Findings } from './findings.ts';

/** `policy:` of `herald.yaml`, as written. */
export const policyShape = z.strictObject(
  Object.fromEntries(
    POLICY_RULES.map(({ key, shape, help }) => {
      const written = z.optional(shape);
      return [key, help === undefined ? written : withHelp(help, written)];
    }),
  ),
);

/** `policy:` after the shape check. */
type WrittenPolicy = Readonly<Record<string, unknown>>;

/** `policy:` with its defaults. */
export function readPolicy(written: WrittenPolicy): Policy {
  const policy: Record<string, PolicySetting> = {};
  for (const rule of POLICY_RULES) {
    const value = written[rule.key];
    const setting = value === undefined ? rule.default : rule.read(value, policy);
    if (setting !== null) policy[rule.key] = setting;
  }
  return policy;
}

/** Checks of the rules that a shape cannot express. */
export function checkPolicySettings(written: WrittenPolicy, found: Findings): void {
  for (const rule of POLICY_RULES) {
    const value = written[rule.key];
    if (value === undefined || rule.problems === undefined) continue;
    for (const { severity = 'error', code, path, message } of rule.problems(value))
      found[severity](code, ['policy', rule.key, ...path], message);
  }
}

/** Loads the engine of patterns, which is large. Call it if `herald.yaml` may have `banned_words`. */
export async function loadPatternEngine(): Promise<void> {
  setPatternEngine((await import('re2js')).RE2JS);
}
