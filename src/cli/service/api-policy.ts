import { CATALOGUE } from '../../api/catalogue.ts';
import type { CampaignContent } from '../../domain/campaign.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Declared, Kind } from '../../domain/resource.ts';
import { messageNow } from '../../domain/chat-draft.ts';
import { draftOf } from '../../operations/raw-call/acts.ts';
import { nameOf, UNKNOWN_TIME, wantedOf } from '../../operations/raw-call/changes.ts';
import type { RawCall } from '../../operations/raw-call/raw-call.ts';
import { checkMessage, checkSent, severityOf, type PolicyFinding } from '../../policy/check.ts';
import { settingOf } from '../../policy/rule.ts';
import { quietHours } from '../../policy/rules/quiet-hours.ts';

/**
 * What the policy says about a raw call that sends something: a chat message or a create. Other calls send nothing,
 * and a stop is never denied. `nowMs` is the service's time.
 */
export function policyOnCall(policy: Policy, call: RawCall, nowMs: number): readonly PolicyFinding[] {
  switch (call.operation) {
    case 'chat.send':
      return checkMessage(messageNow(draftOf(call.body), nowMs), policy);
    case 'campaigns.create': {
      const content = wantedOf(call).content as CampaignContent;
      const only = { kind: 'campaign', target: 'active', replace: 'pause_first', oldQueue: 'keep' } as const;
      return checkSent({ ...declaredBy(call, 'campaign'), ...only, content }, policy, nowMs);
    }
    case 'broadcasts.create':
      return onBroadcast(policy, call, nowMs);
    default:
      return [];
  }
}

/** Without a schedule, or with one in the past, it is sent at once (BROADCAST-7). */
function onBroadcast(policy: Policy, call: RawCall, nowMs: number): readonly PolicyFinding[] {
  const { content, scheduledAtUtc: at } = wantedOf(call);
  const isScheduled = CATALOGUE['broadcasts.create'].body.parse(call.body).scheduled_at !== undefined;
  const isUnknown = isScheduled && at === UNKNOWN_TIME;
  const atMs = isScheduled && !isUnknown ? Math.max(Date.parse(at ?? ''), nowMs) : nowMs;
  const declared: Declared = {
    ...declaredBy(call, 'broadcast'),
    kind: 'broadcast',
    target: 'scheduled',
    content,
    scheduledAtUtc: new Date(atMs).toISOString(),
  };
  const findings = checkSent(declared, policy, nowMs);
  return isUnknown ? withUnknownTime(findings, policy) : findings;
}

/** Only UTC is documented, so the time of another clock is not known, and may be quiet (BROADCAST-4). */
function withUnknownTime(findings: readonly PolicyFinding[], policy: Policy): readonly PolicyFinding[] {
  const setting = settingOf(quietHours, policy);
  if (setting === null) return findings;
  const message = 'policy.quiet_hours cannot be checked, because scheduled_at is not in UTC.';
  const unchecked = { severity: severityOf(setting.level), code: quietHours.code, message };
  return [...findings.filter(({ code }) => code !== quietHours.code), unchecked];
}

/** No file declares it, so it has no place. */
function declaredBy<One extends Kind>(call: RawCall, kind: One) {
  return {
    address: { account: call.params['account_id'] ?? '', kind, name: nameOf(call) ?? '' },
    source: { file: '', line: 1, column: 1 },
    timezone: null,
    renamedFrom: null,
    protect: false,
    ignore: [],
  };
}
