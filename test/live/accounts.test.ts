import { hasCode, type HeraldError } from '../../src/domain/herald-error.ts';
import { describe, expect, it } from 'vitest';
import { readDetails } from '../../src/cli/findings.ts';
import {
  SERVICE_DEFAULTS,
  type AccountSelector,
  type WorkspaceAccount,
  type WorkspaceSettings,
} from '../../src/domain/workspace.ts';
import { namedAccounts, resolveAccounts, targetAccounts } from '../../src/live/accounts.ts';
import { aClientScene, json } from '../api/client-scene.ts';
import { aPolicy } from '../helpers/policy-builders.ts';

const BIG = '9007199254740993123';
/** The accounts list as the wire carries it: ids as numbers with all their digits. */
const LISTED = `{"accounts":[
  {"id":101,"platform_account_id":"5551","platform":"platform_a","username":"alice_x","custom_label":"Alice"},
  {"id":${BIG},"platform_account_id":${BIG},"platform":"platform_a","username":"bob_x","custom_label":null},
  {"id":"103","platform_account_id":"104","platform":"platform_b","username":"carol_x","custom_label":"Carol"},
  {"id":104,"platform_account_id":"5554","platform":null,"username":"dora_x","custom_label":"Twin"},
  {"id":105,"platform_account_id":null,"platform":"platform_a","username":"erin_x","custom_label":"Twin"},
  {"id":106,"platform":"platform_b","username":"alice_x","custom_label":5}
]}`;

const FORBIDDEN = { code: 'API_KEY_PERMISSION_DENIED', details: { required_permission: 'accounts.view' } };

const account = (alias: string, by: AccountSelector['by'], value: string): WorkspaceAccount => ({
  alias,
  selector: { by, value },
  source: { file: 'herald.yaml', line: 7, column: 3 },
});

const SETTINGS: WorkspaceSettings = {
  service: {
    ...SERVICE_DEFAULTS,
    target: { kind: 'http', baseUrl: 'https://svc.test' },
    identity: { origin: 'https://svc.test', source: 'herald.yaml', simulator: false },
  },
  accounts: [
    account('alice', 'id', '101'),
    account('bob', 'username', 'bob_x'),
    account('carol', 'id', '103'),
  ],
  groups: { vip: ['alice', 'bob'] },
  allow: [],
  eventsKeepDays: 90,
  ciScope: 'changed',
  requireApproval: null,
  ownershipPrefix: null,
  policy: aPolicy(),
};

const ids = async (given: readonly string[], answer: () => Response = () => new Response(LISTED)) => {
  const scene = aClientScene(answer);
  const found = await targetAccounts(scene.client, SETTINGS, namedAccounts(SETTINGS, given), {
    id: 'accountId',
  });
  return { ids: found.map(({ alias, accountId }) => `${alias}=${accountId}`), requests: scene.sent.length };
};

const platformIds = async (given: readonly string[], anyPlatform = false) => {
  const scene = aClientScene(() => new Response(LISTED));
  const found = await targetAccounts(scene.client, SETTINGS, namedAccounts(SETTINGS, given), {
    id: 'platformAccountId',
    anyPlatform,
  });
  return found.map((one) => `${one.alias}=${one.platform}/${one.platformAccountId}`);
};

const problem = async (work: () => Promise<unknown>) => {
  const error = await Promise.resolve()
    .then(work)
    .catch((caught: unknown) => caught);
  if (!hasCode(error, 'unknown-account')) throw error;
  return error.message;
};

describe('the accounts that --account names', () => {
  it('are all of the workspace when none is named, and asked about only where an alias is not an id', async () => {
    expect(await ids([])).toEqual({ ids: ['alice=101', `bob=${BIG}`, 'carol=103'], requests: 1 });
    expect(await ids(['alice', 'carol'])).toEqual({ ids: ['alice=101', 'carol=103'], requests: 0 });
  });

  it('are the members of a group, each once, or a bare id of the service or of the platform', async () => {
    expect((await ids(['vip', 'alice'])).ids).toEqual(['alice=101', `bob=${BIG}`]);
    expect((await ids(['101', '5554'])).ids).toEqual(['101=101', '5554=104']);
  });

  // ACCOUNT-2
  it('refuse a bare id that two accounts have in different places', async () => {
    expect(await problem(() => platformIds(['104'], true))).toBe(
      '2 accounts have the id "104" ("104"): 103 (carol_x), 104 (dora_x). Use an alias of the workspace.',
    );
  });

  it('use a bare id as it is when the key cannot see the accounts', async () => {
    const denied = () => json(FORBIDDEN, 403);
    expect((await ids(['777'], denied)).ids).toEqual(['777=777']);
    await expect(ids(['bob'], denied)).rejects.toThrow('API_KEY_PERMISSION_DENIED');
  });
});

