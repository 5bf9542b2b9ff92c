import { invalidFiles } from '../../library/errors.ts';
import * as z from 'zod';
import type { Context } from '../context.ts';
import { compareDiagnostics } from '../../domain/diagnostic.ts';
import { diagnosticShape } from '../../domain/diagnostic-shape.ts';
import { POLICY_LEVELS } from '../../domain/policy.ts';
import { formatAddress, type Declared } from '../../domain/resource.ts';
import { isDeclaredToSend } from '../../domain/status.ts';
import { loadDeclared } from '../../workspace/load.ts';
import { loadOptions } from '../../library/load-options.ts';
import { checkPolicy, isToBeSent } from '../../policy/check.ts';
import { settingOf, type PolicyCase } from '../../policy/rule.ts';
import { POLICY_RULES } from '../../policy/rules.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';

/** `herald/policy-test/1`: the JSON output of `policy test`. */
export const policyTestShape = z.strictObject({
  schema: z.literal('herald/policy-test/1'),
  rules: z.array(
    z.strictObject({
      rule: z.enum(POLICY_RULES.map(({ key }) => key)),
      /** Null if the rule is not set. */
      level: z.enum(POLICY_LEVELS).nullable(),
      /** In words. Null if the rule is not set. */
      setting: z.string().nullable(),
      /** Number of fields that break it. Null if only a plan can check it. */
      fires: z.int().nullable(),
    }),
  ),
  /** One for each field of each resource that breaks a rule. */
  findings: z.array(diagnosticShape),
  resources: z.int(),
  /** Number of resources that are to be sent. The others are not checked. */
  judged: z.int(),
});

/** `herald policy test`: checks the policy rules on the files. Works without a network and without a key. */
export async function policyTestCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const loaded = await loadDeclared(context.files, loadOptions(context));
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  const { declared, placeOf } = loaded;
  const { policy } = loaded.workspace;
  const nowMs = context.clock.now();
  const policyCase: PolicyCase = { declared, policy, undeclared: [], sent: pastOf(declared, nowMs), nowMs };
  const findings = checkPolicy(policyCase, placeOf).toSorted(compareDiagnostics);
  const { renderPolicy } = await import('../../render/policy-text.ts');
  const report = {
    rules: POLICY_RULES.map((rule) => {
      const setting = settingOf(rule, policy);
      return {
        rule: rule.key,
        level: setting?.level ?? null,
        setting: setting === null ? null : rule.describe(setting),
        fires: rule.check === undefined ? null : findings.filter(({ code }) => code === rule.code).length,
      };
    }),
    findings,
    resources: declared.length,
    judged: declared.filter((resource) => isToBeSent(resource, nowMs)).length,
  };
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/policy-test/1', ...report })
      : renderPolicy(report, context.output),
  );
  return findings.some(({ severity }) => severity === 'error') ? EXIT.blocked : EXIT.done;
}

/** Broadcasts with a past time. Offline, they count as sent. */
function pastOf(declared: readonly Declared[], nowMs: number): ReadonlySet<string> {
  const past = declared.filter(
    (resource) => resource.kind === 'broadcast' && isDeclaredToSend(resource) && !isToBeSent(resource, nowMs),
  );
  return new Set(past.map(({ address }) => formatAddress(address)));
}
