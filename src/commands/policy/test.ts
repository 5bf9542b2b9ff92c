import { defineCommand } from '../../cli/define-command.ts';
import { compareDiagnostics } from '../../domain/diagnostic.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { formatAddress } from '../../domain/resource.ts';
import { isDeclaredToSend } from '../../domain/status.ts';
import { invalidFiles } from '../../library/errors.ts';
import { loadOptions } from '../../library/local-media.ts';
import { checkPolicy, isToBeSent } from '../../policy/check.ts';
import { settingOf } from '../../policy/rule.ts';
import { POLICY_RULES } from '../../policy/rules.ts';
import { renderPolicy } from '../../render/policy-text.ts';
import { loadDeclared } from '../../workspace/load.ts';

/** Checks the policy rules on the files. Works without a network and without a key. */
export const test = defineCommand({
  path: 'policy test',
  about: 'show all rules and the resources that break them; works offline',
  examples: ['herald policy test', 'herald policy test --format json'],
  needs: 'nothing',
  run: async (context) => {
    const loaded = await loadDeclared(context.files, loadOptions(context));
    if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
    const { declared, placeOf, workspace } = loaded;
    const { policy } = workspace;
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
    return {
      exit: findings.some(({ severity }) => severity === 'error') ? EXIT.blocked : EXIT.done,
      json: () => ({ schema: 'herald/policy-test/1', ...report }),
      text: () => renderPolicy(report, context.output),
    };
  },
});
