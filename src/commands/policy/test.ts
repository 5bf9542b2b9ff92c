import { defineCommand } from '../../cli/define-command.ts';
import type { PolicyTest } from '../../cli/schemas.ts';
import { compareDiagnostics } from '../../domain/diagnostic.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { formatAddress } from '../../domain/resource.ts';
import { isDeclaredToSend } from '../../domain/status.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { checkPolicy, isToBeSent } from '../../policy/check.ts';
import { POLICY_RULES, readSetting } from '../../policy/rules.ts';
import { FindingList } from '../../render/diagnostics.ts';
import type { TextStyle } from '../../render/spans.ts';
import { renderTable } from '../../render/table.ts';
import { count } from '../../render/wording.ts';

export const test = defineCommand({
  path: 'policy test',
  about: 'show all rules and the resources that break them; works offline',
  examples: ['herald policy test', 'herald policy test --format json'],
  needs: 'files',
  run: (context, _given, { declared, placeOf, workspace: { policy } }) => {
    const nowMs = context.clock.now();
    // Offline, broadcasts with a past time count as sent.
    const sent = declared.filter(
      (resource) =>
        resource.kind === 'broadcast' && isDeclaredToSend(resource) && !isToBeSent(resource, nowMs),
    );
    const policyCase = {
      declared,
      policy,
      undeclared: [],
      sent: new Set(sent.map(({ address }) => formatAddress(address))),
      nowMs,
    };
    const findings = checkPolicy(policyCase, placeOf).toSorted(compareDiagnostics);
    const report: PolicyTest = {
      schema: 'herald/policy-test/1',
      rules: POLICY_RULES.map((rule) => {
        const setting = readSetting(rule, policy);
        return {
          rule: rule.key,
          level: setting?.level ?? null,
          setting: setting === null ? null : rule.describe(setting, policy),
          fires:
            rule.checkRun !== undefined ? null : findings.filter(({ code }) => code === rule.code).length,
        };
      }),
      findings,
      resources: declared.length,
      judged: declared.filter((resource) => isToBeSent(resource, nowMs)).length,
    };
    return {
      exit: findings.some(({ severity }) => severity === 'error') ? EXIT.blocked : EXIT.done,
      json: () => report,
      text: () => renderPolicy(report, context.output),
    };
  },
});

/** All rules with their settings, then the findings, then the count. Ends with a line break. */
function renderPolicy(report: Omit<PolicyTest, 'schema'>, style: TextStyle): Visible {
  const { rules, findings, resources, judged } = report;
  const left = resources - judged;
  const notJudged = left === 0 ? '' : ` ${left} not checked: paused, archived, recalled, or already sent.`;
  const opening = findings.length === 0 ? 'No rule is broken' : 'Checked';
  // Settings are not cut, because a list of words must be readable.
  const columns = ['RULE', 'LEVEL', 'FIRES', { header: 'SETTING', whole: true }];
  const rows = rules.map(({ rule, level, setting, fires }) =>
    level === null || setting === null
      ? [rule, '', '', 'not set']
      : [rule, level, fires === null ? 'by plan' : String(fires), setting],
  );
  const found = findings.length === 0 ? [] : [new FindingList(findings).drawLines(style)];
  const verdict = shown`${opening}: ${count(judged, 'resource')}.${notJudged}\n`;
  return joined([renderTable(columns, rows, style), ...found, verdict], '\n');
}
