import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Policy, PolicyLevel, PolicySetting } from '../domain/policy.ts';
import { formatAddress, type Declared, type PlaceOf } from '../domain/resource.ts';
import { isDeclaredToSend } from '../domain/status.ts';
import { settingOf, type MessageNow, type PolicyCase, type PolicyRule, type RunCase } from './rule.ts';
import { POLICY_RULES } from './rules.ts';

/**
 * Every rule of `policy:` that something to be sent breaks, with its places. What is paused, archived or recalled is
 * not judged, because a policy must never prevent a stop, and what is past its scheduled time is over. Findings of
 * `deny` are errors, which block the whole run.
 */
export function checkPolicy(policyCase: PolicyCase, placeOf: PlaceOf): readonly Diagnostic[] {
  const { declared, policy, leftOut, nowMs } = policyCase;
  const judged = declared.filter(({ address }) => leftOut?.has(formatAddress(address)) !== true);
  const toBeSent = judged.filter((resource) => isToBeSent(resource, nowMs));
  return judge(toBeSent, policy, policyCase).map(({ finding, resource, path }) => ({
    ...finding,
    ...placeOf(resource.source, path),
    address: formatAddress(resource.address),
  }));
}

/** Every rule of `policy:` that a single message breaks. */
export function checkMessage(message: MessageNow, policy: Policy): readonly PolicyFinding[] {
  return POLICY_RULES.flatMap((rule) => {
    const setting = settingOf(rule, policy);
    if (setting === null || rule.checkMessage === undefined) return [];
    return rule.checkMessage(message, setting).map((breach) => findingOf(rule, setting, breach));
  });
}

/** A rule that is broken, and how. */
export type PolicyFinding = Pick<Diagnostic, 'severity' | 'code' | 'message'>;

function judge(toBeSent: readonly Declared[], policy: Policy, policyCase: PolicyCase) {
  return POLICY_RULES.flatMap((rule) => {
    const setting = settingOf(rule, policy);
    if (setting === null || rule.check === undefined) return [];
    return rule
      .check(toBeSent, setting, policyCase)
      .map(({ resource, path, message }) => ({ resource, path, finding: findingOf(rule, setting, message) }));
  });
}

function findingOf({ code }: PolicyRule, { level }: PolicySetting, message: string): PolicyFinding {
  return { severity: chooseSeverity(level), code, message };
}

/** Every rule of `policy:` that a run as a whole breaks. */
export function checkRun(policy: Policy, run: RunCase): readonly Diagnostic[] {
  return POLICY_RULES.flatMap((rule) => {
    const setting = settingOf(rule, policy);
    const message = setting === null ? null : (rule.checkRun?.(run, setting) ?? null);
    if (setting === null || message === null) return [];
    return [findingOf(rule, setting, message)];
  });
}

/** Whether it is declared to be sent, and still can be. */
export function isToBeSent(resource: Declared, nowMs: number): boolean {
  if (!isDeclaredToSend(resource)) return false;
  if (resource.kind === 'campaign' || resource.atOnce === true) return true;
  return Date.parse(resource.scheduledAtUtc) > nowMs;
}

/** The severity of what breaks a rule of this level. */
function chooseSeverity(level: PolicyLevel): Diagnostic['severity'] {
  return level === 'deny' ? 'error' : 'warning';
}
