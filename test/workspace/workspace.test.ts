import { describe, expect, test } from 'vitest';
import {
  CAMPAIGN,
  diagnose,
  load,
  messagesOf,
  places,
  placesInWorkspace,
  rowsOf,
  WORKSPACE,
} from './declare.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import type { Files } from '../../src/domain/ports.ts';
import { loadDeclared } from '../../src/workspace/load.ts';
import { memoryFiles } from './memory-files.ts';

const SERVICE = 'service: { simulator: .herald/world.json }';
const withService = (service: string): string => WORKSPACE.replace(SERVICE, `service: { ${service} }`);
const withAccount = (line: string): string => WORKSPACE.replace('  bob:', `  ${line}\n  bob:`);

async function workspaceOf(text: string, env: Record<string, string> = {}) {
  const loaded = await load({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN }, env);
  if (loaded.kind === 'loaded') return loaded.workspace;
  throw new Error(loaded.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
}

describe('a workspace', () => {
  test('gets its defaults', async () => {
    const { digest, ...workspace } = await workspaceOf(WORKSPACE);
    expect(await digest()).toMatch(/^[0-9a-f]{32}$/);
    expect(workspace).toEqual({
      requireApproval: null,
      service: {
        target: { kind: 'simulator', worldFile: '.herald/world.json' },
        identity: { origin: 'simulator:.herald/world.json', source: 'herald.yaml', simulator: true },
        authHeader: 'x-svc-auth-token',
        platforms: { primary: 'platform_a', secondary: 'platform_b' },
        requestTimeoutSec: 75,
        settleSec: 75,
        rateShare: 0.9,
        listStyle: 'repeat',
        knownWords: { kinds: [], triggers: [], media_types: [], online_check_modes: [] },
      },
      accounts: [
        {
          alias: 'alice',
          selector: { by: 'id', value: '101' },
          source: { file: 'herald.yaml', line: 4, column: 3 },
        },
        {
          alias: 'bob',
          selector: { by: 'id', value: '102' },
          source: { file: 'herald.yaml', line: 5, column: 3 },
        },
      ],
      groups: { vip: ['alice', 'bob'] },
      allow: [],
      ownershipPrefix: null,
      ciScope: 'changed',
      eventsKeepDays: 90,
      policy: { max_changes: { limit: 20, level: 'deny' } },
      patterns: ['campaigns/**/*.yaml', 'broadcasts/**/*.yaml'],
      files: ['campaigns/a.yaml'],
      unmatched: [],
    });
  });

  test('keeps what it says', async () => {
    const text = `version: 1
service:
  base_url: https://service.example/base/path/
  auth_header: x-key
  platforms: { secondary: other }
  request_timeout_sec: 90
  settle_sec: 80
  rate_share: 0.5
  list_style: brackets
accounts:
  alice: { username: alice_x }
  bob: { custom_label: Bob }
  carol: { platform_account_id: "9" }
allow: [resume, adopt, resume]
ownership: { name_prefix: gc/ }
`;
    const workspace = await workspaceOf(text);
    expect(workspace.service).toEqual({
      target: { kind: 'http', baseUrl: 'https://service.example/base/path' },
      identity: { origin: 'https://service.example/base/path', source: 'herald.yaml', simulator: false },
      authHeader: 'x-key',
      platforms: { primary: 'platform_a', secondary: 'other' },
      requestTimeoutSec: 90,
      settleSec: 80,
      rateShare: 0.5,
      listStyle: 'brackets',
      knownWords: { kinds: [], triggers: [], media_types: [], online_check_modes: [] },
    });
    expect(workspace.accounts.map(({ selector }) => selector)).toEqual([
      { by: 'username', value: 'alice_x' },
      { by: 'custom_label', value: 'Bob' },
      { by: 'platform_account_id', value: '9' },
    ]);
    expect(workspace).toMatchObject({ allow: ['adopt', 'resume'], ownershipPrefix: 'gc/' });
  });

  test('that is missing or unreadable is an error', async () => {
    const missing = await loadDeclared(memoryFiles({}), { env: {} });
    expect(missing).toMatchObject({
      kind: 'invalid',
      diagnostics: [{ code: 'workspace-missing', file: 'herald.yaml' }],
    });
    expect(await places({ 'herald.yaml': new Error('EACCES') })).toEqual([
      'herald.yaml:1:1: file-unreadable',
    ]);
  });

  test('are not read with the ending .yml, which the message says with the way out', async () => {
    const tree = { 'campaigns/a.yaml': CAMPAIGN, 'campaigns/b.yml': CAMPAIGN };
    expect(await places(tree)).toEqual(['warning campaigns/b.yml:1:1: skipped-file']);
    expect(await messagesOf(tree)).toBe(
      'This file is not read, because no pattern of `files:` matches it. Add one that does, or one with "!" that leaves it out.',
    );
  });

  test('are read in the folders campaigns and broadcasts, and none of them is left out without a word', async () => {
    const broadcast = CAMPAIGN.replace('Hello', 'Other');
    const tree = { 'campaigns/a.yaml': CAMPAIGN, 'broadcasts/b.yaml': broadcast };
    expect(await load({ 'herald.yaml': WORKSPACE, ...tree }, {})).toMatchObject({
      workspace: { files: ['broadcasts/b.yaml', 'campaigns/a.yaml'], unmatched: [] },
    });
    const text = `${WORKSPACE}files: ["campaigns/*.yaml"]\n`;
    expect(await places({ 'herald.yaml': text, ...tree })).toEqual([
      'warning broadcasts/b.yaml:1:1: skipped-file',
    ]);
  });

  test.each([
    'files: ["campaigns/*.yaml", "campaigns/*.yml"]',
    'files: ["campaigns/*.yaml", "!campaigns/b.yml"]',
  ])('say nothing of a .yml file that %s names', async (files) => {
    const other = CAMPAIGN.replace('Hello', 'Other');
    const tree = { 'campaigns/a.yaml': CAMPAIGN, 'campaigns/b.yml': other.replace('Hi', 'Ho') };
    expect(await places({ 'herald.yaml': `${WORKSPACE}${files}\n`, ...tree })).toEqual([]);
  });

  test('without resource files is a warning', async () => {
    const warning = 'warning herald.yaml:1:1: no-resource-files';
    expect(await places({})).toEqual([warning, warning]);
  });

  test('with a pattern that matches nothing next to others is a warning at that pattern', async () => {
    const text = `${WORKSPACE}files: ["campaigns/*.yaml", "broadcast/*.yaml", "!old/*.yaml"]\n`;
    expect(await placesInWorkspace(text)).toEqual(['warning herald.yaml:7:29: no-resource-files']);
    const without = text.replace(/^files: .*$/m, 'files: ["!campaigns/drafts/**"]');
    expect(await placesInWorkspace(without)).toContain('herald.yaml:7:9: no-resource-files');
    expect((await workspaceOf(text)).unmatched).toEqual(['broadcast/*.yaml']);
  });

  test('with files that cannot all be found is an error', async () => {
    const files = memoryFiles({ 'herald.yaml': WORKSPACE, 'campaigns/a.yaml': CAMPAIGN });
    const glob = () => Promise.reject(new Error('campaigns/b cannot be looked into: EACCES'));
    expect(await loadDeclared({ ...files, glob }, { env: {} })).toMatchObject({
      kind: 'invalid',
      diagnostics: [{ code: 'files-unreadable', message: expect.stringContaining('campaigns/b') }],
    });
  });

  test('is not a resource file, whatever the pattern', async () => {
    const text = `${WORKSPACE}files: ["**/*.yaml"]\n`;
    expect((await workspaceOf(text)).files).toEqual(['campaigns/a.yaml']);
  });

  test('that is broken still lets the resource files be checked', async () => {
    expect(
      await places({ 'herald.yaml': 'version: [', 'campaigns/a.yaml': CAMPAIGN.replace('everyone', 'all') }),
    ).toEqual(['campaigns/a.yaml:6:15: invalid-value', 'herald.yaml:1:11: yaml-syntax']);
  });

  test('says nothing about accounts that could not be read', async () => {
    const text = WORKSPACE.replace('id: "101", vars', 'id: 101, var');
    const campaign = CAMPAIGN.replace('text: Hi', 'text: "{{first_name}}"');
    const codes = (await diagnose({ 'herald.yaml': text, 'campaigns/a.yaml': campaign })).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(['unquoted-id', 'unknown-key']);
  });

  test.each(
    rowsOf(`
      allow: [everything] → 7:9: invalid-value
      acounts: {} → 7:1: unknown-key
      files: ["campaigns/*.yaml", "../*.yaml"] → 7:29: path-outside
      files: 5 → 7:8: invalid-type
      files: ["campaigns/{a,b}.yaml"] → 7:9: invalid-pattern
      policy: { quiet_hours: { from: 23:00, to: 07:00, timezone: Berlin } } → 7:60: unknown-timezone
      policy: { quiet_hours: { from: 23:00, to: 23:00, timezone: UTC } } → 7:43: quiet-hours-empty
      policy: { quiet_hours: { from: 24:00, to: 07:00, timezone: UTC } } → 7:32: invalid-time
    `),
  )('with the line %s: %s', async (line, expected) => {
    expect(await placesInWorkspace(`${WORKSPACE}${line}\n`)).toEqual([`herald.yaml:${expected}`]);
  });

  test.each(
    rowsOf(`
      carol: {} → 5:3: account-selector
      carol: { id: "7", username: c } → 5:3: account-selector
      carol: { id: "102" } → 6:14: duplicate-account
      carol: { id: 7 } → 5:16: unquoted-id
      carol: { id: "07" } → 5:16: invalid-id
      "7": { id: "7" } → 5:3: invalid-alias
      a/b: { id: "7" } → 5:3: invalid-alias
      carol: { id: "7", vars: { n: 7 } } → 5:32: invalid-type
      carol: { id: "7", vars: { n: "{{m}}" } } → 5:32: invalid-variable
      carol: { id: "7", vars: { a-b: x } } → 5:29: invalid-variable
    `),
  )('with the account %s: %s', async (line, expected) => {
    expect(await placesInWorkspace(withAccount(line))).toEqual([`herald.yaml:${expected}`]);
  });

  test.each([
    [WORKSPACE.replace('version: 1\n', ''), '1:1: missing-key'],
    [WORKSPACE.replace('version: 1', 'version: 2'), '1:10: invalid-value'],
    [WORKSPACE.replace('[alice, bob]', '[]'), '6:16: group-empty'],
    [WORKSPACE.replace('[alice, bob]', '[alice, bo]'), '6:24: unknown-account'],
    [WORKSPACE.replace('[alice, bob] }', '[alice, bob], all_of: [vip] }'), '6:39: unknown-account'],
    [WORKSPACE.replace('vip:', 'bob:'), '6:11: group-is-alias'],
  ])('with another fault is refused (%#)', async (text, expected) => {
    expect(await placesInWorkspace(text)).toEqual([`herald.yaml:${expected}`]);
  });
});

describe('the service', () => {
  test.each(
    rowsOf(`
      base_url: "http://service.example" → herald.yaml:2:22: invalid-base-url
      base_url: service.example → herald.yaml:2:22: invalid-base-url
      base_url: "https://me:key@service.example" → herald.yaml:2:22: invalid-base-url
      base_url: "https://service.example?x=1" → herald.yaml:2:22: invalid-base-url
      base_url: "file:///tmp" → herald.yaml:2:22: invalid-base-url
      base_url: "\${HERALD_URL}" → herald.yaml:2:22: unset-environment
      base_url: "https://\${PATH}" → herald.yaml:2:22: environment-forbidden
      base_url: "https://\${}" → herald.yaml:2:22: environment-syntax
      base_url: "https://a.example", settle_sec: 74 → herald.yaml:2:55: settle-too-short
      base_url: "http://localhost:1", settle_sec: 5 → warning herald.yaml:2:56: settle-too-short
      simulator: w.json, base_url: "https://a.example" → herald.yaml:2:12: service-twice
      settle_sec: 75 → herald.yaml:2:10: service-missing
      simulator: "\${HERALD_X}" → herald.yaml:2:23: environment-forbidden
      simulator: w.json, auth_header: x key → herald.yaml:2:44: invalid-header
      simulator: w.json, auth_header: Host → herald.yaml:2:44: invalid-header
      simulator: w.json, auth_header: proxy-authorization → herald.yaml:2:44: invalid-header
      simulator: w.json, auth_header: "\${HERALD_X}" → herald.yaml:2:44: invalid-header
      simulator: w.json, platforms: { primary: a/b } → herald.yaml:2:53: invalid-value
      simulator: w.json, rate_share: 1.5 → herald.yaml:2:43: invalid-value
      simulator: w.json, rate_share: 0 → herald.yaml:2:43: invalid-value
      simulator: w.json, api_key: x → herald.yaml:2:31: unknown-key
    `),
  )('with { %s }: %s', async (service, expected) => {
    expect(await placesInWorkspace(withService(service))).toEqual([expected]);
  });

  test.each(['http://localhost:8080', 'http://127.0.0.1:8080/base', 'http://[::1]:8080'])(
    'may be %s',
    async (url) => {
      const { service } = await workspaceOf(withService(`base_url: "${url}"`));
      expect(service.target).toEqual({ kind: 'http', baseUrl: url });
    },
  );

  test('is the one that HERALD_BASE_URL names, whatever the file says', async () => {
    const env = { HERALD_BASE_URL: 'https://other.example/base/' };
    for (const service of ['simulator: w.json', 'base_url: "https://${HERALD_UNSET}"', 'settle_sec: 75']) {
      const workspace = await workspaceOf(withService(service), env);
      const baseUrl = 'https://other.example/base';
      expect(workspace.service.target).toEqual({ kind: 'http', baseUrl });
      const identity = { origin: baseUrl, source: 'HERALD_BASE_URL', simulator: false };
      expect(workspace.service.identity).toEqual(identity);
    }
    expect(await placesInWorkspace(WORKSPACE, { HERALD_BASE_URL: 'https://other.example\n' })).toEqual([
      expect.stringContaining('invalid-base-url'),
    ]);
    expect(await placesInWorkspace(WORKSPACE, { HERALD_BASE_URL: 'http://other.example' })).toEqual([
      'herald.yaml:2:10: invalid-base-url',
    ]);
  });

  test('reads HERALD_URL in its address, and the variables that the operator lists', async () => {
    const text = withService('base_url: "${HERALD_URL}/${BASE}"');
    const env = { HERALD_URL: 'https://service.example', BASE: 'base', HERALD_ALLOWED_ENV: 'OTHER, BASE' };
    const { service } = await workspaceOf(text, env);
    const baseUrl = 'https://service.example/base';
    expect(service.target).toEqual({ kind: 'http', baseUrl });
    expect(service.identity).toEqual({ origin: baseUrl, source: 'herald.yaml', simulator: false });
    expect(await placesInWorkspace(text, { ...env, BASE: '' })).toEqual([
      'herald.yaml:2:22: unset-environment',
    ]);
  });

  test('reads no other variable of Herald, and says what to set', async () => {
    const tree = {
      'herald.yaml': withService('base_url: "https://${HERALD_HOST}"'),
      'campaigns/a.yaml': CAMPAIGN,
    };
    const env = { HERALD_HOST: 'service.example', HERALD_ALLOWED_ENV: 'BASE' };
    expect(await load(tree, env)).toMatchObject({
      diagnostics: [
        {
          code: 'environment-forbidden',
          file: 'herald.yaml',
          line: 2,
          message:
            'Files may not use HERALD_HOST. Set HERALD_ALLOWED_ENV=BASE,HERALD_HOST where Herald runs, or set HERALD_URL and write ${HERALD_URL}.',
        },
      ],
    });
  });

  test.each([
    ['HERALD_API_KEY', 'key-6f1d0c52aa77'],
    ['HERALD_PLAN_KEY', 'key-6f1d0c52aa77'],
    ['HERALD_GITLAB_TOKEN', 'glpat-6f1d0c52'],
    ['CI_JOB_TOKEN', 'job-6f1d0c52'],
    ['GITHUB_TOKEN', 'ghs_6f1d0c52'],
    ['AWS_SECRET_ACCESS_KEY', 'aws-93be71c4d508'],
    ['npm_config_password', 'hunter22'],
    ['HERALD_DB', 'postgres://db.example/herald'],
    ['MIRROR', 'https://user:hunter22@mirror.example'],
    ['HERALD_URL', 'https://user:hunter22@service.example'],
  ])('never reads the secret %s, whatever is listed', async (name, value) => {
    const tree = {
      'herald.yaml': withService(`base_url: "https://a/\${${name}}"`),
      'campaigns/a.yaml': CAMPAIGN,
    };
    const loaded = JSON.stringify(await load(tree, { [name]: value, HERALD_ALLOWED_ENV: name }));
    expect(loaded).toContain(`${name} holds a secret, and no file may use it.`);
    expect(loaded).not.toContain(value);
  });
});

test.each<[string, Partial<Files>, string]>([
  [
    'is in a folder above',
    { findAbove: () => '..', exists: () => Promise.resolve(true) },
    'The nearest one is in ..: run the command with `-C ..`.',
  ],
  [
    'cannot be, because the folder does not exist',
    { findAbove: () => null, exists: () => Promise.resolve(false) },
    'This directory does not exist. Check the path of -C.',
  ],
])('a missing herald.yaml that %s', async (_where, files, advice) => {
  const loaded = await loadDeclared({ ...memoryFiles({}), ...files }, { env: {} });
  expect(loaded.kind === 'invalid' && loaded.diagnostics[0]?.message).toContain(advice);
});

test('a file that leads out of the workspace is not read', async () => {
  const outside = new HeraldError('path-outside', 'campaigns/a.yaml leads out of the workspace.');
  expect(await places({ 'herald.yaml': WORKSPACE, 'campaigns/a.yaml': outside })).toEqual([
    'campaigns/a.yaml:1:1: path-outside',
  ]);
});

test('a number that is too large is told the largest', async () => {
  const text = WORKSPACE.replace('world.json }', 'world.json, request_timeout_sec: 9999 }');
  expect(await messagesOf({ 'herald.yaml': text })).toContain('Write at most 3600.');
});