describe('the ids that the platform knows accounts by', () => {
  // ACCOUNT-2
  it('are never the ids of the service', async () => {
    expect(await platformIds(['vip'])).toEqual(['alice=platform_a/5551', `bob=platform_a/${BIG}`]);
  });

  it('may be missing', async () => {
    expect(await problem(() => platformIds(['105']))).toBe(
      'Account 105 ("105") has no id on its platform yet.',
    );
  });

  const findOnAny = (one: WorkspaceAccount, answer = () => new Response(LISTED)) =>
    targetAccounts(aClientScene(answer).client, SETTINGS, [one], {
      id: 'platformAccountId',
      anyPlatform: true,
    });

  it('are looked up where two platforms are served, because an id does not say which', async () => {
    const carol = account('carol', 'platform_account_id', '104');
    expect((await findOnAny(carol)).map(({ platform }) => platform)).toEqual(['platform_b']);
    // A key that may not see the list can still read what the primary platform has.
    const forbidden = await findOnAny(carol, () => json(FORBIDDEN, 403));
    expect(forbidden.map(({ platform }) => platform)).toEqual(['platform_a']);
  });

  it('are refused if herald.yaml states another one', async () => {
    const stated = { ...account('alice', 'id', '101'), platformAccountId: '999' };
    expect(await problem(() => findOnAny(stated))).toBe(
      'Account 101 ("alice") has the id 5551 on its platform, and herald.yaml says 999. Correct platform_account_id or id.',
    );
  });

  it('need no list when the workspace states them', async () => {
    const stated = { ...SETTINGS, accounts: [account('alice', 'platform_account_id', '5551')] };
    const scene = aClientScene(() => new Response(LISTED));
    const found = await targetAccounts(scene.client, stated, namedAccounts(stated, []), {
      id: 'platformAccountId',
    });
    expect(found).toEqual([
      { alias: 'alice', accountId: null, platform: 'platform_a', platformAccountId: '5551' },
    ]);
    expect(scene.sent.length).toBe(0);
  });
});

const resolve = async (...accounts: WorkspaceAccount[]) => {
  const scene = aClientScene(() => new Response(LISTED));
  const resolved = await resolveAccounts(scene.client, SETTINGS, accounts);
  const found = resolved.map(({ alias, accountId }) => `${alias}=${accountId}`);
  return { resolved: found, requests: scene.sent.length };
};

describe('finding accounts', () => {
  it.each([
    ['username', 'bob_x', BIG],
    ['custom_label', 'Alice', '101'],
    ['platform_account_id', BIG, BIG],
    // ACCOUNT-6
    ['username', 'dora_x', '104'],
  ] as const)('by %s %s', async (by, value, id) => {
    expect(await resolve(account('x', by, value))).toEqual({ resolved: [`x=${id}`], requests: 1 });
  });

  it('asks the list once for all of them, in their order', async () => {
    const all = [
      account('b', 'username', 'bob_x'),
      account('c', 'id', '7'),
      account('a', 'custom_label', 'Alice'),
    ];
    expect(await resolve(...all)).toEqual({ resolved: [`b=${BIG}`, 'c=7', 'a=101'], requests: 1 });
  });

  it('a twin on the other platform makes nothing ambiguous', async () => {
    expect((await resolve(account('x', 'username', 'alice_x'))).resolved).toEqual(['x=101']);
  });

  it('says where, what and what next for each account that cannot be found or told apart', async () => {
    const error = await resolve(
      account('ghost', 'username', 'nobody_x'),
      account('twin', 'custom_label', 'Twin'),
      account('other', 'username', 'carol_x'),
      account('a', 'id', '101'),
      account('b', 'username', 'alice_x'),
    ).catch((caught: unknown) => caught);
    const problems = readDetails(error as HeraldError).diagnostics;
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `unknown-account: The key sees no account with username "nobody_x" ("ghost"). Give the key access to it, or correct herald.yaml. To see the accounts of the key: herald accounts list`,
      'unknown-account: 2 accounts have custom_label "Twin" ("twin"): 104 (dora_x), 105 (erin_x). Write the id in herald.yaml.',
      'unknown-account: Account 103 ("other") is on platform_b; this works on platform_a only. With `platform: secondary` next to its id in herald.yaml, it is left out. Works on both platforms: herald revenue transactions',
      'same-account: "b" and "a" are the same account (101). Keep one alias.',
    ]);
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'herald.yaml', line: 7, column: 3 });
  });
});
