import { describe, expect, it } from 'vitest';
import { approvalRulesAt } from '../../../src/ci/approvals/base-rules.ts';
import { checkApprovals } from '../../../src/ci/approvals/check.ts';
import type { RequiredApproval } from '../../../src/ci/approvals/required.ts';
import type { Approval, Provider, PullRequest, PullRequestCommit } from '../../../src/provider/provider.ts';
import { memoryRepository, type MemoryCommit } from '../../helpers/memory-repository.ts';

const RULES = 'version: 1\npolicy: { approvals: [{ match: "*", from: ["team:acme/leads"] }] }\n';

/** The base, a pull request of two commits, and the base that went on and was merged into it. */
const HISTORY: readonly MemoryCommit[] = [
  { id: 'base', files: { 'herald.yaml': RULES, 'a.yaml': 'a' } },
  { id: 'first', parents: ['base'], files: { 'herald.yaml': RULES, 'a.yaml': 'b' } },
  { id: 'base-2', parents: ['base'], files: { 'herald.yaml': RULES, 'a.yaml': 'a', 'other.yaml': 'o' } },
  {
    id: 'merged',
    parents: ['first', 'base-2'],
    files: { 'herald.yaml': RULES, 'a.yaml': 'b', 'other.yaml': 'o' },
  },
  {
    id: 'edited',
    parents: ['merged'],
    files: { 'herald.yaml': 'version: 1\n', 'a.yaml': 'c', 'other.yaml': 'o' },
  },
];

const REQUIRED: RequiredApproval = {
  rule: {
    match: '*',
    from: ['team:acme/leads'],
    count: 1,
    when: { irreversible: false, priceGrossAbove: null, actions: null, everyone: false },
  },
  addresses: ['alice/campaign/Welcome'],
};

const approval = (by: string, commit: string, state: Approval['state'] = 'approved'): Approval => ({
  by,
  commit,
  at: null,
  state,
});

const commit = (id: string, author: string): PullRequestCommit => ({
  commit: id,
  author,
  authorName: author,
});

/** A pull request with this head, and what was asked about it. */
function aSource(head: string, approvals: readonly Approval[]) {
  const asked: string[] = [];
  const provider: Pick<Provider, 'approvals' | 'commits' | 'isInTeam'> = {
    approvals: async () => {
      asked.push('approvals');
      return approvals;
    },
    commits: async () => {
      asked.push('commits');
      const all = [commit('first', 'ann'), commit('merged', 'ben'), commit('edited', 'ann')];
      return all.slice(0, all.findIndex((one) => one.commit === head) + 1);
    },
    isInTeam: async (user, team) => {
      asked.push(`${user} in ${team}`);
      return user !== 'eve';
    },
  };
  const source = {
    provider: provider as Provider,
    repository: memoryRepository(HISTORY),
    pullRequest: { number: 7, author: 'ann', head } as PullRequest,
    base: 'base-2',
  };
  return { source, asked };
}

describe('the approvals of a pull request', () => {
  it('count for an older commit if only the base was merged in since', async () => {
    const { source } = aSource('merged', [approval('cleo', 'first')]);
    expect(await checkApprovals([REQUIRED], source)).toEqual([]);
  });

  it('do not count for an older commit if the content changed since', async () => {
    const { source } = aSource('edited', [approval('cleo', 'first'), approval('dan', 'merged')]);
    expect(await checkApprovals([REQUIRED], source)).toMatchObject([
      {
        notCounted: [
          { who: 'cleo', why: 'old-commit' },
          { who: 'dan', why: 'old-commit' },
        ],
      },
    ]);
  });

  it('do not count for a commit that is gone, as after a force-push', async () => {
    const { source } = aSource('first', [approval('cleo', 'gone')]);
    expect(await checkApprovals([REQUIRED], source)).toMatchObject([{ notCounted: [{ why: 'old-commit' }] }]);
  });

  it('do not count by the author of the content, if another one only merged the base in', async () => {
    const { source } = aSource('merged', [approval('ann', 'merged'), approval('ben', 'merged')]);
    expect(await checkApprovals([REQUIRED], source)).toMatchObject([
      { notCounted: [{ why: 'own-work' }, { why: 'own-work' }] },
    ]);
  });

  it('are asked for only where a rule needs them, and teams only about people who approved', async () => {
    const { source, asked } = aSource('first', [
      approval('Cleo', 'first'),
      approval('eve', 'first'),
      approval('dan', 'first', 'dismissed'),
    ]);
    expect(await checkApprovals([], source)).toEqual([]);
    expect(asked).toEqual([]);
    expect(await checkApprovals([REQUIRED], source)).toEqual([]);
    expect(asked).toEqual(['approvals', 'commits', 'cleo in acme/leads', 'eve in acme/leads']);
  });

  it('are all missing without a pull request', async () => {
    expect(await checkApprovals([REQUIRED], null)).toHaveLength(1);
  });
});

describe('the rules', () => {
  const repository = memoryRepository(HISTORY);

  it('are those of the base, whatever the pull request writes', async () => {
    expect(await approvalRulesAt(repository, 'base-2')).toHaveLength(1);
    expect(await approvalRulesAt(repository, 'edited')).toEqual([]);
  });

  it('are none if the base has no workspace yet', async () => {
    const empty = memoryRepository([{ id: 'base', files: {} }]);
    expect(await approvalRulesAt(empty, 'base')).toEqual([]);
  });

  it('are refused if they cannot be read, because one of them may be needed', async () => {
    const broken = memoryRepository([{ id: 'base', files: { 'herald.yaml': 'policy: { approvals: 7 }\n' } }]);
    await expect(approvalRulesAt(broken, 'base')).rejects.toMatchObject({
      code: 'invalid-files',
      message: expect.stringContaining('cannot be read at the base commit base'),
    });
  });
});
