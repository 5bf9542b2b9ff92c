/** The effect of a broken rule: `deny` blocks the whole run before any write (exit 5), `warn` only warns. */
export const POLICY_LEVELS = ['deny', 'warn'] as const;
export type PolicyLevel = (typeof POLICY_LEVELS)[number];

/** The setting of one rule. Other members are known to the rule only (`policy/rules/`). */
export interface PolicySetting {
  readonly level: PolicyLevel;
}

/** `policy:` by the keys of `herald.yaml`, without rules that are not set. */
export type Policy = Readonly<Record<string, PolicySetting>>;
