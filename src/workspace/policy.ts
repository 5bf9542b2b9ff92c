import * as z from 'zod/mini';
import { withHelp } from '../domain/with-help.ts';
import type { Policy, PolicySetting } from '../domain/policy.ts';
import type { PolicyRule } from '../policy/rule.ts';
import { POLICY_RULES } from '../policy/rules.ts';
import type { Findings } from './findings.ts';
import type { YamlSource } from './yaml.ts';

/** `policy:` of `herald.yaml`, as written. */
export const policyShape = z.strictObject(
  Object.fromEntries(POLICY_RULES.map((rule) => [rule.key, readShape(rule)])),
);

/** `policy:` after the shape check. */
export type WrittenPolicy = Readonly<Record<string, unknown>>;

/** Large modules that some rules need, by the key of the rule. Loaded only on demand. */
export type Engines = ReadonlyMap<string, unknown>;

export const NO_ENGINES: Engines = new Map();

/** Loads the engines of the rules that `herald.yaml` mentions. */
export async function loadEngines(text: string): Promise<Engines> {
  const named = POLICY_RULES.filter(({ key }) => text.includes(key));
  return new Map(
    await Promise.all(named.map(async (rule) => [rule.key, await rule.loadEngine?.(text)] as const)),
  );
}

/** `policy:` with its defaults. */
export function readPolicy(written: WrittenPolicy, engines: Engines): Policy {
  const policy: Record<string, PolicySetting> = {};
  for (const rule of POLICY_RULES) {
    const value = written[rule.key];
    const setting =
      value === undefined
        ? rule.default
        : rule.read(value, { before: policy, engine: engines.get(rule.key) ?? null });
    if (setting !== null) policy[rule.key] = setting;
  }
  return policy;
}

/** Checks of the rules that a shape cannot express. */
export function checkPolicySettings(
  written: WrittenPolicy,
  source: YamlSource,
  engines: Engines,
  found: Findings,
): void {
  for (const rule of POLICY_RULES) {
    const value = written[rule.key];
    if (value === undefined || rule.problems === undefined) continue;
    const base = ['policy', rule.key];
    const problems = rule.problems(value, {
      engine: engines.get(rule.key) ?? null,
      oddNumberAt: (path) => source.oddNumberAt([...base, ...path]),
    });
    for (const { severity = 'error', code, path, message } of problems)
      found[severity](code, [...base, ...path], message);
  }
}

function readShape({ shape, help }: PolicyRule): z.core.$ZodType {
  return help === undefined ? z.optional(shape) : withHelp(help, z.optional(shape));
}
