import type { ApprovalRule } from '../domain/approval.ts';
import { approvalProblems, readApprovalRules } from '../policy/approvals.ts';
import { checkShape } from './shape-issues.ts';
import { workspaceFileShape } from './schema.ts';
import { readYaml } from './yaml-source.ts';

/** Who has to approve, as far as a text of `herald.yaml` tells. */
export type ReadApprovals =
  | { readonly kind: 'rules'; readonly rules: readonly ApprovalRule[] }
  /** Something there has errors: a rule may be missing, so nothing counts as approved. */
  | { readonly kind: 'unknown'; readonly because: string };

/** Reads `policy.approvals` alone, because it decides also where other parts of the file have errors. */
export function readApprovals(text: string): ReadApprovals {
  const { source, diagnostics } = readYaml('herald.yaml', text);
  const [broken] = diagnostics;
  if (source === null || broken !== undefined)
    return { kind: 'unknown', because: broken?.message ?? 'The file is empty.' };
  const { value, findings } = checkShape(workspaceFileShape, source.value, { version: 1 });
  // A key that is not known may have been meant as `policy` or `approvals`.
  const doubt = findings.find(
    ({ code, path: [section, key] }) =>
      (section === 'policy' && (key === undefined || key === 'approvals' || code === 'unknown-key')) ||
      (code === 'unknown-key' && key === undefined),
  );
  if (value === null || doubt !== undefined)
    return { kind: 'unknown', because: doubt?.message ?? 'The file cannot be read.' };
  const written = value.policy?.approvals;
  const [problem] = approvalProblems(written);
  if (problem !== undefined) return { kind: 'unknown', because: problem.message };
  return { kind: 'rules', rules: readApprovalRules(written) };
}
