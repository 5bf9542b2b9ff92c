import { describe, expect, it } from 'vitest';
import { describeApprovalRule, describeApprovers } from '../../src/policy/approvals.ts';
import { readApprovals } from '../../src/workspace/approvals.ts';
import { CAMPAIGN, load, WORKSPACE } from './declare.ts';

const withRules = (rules: string) => `${WORKSPACE}policy:\n  approvals: ${rules}\n`;

async function problemsOf(rules: string): Promise<readonly string[]> {
  const loaded = await load({ 'herald.yaml': withRules(rules), 'campaigns/a.yaml': CAMPAIGN });
  return loaded.kind === 'loaded' ? [] : loaded.diagnostics.map(({ message }) => message);
}

describe('policy.approvals', () => {
  it('is read with its defaults', () => {
    const text = withRules(
      '[{ match: "*/broadcast/*", when: { price_gross_above: 50, action: create }, from: [ann, "team:acme/leads"], count: 2 }, { match: "**", when: irreversible }, { match: "alice/*" }]',
    );
    const always = { irreversible: false, priceGrossAbove: null, actions: null, everyone: false };
    expect(readApprovals(text)).toEqual({
      kind: 'rules',
      rules: [
        {
          match: '*/broadcast/*',
          when: { ...always, priceGrossAbove: 50, actions: ['create'] },
          from: ['ann', 'team:acme/leads'],
          count: 2,
        },
        { match: '**', when: { ...always, irreversible: true }, from: [], count: 1 },
        { match: 'alice/*', when: always, from: [], count: 1 },
      ],
    });
  });

  it('says in words what it is about, and who can approve', () => {
    const read = readApprovals(
      withRules(
        '[{ match: "*", when: { irreversible: true, price_gross_above: 5, action: [create, replace], audience: everyone }, from: [ann, ben, "team:a/b"] }, { match: "*" }]',
      ),
    );
    const rules = read.kind === 'rules' ? read.rules : [];
    expect(rules.map(describeApprovalRule)).toEqual([
      'changes of "*" that cannot be undone and with a price above 5 and that create or replace and to everyone',
      'changes of "*"',
    ]);
    expect(rules.map(describeApprovers)).toEqual(['ann, ben or team a/b', null]);
  });

  it('has no rules without the key, and without a policy', () => {
    for (const text of [WORKSPACE, `${WORKSPACE}policy: { max_changes: 3 }\n`])
      expect(readApprovals(text)).toEqual({ kind: 'rules', rules: [] });
  });

  it.each([
    ['[{ match: "*/broadcasts/*" }]', /"broadcasts" is not a kind/],
    ['[{ match: "*", from: [ann, ann], count: 2 }]', /only 1 can approve/],
    ['[{ match: "*", from: ["@ann"] }]', /without "@"/],
    ['[{ match: "*", from: ["team:leads"] }]', /team:organisation\/name/],
    ['[{ match: "*", from: [] }]', /remove `from`/],
    ['[{ match: "*", when: {} }]', /remove `when`/],
    ['[{ match: "*", when: never }]', /./],
    ['[{ match: "*", when: { price_above: 5 } }]', /price_gross_above/],
    ['[{ match: "*", count: 0 }]', /1 or more/],
    ['[{ when: irreversible }]', /"match" is missing/],
    ['{ match: "*" }', /./],
  ])('refuses %s', async (rules, message) => {
    expect(await problemsOf(rules)).toContainEqual(expect.stringMatching(message));
    expect(readApprovals(withRules(rules)).kind).toBe('unknown');
  });

  it('lets a team have any number of members', async () => {
    expect(await problemsOf('[{ match: "*", from: ["team:a/b"], count: 5 }]')).toEqual([]);
  });

  it.each([
    ['is not YAML', 'policy: ['],
    ['has the key twice', `${WORKSPACE}policy: { approvals: [] }\npolicy: {}\n`],
    ['may mean another key as the policy', `${WORKSPACE}polices: { approvals: [] }\n`],
    ['may mean another key as the approvals', `${WORKSPACE}policy: { aprovals: [] }\n`],
    ['has a policy that is a list', `${WORKSPACE}policy: []\n`],
  ])('is not known where the file %s', (_title, text) => {
    expect(readApprovals(text).kind).toBe('unknown');
  });

  it('is known where another part of the file has errors', () => {
    const text = `${withRules('[{ match: "*" }]')}allow: 7\n`;
    expect(readApprovals(text)).toMatchObject({ kind: 'rules', rules: [{ match: '*' }] });
  });
});
