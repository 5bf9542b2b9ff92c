/** What breaking a rule does: `deny` blocks the whole run before any write (exit 5), `warn` only warns. */
export const POLICY_LEVELS = ['deny', 'warn'] as const;
export type PolicyLevel = (typeof POLICY_LEVELS)[number];

/** How one rule is set. What else it holds, only the rule knows (`policy/rules/`). */
export interface PolicySetting {
  readonly level: PolicyLevel;
}

/** `policy:` by the keys of `herald.yaml`. A rule that is not set is not in it. */
export type Policy = Readonly<Record<string, PolicySetting>>;
