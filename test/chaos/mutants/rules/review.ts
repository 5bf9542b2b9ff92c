import type { Mutant } from '../mutant.ts';

const JUDGE = 'test/ci/approvals/judge.test.ts';
const APPROVALS = 'test/flows/ci-approvals.test.ts';
const ON_GITLAB = 'test/flows/ci-gitlab.test.ts';
const SIGNED = 'test/flows/signed-plans.test.ts';
const GITLAB = 'test/provider/gitlab.test.ts';

/** Rules that bind an apply to its review. The chaos run has no reviews, so a test must find each. */
export const REVIEW: readonly Mutant[] = [
  {
    name: 'the author approves',
    protects: 'Who wrote the last commit or opened the pull request cannot approve it.',
    file: 'src/ci/approvals/judge.ts',
    find: "if (authors.has(sameLogin(by))) return 'own-work';",
    replace: "if (authors.size === 0) return 'own-work';",
    test: { file: JUDGE, name: 'an approval' },
  },
  {
    name: 'an old approval counts',
    protects: 'An approval does not count for a commit with other content.',
    file: 'src/ci/approvals/judge.ts',
    find: "return commit === pullRequest.head || sameAsHead.has(commit) ? null : 'old-commit';",
    replace: "return commit === pullRequest.head || sameAsHead.size >= 0 ? null : 'old-commit';",
    test: { file: JUDGE, name: 'an approval' },
  },
  {
    name: 'a change without its approval is carried out',
    protects: 'A change that lacks an approval is blocked.',
    file: 'src/plan/guards/approved.ts',
    find: 'return because === null',
    replace: 'return because !== undefined',
    test: { file: ON_GITLAB, name: 'counts the approvals of the merge request' },
  },
  {
    name: 'the pull request decides who approves',
    protects: 'The rules of the base before the push decide, not those that the pull request brought.',
    file: 'src/ci/approvals/gate.ts',
    find: 'const ofBase = await approvalRulesAt(repository, base);',
    replace: 'const ofBase = await approvalRulesAt(repository, commit);',
    test: { file: APPROVALS, name: 'are those of the base, also if the pull request removes them' },
  },
  {
    name: 'a rebased commit is taken for the base',
    protects: 'The base of a rebase is the first commit that is not of the pull request.',
    file: 'src/ci/merged-pulls.ts',
    find: 'if (!around.some((one) => one.number === number)) return parent;',
    replace: 'if (around.length >= 0) return parent;',
    test: { file: 'test/ci/merged-pulls.test.ts', name: 'a rebase of two commits' },
  },
  {
    name: 'the artifact of another pull request is taken',
    protects: 'A plan in an artifact is of the commit that the comment names.',
    file: 'src/ci/read-review.ts',
    find: '(plan.commit?.id ?? head) === head',
    replace: 'head === marker.head',
    test: { file: APPROVALS, name: 'cannot be borrowed by naming the artifact' },
  },
  {
    name: 'a reverted change comes back',
    protects:
      'A change that a later pull request changed again is not applied by a repeated job of the earlier one.',
    file: 'src/ci/read-review.ts',
    find: '!withdrawn.includes(formatAddress(address))',
    replace: "!withdrawn.includes('') || formatAddress(address) !== ''",
    test: { file: ON_GITLAB, name: 'is not applied by a repeated job after that' },
  },
  {
    name: 'a named plan is not compared',
    protects: 'A plan that a person names is the one that was reviewed in the pull request.',
    file: 'src/ci/choose-review.ts',
    find: 'reviews.find(({ marker }) => marker.plan === fingerprint)',
    replace: 'reviews.find(({ marker }) => marker.plan !== null)',
    test: { file: 'test/flows/ci-apply.test.ts', name: 'refuses a plan that was not reviewed there' },
  },
  {
    name: 'what was not reviewed is carried out',
    protects: 'A change without a reviewed fingerprint is blocked.',
    file: 'src/plan/guards/reviewed.ts',
    find: 'some((one) => reviewed.has(one))) return change;',
    replace: 'some((one) => reviewed.has(one) || reviewed.size > 0)) return change;',
    test: { file: ON_GITLAB, name: 'holds back what someone changed by hand' },
  },
  {
    name: 'the outcome of another job is overwritten',
    protects:
      'A job leaves the comment of an earlier merge alone if the job of that merge has told its outcome.',
    file: 'src/ci/report-outcome.ts',
    find: 'if (!isEarlier) return false;',
    replace: 'if (pullRequest.number > 0) return false;',
    test: { file: 'test/ci/report-outcome.test.ts', name: 'leaves the comment of an earlier merge alone' },
  },
  {
    name: 'a signature is not checked',
    protects: 'With a key, a plan is signed by it.',
    file: 'src/cli/resources/saved-plan.ts',
    find: 'if (!key.hasSigned(digest, signature))',
    replace: "if (!key.hasSigned(digest, signature) && signature === '')",
    test: { file: SIGNED, name: 'was signed with another key' },
  },
  {
    name: 'the plan of another service is taken',
    protects: 'A saved plan is applied on the service that it was made for.',
    file: 'src/reconcile/stale.ts',
    find: 'otherService(saved, workspace.service.identity) ?? otherWorkspace(saved, remotes);',
    replace: 'otherWorkspace(saved, remotes);',
    test: { file: SIGNED, name: 'is refused for another service' },
  },
  {
    name: 'a fingerprint leaves out the status of what it takes away',
    protects: 'A live object with another status is another change.',
    file: 'src/plan/fingerprint/fingerprints.ts',
    find: 'status: statusBefore(one, action),',
    replace: 'status: action,',
    test: {
      file: 'test/plan/fingerprints.test.ts',
      name: 'the status of an object that is archived',
    },
  },
  {
    name: 'the token follows a redirect',
    protects: 'The token of a provider goes to its API only.',
    file: 'src/provider/bound-fetch.ts',
    find: 'if (url.origin !== home) for (const name of SECRET_HEADERS) headers.delete(name);',
    replace: "if (url.origin === '') for (const name of SECRET_HEADERS) headers.delete(name);",
    test: { file: GITLAB, name: 'sends its token to GitLab only, also after a redirect' },
  },
  {
    name: 'the comment of another person is read',
    protects: 'Only comments of our own identity are read.',
    file: 'src/provider/gitlab/provider.ts',
    find: 'marked.filter(({ author }) => author?.id === id)',
    replace: 'marked.filter(({ author }) => author !== null && id > 0)',
    test: { file: GITLAB, name: 'only if our own identity wrote them' },
  },
];
