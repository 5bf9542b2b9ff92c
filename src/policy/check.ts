import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Policy, PolicyLevel } from '../domain/policy.ts';
import { formatAddress, type Declared, type PlaceOf } from '../domain/resource.ts';
import { isDeclaredToSend } from '../domain/status.ts';
import { settingOf, type PolicyCase, type RunCase } from './rule.ts';
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
  return POLICY_RULES.flatMap((rule) => {
    const setting = settingOf(rule, policy);
    if (setting === null || rule.check === undefined) return [];
    return rule.check(toBeSent, setting, policyCase).map(({ resource, path, message }) => ({
      severity: severityOf(setting.level),
      code: rule.code,
      message,
      ...placeOf(resource.source, path),
      address: formatAddress(resource.address),
    }));
  });
}

/** Every rule of `policy:` that a run as a whole breaks. */
export function checkRun(policy: Policy, run: RunCase): readonly Diagnostic[] {
  return POLICY_RULES.flatMap((rule) => {
    const setting = settingOf(rule, policy);
    const message = setting === null ? null : (rule.checkRun?.(run, setting) ?? null);
    if (setting === null || message === null) return [];
    return [{ severity: severityOf(setting.level), code: rule.code, message }];
  });
}

/** Whether it is declared to be sent, and still can be. */
export function isToBeSent(resource: Declared, nowMs: number): boolean {
  if (!isDeclaredToSend(resource)) return false;
  return resource.kind === 'campaign' || Date.parse(resource.scheduledAtUtc) > nowMs;
}

function severityOf(level: PolicyLevel): Diagnostic['severity'] {
  return level === 'deny' ? 'error' : 'warning';
}
