import { expect, it } from 'vitest';
import { accountNotices } from '../../src/ci/account-notices.ts';

const yaml = (accounts: string) => `version: 1\naccounts:\n${accounts}`;
const BASE = yaml('  alice: { id: "101" }\n  bob: { username: bob_b }\n');

const ofAlice = { address: { account: 'alice', kind: 'campaign', name: 'Welcome' } } as const;
const ofBob = { address: { account: 'bob', kind: 'campaign', name: 'Welcome' } } as const;

it('names the account of each alias of the plan, found by its name or written', () => {
  const about = { changes: [ofBob, ofAlice, ofAlice], resolved: [{ alias: 'bob', accountId: '102' }] };
  expect(accountNotices(BASE, { head: BASE, ...about })).toEqual([
    '> Accounts of this plan: <code>alice</code> is <code>101</code>, <code>bob</code> is <code>102</code>.',
  ]);
});

it.each([
  [
    'is new',
    '  alice: { id: "101" }\n  bob: { username: bob_b }\n  cleo: { id: "103" }\n',
    ['New alias <code>cleo</code> is <code>103</code>.'],
  ],
  [
    'moved',
    '  alice: { id: "109" }\n  bob: { username: bob_b }\n',
    ['Moved from <code>101</code>: <code>alice</code> is <code>109</code>.'],
  ],
  [
    'was removed',
    '  alice: { id: "101" }\n',
    ['Removed: <code>bob</code> was <code>username bob&#95;b</code>.'],
  ],
  [
    'was renamed',
    '  carl: { id: "101" }\n  bob: { username: bob_b }\n',
    [
      'New alias <code>carl</code> is <code>101</code>, the account of <code>alice</code>.',
      'Removed: <code>alice</code> was <code>101</code>.',
    ],
  ],
  [
    'is a second one for an account',
    '  alice: { id: "101" }\n  bob: { username: bob_b }\n  robert: { username: bob_b }\n',
    ['New alias <code>robert</code> is <code>username bob&#95;b</code>, the account of <code>bob</code>.'],
  ],
  [
    'was swapped with another',
    '  alice: { username: bob_b }\n  bob: { id: "101" }\n',
    [
      'Moved from <code>101</code>: <code>alice</code> is <code>username bob&#95;b</code>, the account of <code>bob</code>.',
      'Moved from <code>username bob&#95;b</code>: <code>bob</code> is <code>101</code>, the account of <code>alice</code>.',
    ],
  ],
])('says first that an alias %s', (_title, accounts, lines) => {
  const [notice] = accountNotices(BASE, { head: yaml(accounts), changes: [], resolved: [] });
  expect(notice?.split('\n')).toEqual([
    '> **This changes which accounts the aliases mean.**',
    ...lines.map((line) => `> - ${line}`),
  ]);
});
