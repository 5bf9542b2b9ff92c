import { describe, expect, it } from 'vitest';
import { missingApprovals, type Reviewed } from '../../../src/ci/approvals/judge.ts';
import { requiredApprovals } from '../../../src/ci/approvals/required.ts';
import { approvalFindings, requiredWords } from '../../../src/ci/approvals/words.ts';
import type { ApprovalRule } from '../../../src/domain/approval.ts';
import type { Approval, PullRequestCommit } from '../../../src/provider/provider.ts';
import { aChange } from '../../helpers/plan-builders.ts';
import { aBroadcast, aCampaign } from '../../helpers/resource-builders.ts';

function aRule(
  parts: Partial<Omit<ApprovalRule, 'when'>> & { when?: Partial<ApprovalRule['when']> } = {},
): ApprovalRule {
  const { when, ...rest } = parts;
  return {
    match: '**',
    from: [],
    count: 1,
    ...rest,
    when: { irreversible: false, priceGrossAbove: null, actions: null, everyone: false, ...when },
  };
}

const approval = (by: string, parts: Partial<Approval> = {}): Approval => ({
  by,
  commit: 'head',
  at: null,
  state: 'approved',
  ...parts,
});

const commit = (id: string, author: string | null): PullRequestCommit => ({
  commit: id,
  author,
  authorName: author ?? 'Someone <some@one.example>',
});

/** Ann opened it and wrote the first commit, Ben the last one. */
function reviewed(parts: Partial<Reviewed> = {}): Reviewed {
  return {
    pullRequest: { author: 'ann', head: 'head' },
    approvals: [],
    commits: [commit('first', 'ann'), commit('head', 'ben')],
    sameAsHead: new Set(),
    members: new Map(),
    ...parts,
  };
}

const ADDRESS = 'alice/campaign/Welcome series';
const judged = (rule: ApprovalRule, facts: Reviewed | null) =>
  missingApprovals([{ rule, addresses: [ADDRESS] }], facts);

describe('an approval', () => {
  it('counts for the last commit', () => {
    expect(judged(aRule(), reviewed({ approvals: [approval('cleo')] }))).toEqual([]);
  });

  it.each([
    ['is of an older commit', approval('cleo', { commit: 'first' }), 'old-commit'],
    ['is of a commit that the provider does not name', approval('cleo', { commit: null }), 'unknown-commit'],
    ['was dismissed', approval('cleo', { state: 'dismissed' }), 'dismissed'],
    ['was withdrawn', approval('cleo', { state: 'withdrawn' }), 'withdrawn'],
    ['is by who wrote the last commit', approval('ben'), 'own-work'],
    ['is by who wrote the last commit, in other letters', approval('BEN'), 'own-work'],
    ['is by who opened the pull request', approval('ann'), 'own-work'],
  ])('does not count if it %s', (_title, given, why) => {
    expect(judged(aRule(), reviewed({ approvals: [given] }))).toMatchObject([
      { by: [], notCounted: [{ who: given.by, why }] },
    ]);
  });

  it('counts for an older commit if only the base moved since', () => {
    const facts = { approvals: [approval('cleo', { commit: 'first' })], sameAsHead: new Set(['first']) };
    expect(judged(aRule(), reviewed(facts))).toEqual([]);
  });

  it('does not count if it is by who wrote the content before the base was merged in', () => {
    const facts = {
      pullRequest: { author: 'ann', head: 'head' },
      approvals: [approval('dan')],
      commits: [commit('first', 'dan'), commit('head', 'ben')],
      sameAsHead: new Set(['first']),
    };
    expect(judged(aRule(), reviewed(facts))).toMatchObject([
      { notCounted: [{ who: 'dan', why: 'own-work' }] },
    ]);
  });

  it('counts by who wrote only an earlier commit, because others came after it', () => {
    const facts = {
      commits: [commit('first', 'cleo'), commit('head', 'ben')],
      approvals: [approval('cleo')],
    };
    expect(judged(aRule(), reviewed(facts))).toEqual([]);
  });

  it('counts once for each person', () => {
    const twice = reviewed({ approvals: [approval('cleo'), approval('Cleo')] });
    expect(judged(aRule({ count: 2 }), twice)).toMatchObject([{ by: ['Cleo'] }]);
    const two = reviewed({ approvals: [approval('cleo'), approval('dan')] });
    expect(judged(aRule({ count: 2 }), two)).toEqual([]);
  });

  it('does not count while the provider cannot tell who wrote the last commit', () => {
    const facts = reviewed({ commits: [commit('head', null)], approvals: [approval('cleo')] });
    expect(judged(aRule(), facts)).toMatchObject([{ by: [], unknownAuthor: 'Someone <some@one.example>' }]);
    expect(judged(aRule(), reviewed({ commits: [], approvals: [approval('cleo')] }))).toHaveLength(1);
  });

  it('counts only by those that the rule names', () => {
    const rule = aRule({ from: ['Dan', 'team:acme/leads'] });
    const members = new Map([['acme/leads', new Set(['cleo'])]]);
    const by = (who: string) => judged(rule, reviewed({ approvals: [approval(who)], members }));
    expect([by('dan'), by('cleo')]).toEqual([[], []]);
    expect(by('eve')).toMatchObject([{ by: [], notCounted: [] }]);
  });

  it('is missing everywhere without a pull request', () => {
    expect(judged(aRule(), null)).toMatchObject([{ by: [], addresses: [ADDRESS] }]);
  });
});

