import type { Diagnostic } from '../domain/diagnostic.ts';
import type { ObservedMessage } from '../domain/replies.ts';
import { formatAddress, type Declared, type Observed, type PlaceOf } from '../domain/resource.ts';
import { isDeclaredToSend } from '../domain/status.ts';
import {
  POLICY_RULES,
  readSetting,
  type PolicyCase,
  type PolicyMessage,
  type PolicyRule,
  type RunCase,
} from './rules.ts';
import type { Policy, PolicySetting } from '../domain/workspace.ts';

/**
 * Every rule of `policy:` that something to be sent breaks, with its places. What is paused, archived or recalled is
 * not judged, because a policy must never prevent a stop, and what is past its scheduled time is over. Findings of
 * `deny` are errors, which block the whole run.
 */
export function checkPolicy(policyCase: PolicyCase, placeOf: PlaceOf): readonly Diagnostic[] {
  const { declared, policy, leftOut, nowMs } = policyCase;
  if (Object.keys(policy).length === 0) return [];
  const toBeSent = declared.filter(
    (one) => leftOut?.has(formatAddress(one.address)) !== true && isToBeSent(one, nowMs),
  );
  const messages = toBeSent.map((resource) => {
    const hour = resource.kind === 'broadcast' ? resource.scheduledAtUtc : null;
    return { resource, own: listMessages(resource.content.messages, hour) };
  });
  const found = judge(policy, (rule, setting) => {
    const explain = explainMessages(rule, setting);
    return [
      ...(rule.check?.(toBeSent, setting, policyCase) ?? []),
      ...messages.flatMap(({ resource, own }) => explain(own).map((breach) => ({ resource, ...breach }))),
    ];
  });
  return found.map(({ resource, path, severity, code, message }) => ({
    severity,
    code,
    message,
    ...placeOf(resource.source, path),
    address: formatAddress(resource.address),
  }));
}

/**
 * The messages of a resource, as rules judge them; `hour` is null for a campaign. Assumed: the delay of each message of a sequence
 * counts from the one before (CONTENT-13).
 */
function listMessages(messages: readonly SentMessage[], hour: string | null): readonly PolicyMessage[] {
  const isBroadcast = hour !== null;
  let atMs = isBroadcast ? Date.parse(hour) : 0;
  return messages.map(({ text, price_gross: price, delay_sec: delay }, index) => {
    const delaySec = delay ?? 0;
    const isSameSend = index > 0 && delaySec === 0;
    if (index > 0) atMs += delaySec * 1000;
    const dueMs = isBroadcast && !isSameSend ? atMs : null;
    return { text: text ?? null, price: price ?? 0, dueMs, isBroadcast };
  });
}

type SentMessage = Pick<ObservedMessage, 'text' | 'price_gross' | 'delay_sec'>;

export type PolicyFinding = Pick<Diagnostic, 'severity' | 'code' | 'message'>;

/** Every rule of `policy:` that a message to one fan breaks, which no file declares, and which a command sends at a time. */
export function checkMessage(
  { text, price, atMs }: Pick<PolicyMessage, 'text' | 'price'> & { readonly atMs: number },
  policy: Policy,
): readonly PolicyFinding[] {
  const message = { text, price, dueMs: atMs, isBroadcast: false };
  return judge(policy, ({ inMessage }, setting) =>
    (inMessage?.judge(setting)(message) ?? []).map((breach) => ({ message: `the message ${breach}` })),
  );
}

/** Every rule of `policy:` that a message of a live object breaks, which a command starts as it is. */
export function checkLive({ kind, live }: Observed, policy: Policy): readonly PolicyFinding[] {
  const hour = kind === 'broadcast' ? (live.scheduled_at ?? null) : null;
  const messages = listMessages(live.messages ?? [], hour);
  return judge(policy, (rule, setting) => explainMessages(rule, setting)(messages));
}

function explainMessages({ inMessage }: PolicyRule, setting: PolicySetting) {
  const explain = inMessage?.judge(setting) ?? (() => []);
  return (messages: readonly PolicyMessage[]) =>
    messages.flatMap((message, index) =>
      explain(message).map((breach) => ({
        path: inMessage?.path(index) ?? [],
        message: `messages[${index}] ${breach}`,
      })),
    );
}

export function checkRun(policy: Policy, run: RunCase): readonly PolicyFinding[] {
  return judge(policy, (rule, setting) => {
    const message = rule.checkRun?.(run, setting) ?? null;
    return message === null ? [] : [{ message }];
  });
}

/** The violations of all rules that are set, with the code and the severity of the rule. */
function judge<Violation extends { readonly message: string }>(
  policy: Policy,
  check: (rule: PolicyRule, setting: PolicySetting) => readonly Violation[],
): readonly (Violation & PolicyFinding)[] {
  return POLICY_RULES.flatMap((rule) => {
    const setting = readSetting(rule, policy);
    if (setting === null) return [];
    const severity = setting.level === 'deny' ? ('error' as const) : ('warning' as const);
    return check(rule, setting).map((violation) => ({ severity, code: rule.code, ...violation }));
  });
}

export function isToBeSent(resource: Declared, nowMs: number): boolean {
  if (!isDeclaredToSend(resource)) return false;
  if (resource.kind === 'campaign' || resource.atOnce === true) return true;
  return Date.parse(resource.scheduledAtUtc) > nowMs;
}
