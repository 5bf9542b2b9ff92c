import { expect, test } from 'vitest';
import { CAMPAIGN, load, placesInWorkspace, WORKSPACE } from './declare.ts';

const SERVICE = 'service: { simulator: .herald/world.json }';
const withService = (service: string): string => WORKSPACE.replace(SERVICE, `service: { ${service} }`);

async function workspaceOf(text: string, env: Record<string, string> = {}) {
  const loaded = await load({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN }, env);
  if (loaded.kind === 'loaded') return loaded.workspace;
  throw new Error(loaded.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
}

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

test('never shows what a variable holds', async () => {
  const tree = { 'herald.yaml': withService('base_url: "${HERALD_SECRET}"'), 'campaigns/a.yaml': CAMPAIGN };
  const loaded = await load(tree, { HERALD_SECRET: 'http://hunter2.example' });
  expect(JSON.stringify(loaded)).not.toContain('hunter2');
});
