import { expect, it } from 'vitest';
import { approvalNotices } from '../../../src/ci/approvals/notices.ts';
import { memoryRepository } from '../../helpers/memory-repository.ts';
import { aChange } from '../../helpers/plan-builders.ts';

const at = (policy: string) =>
  memoryRepository([{ id: 'base', files: { 'herald.yaml': `policy: ${policy}\n` } }]);
const wanted = { base: 'base', changes: [aChange({ name: 'Hi @all' })], declared: [] };

it('says before the merge who has to approve what', async () => {
  const rules = '{ approvals: [{ match: "*", from: [ann], count: 1 }, { match: bob }] }';
  expect(await approvalNotices(at(rules), wanted)).toEqual([
    expect.stringMatching(
      /^> \*\*Needs before the apply:\*\* changes of .*: 1 approval: ann, for alice\/campaign\/Hi .*all\.$/,
    ),
  ]);
});

it('says nothing if no rule is about these changes', async () => {
  expect(await approvalNotices(at('{ approvals: [{ match: bob }] }'), wanted)).toEqual([]);
  expect(await approvalNotices(at('{}'), wanted)).toEqual([]);
});

it('says that the rules cannot be read, because the apply will refuse then', async () => {
  const [notice, ...others] = await approvalNotices(at('{ approvals: 7 }'), wanted);
  expect(notice).toContain('cannot be read at the base commit');
  expect(others).toEqual([]);
});
