import { formatCommand } from '../../domain/command-line.ts';
import { shown } from '../../domain/visible.ts';
import type { PolicyFinding } from '../../policy/check.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { warningLine } from '../notice.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/**
 * Throws if the policy denies what a command is about to send. Prints warnings, unless they were printed before.
 */
export function obeyPolicy(
  { output }: Context,
  findings: readonly PolicyFinding[],
  { warn }: { readonly warn: boolean } = { warn: true },
): void {
  const [denials, warnings] = [of(findings, 'error'), of(findings, 'warning')];
  if (warn) for (const { code, message } of warnings) output.fail(warningLine(code, shown`${message}`));
  if (denials.length === 0) return;
  throw new HeraldError(
    'policy-denied',
    `The policy in herald.yaml denies it: ${denials.map(({ message }) => message).join(' ')} Nothing was sent.`,
    `Change what you send, or the policy in herald.yaml. To see all rules: ${formatCommand('policy', 'test')}`,
    { exit: EXIT.blocked, details: { findings: [...findings] } },
  );
}

function of(findings: readonly PolicyFinding[], severity: PolicyFinding['severity']) {
  return findings.filter((finding) => finding.severity === severity);
}
