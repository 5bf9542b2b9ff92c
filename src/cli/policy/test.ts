import * as z from 'zod';
import type { Context } from '../context.ts';
import { compareDiagnostics, diagnosticShape } from '../../domain/diagnostic.ts';
import { POLICY_LEVELS, POLICY_RULES, type Policy, type PolicyRule } from '../../domain/policy.ts';
import { formatAddress, type Declared } from '../../domain/resource.ts';
import { loadDeclared } from '../../workspace/load.ts';
import { loadOptions } from '../load-options.ts';
import type { PolicyCase } from '../../plan/policy-case.ts';
import { checkPolicy, isToBeSent } from '../../plan/policy.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { invalidFiles } from '../failure.ts';
import { chooseFormat } from '../formats.ts';

const RULES = ['max_changes', ...(Object.keys(POLICY_RULES) as PolicyRule[])] as const;

/** `herald/policy-test/1`: what `policy test` prints as JSON. */
export const policyTestShape = z.strictObject({
  schema: z.literal('herald/policy-test/1'),
  rules: z.array(
    z.strictObject({
      rule: z.enum(RULES),
      /** null when the rule is not set. */
      level: z.enum(POLICY_LEVELS).nullable(),
      /** In words; null when the rule is not set. */
      setting: z.string().nullable(),
      /** How many fields break it; null where only a plan can tell. */
      fires: z.int().nullable(),
    }),
  ),
  /** One for each field of each resource that breaks a rule. */
  findings: z.array(diagnosticShape),
  resources: z.int(),
  /** Resources that are to be sent; the others are not judged. */
  judged: z.int(),
});

/** `herald policy test`: which rules fire on the files as they are. It needs no network and no key. */
export async function policyTestCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, ['text', 'json']);
  const loaded = await loadDeclared(context.files, loadOptions(context));
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  const { declared, placeOf } = loaded;
  const { policy } = loaded.workspace;
  const nowMs = context.clock.now();
  const the: PolicyCase = { declared, policy, undeclared: [], sent: pastOf(declared, nowMs), nowMs };
  const findings = checkPolicy(the, placeOf).toSorted(compareDiagnostics);
  const { renderPolicy, settingsOf } = await import('../../render/policy-text.ts');
  const settings = settingsOf(policy);
  const levels = levelsOf(policy);
  const fires = (rule: (typeof RULES)[number]) =>
    rule === 'max_changes' ? null : findings.filter(({ code }) => code === POLICY_RULES[rule]).length;
  const report = {
    rules: RULES.map((rule) => ({ rule, level: levels[rule], setting: settings[rule], fires: fires(rule) })),
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

/** Without asking the service, a broadcast whose hour has passed is taken to have gone out. */
function pastOf(declared: readonly Declared[], nowMs: number): ReadonlySet<string> {
  const past = declared.filter(
    (resource) =>
      resource.kind === 'broadcast' && resource.target === 'scheduled' && !isToBeSent(resource, nowMs),
  );
  return new Set(past.map(({ address }) => formatAddress(address)));
}

function levelsOf(policy: Policy) {
  return {
    max_changes: policy.maxChanges.level,
    max_price_gross: policy.maxPriceGross?.level ?? null,
    min_price_gross: policy.minPriceGross?.level ?? null,
    banned_words: policy.bannedWords?.level ?? null,
    quiet_hours: policy.quietHours?.level ?? null,
    max_broadcasts_per_day: policy.maxBroadcastsPerDay?.level ?? null,
    required: policy.required?.level ?? null,
  };
}
