import type { ApprovalRule } from '../../domain/approval.ts';
import { readApprovals } from '../../workspace/approvals.ts';
import type { Context } from '../context.ts';

/** `policy.approvals` of the workspace as it is, once its files are known to be valid. */
export async function approvalRules({ files }: Context): Promise<readonly ApprovalRule[]> {
  const read = readApprovals(await files.readText('herald.yaml'));
  return read.kind === 'rules' ? read.rules : [];
}
