import * as z from 'zod/mini';
import { setPatternEngine } from '../policy/patterns.ts';
import { POLICY_RULES } from '../policy/rules.ts';
import { explainFixedZone } from '../policy/zone.ts';
import type { Findings } from './findings.ts';
import { withHelp } from '../domain/value-shapes.ts';
import type { Policy, PolicySetting } from '../domain/workspace.ts';

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

/** Warns of zones without daylight saving time, which people rarely mean. */
export function checkPolicyZones(written: WrittenPolicy, found: Findings): void {
  for (const [key, rule] of Object.entries(written)) {
    const { timezone } = Object(rule) as { readonly timezone?: string };
    const fixed = timezone === undefined ? null : explainFixedZone(timezone);
    if (fixed !== null) found.warning('fixed-zone', ['policy', key, 'timezone'], fixed);
  }
}

/** Loads the engine of patterns, which is large. Call it if `herald.yaml` may have `banned_words`. */
export async function loadPatternEngine(): Promise<void> {
  setPatternEngine((await import('re2js')).RE2JS);
}
