import { hasCode } from '../../src/domain/herald-error.ts';
import { diagnosticsIn } from '../../src/cli/findings.ts';
import { describe, expect, it } from 'vitest';
import { resolveAccounts } from '../../src/live/accounts.ts';
import { SERVICE_DEFAULTS, type AccountSelector, type WorkspaceAccount } from '../../src/domain/workspace.ts';
import { aScene } from '../api/client-scene.ts';

const SERVICE = {
  ...SERVICE_DEFAULTS,
  target: { kind: 'http', baseUrl: 'https://svc.test' },
  identity: { origin: 'https://svc.test', source: 'herald.yaml', simulator: false },
} as const;

const BIG = '9007199254740993123';

const wanted = (alias: string, by: AccountSelector['by'], value: string): WorkspaceAccount => ({
  alias,
  selector: { by, value },
  source: { file: 'herald.yaml', line: 7, column: 3 },
});

/** The accounts list as the wire carries it: ids as numbers with all their digits. */
const LISTED = `{"accounts":[
  {"id":101,"platform_account_id":"5551","platform":"platform_a","username":"alice_x","custom_label":"Alice"},
  {"id":${BIG},"platform_account_id":${BIG},"platform":"platform_a","username":"bob_x","custom_label":null},
  {"id":"103","platform_account_id":5553,"platform":"platform_b","username":"carol_x","custom_label":"Carol"},
  {"id":104,"platform":null,"username":"dora_x","custom_label":"Twin"},
  {"id":105,"platform":"platform_a","username":"erin_x","custom_label":"Twin"},
  {"id":106,"platform":"platform_b","username":"alice_x","custom_label":5}
]}`;

const resolve = async (...accounts: WorkspaceAccount[]) => {
  const scene = aScene(() => new Response(LISTED));
  const resolved = await resolveAccounts(scene.client, { service: SERVICE }, accounts);
  return {
    resolved: resolved.map(({ alias, accountId }) => `${alias}=${accountId}`),
    requests: scene.sent.length,
  };
};

const problemsOf = async (...accounts: WorkspaceAccount[]) => {
  const error = await resolve(...accounts).catch((caught: unknown) => caught);
  if (!hasCode(error, 'unresolved-accounts')) throw error;
  return diagnosticsIn(error);
};

describe('finding accounts', () => {
  it('asks nothing when every alias is an id', async () => {
    expect(await resolve(wanted('a', 'id', '1'), wanted('b', 'id', BIG))).toEqual({
      resolved: ['a=1', `b=${BIG}`],
      requests: 0,
    });
  });

  it.each([
    ['username', 'bob_x', BIG],
    ['custom_label', 'Alice', '101'],
    ['platform_account_id', '5551', '101'],
    ['platform_account_id', BIG, BIG],
    // ACCOUNT-6
    ['username', 'dora_x', '104'],
  ] as const)('by %s %s', async (by, value, id) => {
    expect(await resolve(wanted('x', by, value))).toEqual({ resolved: [`x=${id}`], requests: 1 });
  });

  it('asks the list once for all of them, in their order', async () => {
    const all = [
      wanted('b', 'username', 'bob_x'),
      wanted('c', 'id', '7'),
      wanted('a', 'custom_label', 'Alice'),
    ];
    expect(await resolve(...all)).toEqual({ resolved: [`b=${BIG}`, 'c=7', 'a=101'], requests: 1 });
  });

  it('a twin on the other platform makes nothing ambiguous', async () => {
    expect((await resolve(wanted('x', 'username', 'alice_x'))).resolved).toEqual(['x=101']);
  });

  it('says where, what and what next for each account that cannot be found or told apart', async () => {
    const problems = await problemsOf(
      wanted('ghost', 'username', 'nobody_x'),
      wanted('twin', 'custom_label', 'Twin'),
      wanted('other', 'username', 'carol_x'),
      wanted('a', 'id', '101'),
      wanted('b', 'username', 'alice_x'),
    );
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `unknown-account: The key sees no account with username "nobody_x" ("ghost"). Give the key access to it, or correct herald.yaml. To see the accounts of the key: herald accounts list`,
      'unknown-account: 2 accounts have custom_label "Twin" ("twin"): 104 (dora_x), 105 (erin_x). Write the id in herald.yaml.',
      'unknown-account: Account 103 ("other") is on platform_b; this works on platform_a only. Works on both platforms: herald revenue transactions',
      'same-account: "b" and "a" are the same account (101). Keep one alias.',
    ]);
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'herald.yaml', line: 7, column: 3 });
  });
});