describe('the rules that changes need', () => {
  const dear = aBroadcast({ name: 'Dear', messages: [{ text: 'Hi', price_gross: 50.01 }] });
  const about = (rule: ApprovalRule, ...changes: ReturnType<typeof aChange>[]) =>
    requiredApprovals([rule], changes, [dear, aCampaign({ name: 'Welcome series' })]).flatMap(
      ({ addresses }) => addresses,
    );
  const create = aChange({ kind: 'broadcast', name: 'Dear' });

  it.each([
    ['its address', aRule({ match: '*/broadcast/*' }), aRule({ match: 'bob/*' })],
    ['its price', aRule({ when: { priceGrossAbove: 50 } }), aRule({ when: { priceGrossAbove: 50.01 } })],
    ['its kind', aRule({ when: { actions: ['create'] } }), aRule({ when: { actions: ['replace'] } })],
  ])('are found by %s', (_title, meets, misses) => {
    expect(about(meets, create)).toEqual(['alice/broadcast/Dear']);
    expect(about(misses, create)).toEqual([]);
  });

  it('are found by what cannot be undone', () => {
    const rule = aRule({ when: { irreversible: true } });
    expect(about(rule, aChange({ action: 'recall', reversible: false }))).toEqual([ADDRESS]);
    expect(about(rule, aChange({ action: 'pause', reversible: true }))).toEqual([]);
  });

  it('are found by an audience of everyone', () => {
    const rule = aRule({ when: { everyone: true } });
    const filtered = {
      ...dear,
      content: { ...dear.content, audience_filters: [{ kind: 'x', mode: 'include' as const }] },
    };
    expect(about(rule, create)).toEqual(['alice/broadcast/Dear']);
    expect(requiredApprovals([rule], [create], [filtered])).toEqual([]);
  });

  it('hold back no stop for the price of what is stopped', () => {
    const rule = aRule({ when: { priceGrossAbove: 50 } });
    for (const action of ['pause', 'archive', 'recall', 'retire'] as const)
      expect(about(rule, aChange({ ...create.address, action }))).toEqual([]);
  });

  it('hold for what goes out with a content that is not known', () => {
    const rule = aRule({ when: { priceGrossAbove: 50 } });
    expect(about(rule, aChange({ name: 'In no file', action: 'resume' }))).toEqual([
      'alice/campaign/In no file',
    ]);
  });

  it('ask for nothing if nothing is written', () => {
    for (const action of ['keep', 'done', 'missed', 'blocked', 'unmanaged'] as const)
      expect(about(aRule(), aChange({ action }))).toEqual([]);
  });

  it('need all of their conditions', () => {
    const rule = aRule({ when: { priceGrossAbove: 50, actions: ['replace'] } });
    expect(about(rule, create)).toEqual([]);
    expect(about(rule, aChange({ ...create.address, action: 'replace' }))).toEqual(['alice/broadcast/Dear']);
  });
});

describe('the words', () => {
  it('say who has to approve', () => {
    const rule = aRule({
      match: '*/broadcast/*',
      from: ['dan', 'team:acme/leads'],
      when: { priceGrossAbove: 50 },
    });
    const addresses = ['a/broadcast/1', 'a/broadcast/2', 'a/broadcast/3', 'a/broadcast/4'];
    const missing = missingApprovals(
      [{ rule, addresses }],
      reviewed({ approvals: [approval('dan', { commit: 'first' })] }),
    );
    expect(approvalFindings(missing)).toEqual([
      {
        severity: 'error',
        code: 'approval-missing',
        message:
          'policy.approvals asks for 1 approval of changes of "*/broadcast/*" with a price above 50, and the pull request has none: a/broadcast/1, a/broadcast/2, a/broadcast/3 and 1 more. Not counted: dan approved an older commit. Let 1 more approve the last commit: dan or team acme/leads.',
      },
    ]);
    expect(requiredWords({ rule, addresses })).toBe(
      'changes of "*/broadcast/*" with a price above 50: 1 approval: dan or team acme/leads, for a/broadcast/1, a/broadcast/2, a/broadcast/3 and 1 more',
    );
  });

  it('say what to do if the author is not known', () => {
    const missing = judged(aRule({ count: 2 }), reviewed({ commits: [commit('head', null)] }));
    expect(approvalFindings(missing)).toMatchObject([
      { address: ADDRESS, message: expect.stringContaining('Push a commit of a known author') },
    ]);
  });
});
