import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NODE_LEAST } from '../../src/commands/doctor.ts';
import { aScene } from '../helpers/scene.ts';
import { errorOf } from '../helpers/flows.ts';

it('the oldest Node is the one of package.json', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NODE_LEAST.join('.')}`);
});

it.each([
  ['127.0.0.0/8', '127.0.0.1'],
  ['127.*', '127.0.0.1'],
  ['localhost, 10.0.0.0/8 127.0.0.1/32', '127.0.0.1'],
  ['::/64', '[::1]'],
])('NO_PROXY=%s, which has no effect, is refused for %s', async (ranges, host) => {
  const ran = await listAccounts(ranges, host);
  const range = ranges.split(' ').at(-1);
  expect([ran.code, errorOf(ran)]).toMatchObject([
    1,
    { code: 'bad-proxy', message: expect.stringContaining(`NO_PROXY has ${range}`) },
  ]);
});

it.each([
  '10.0.0.0/8',
  '10.*',
  '*.example',
  '127.0.0.0/99',
  '::/0',
  '*',
  '127.0.0.1',
  '127.0.0.1:1, 127.0.0.0/8',
])('NO_PROXY=%s is not refused for 127.0.0.1', async (entry) => {
  expect(errorOf(await listAccounts(entry, '127.0.0.1')).code).not.toBe('bad-proxy');
});

function listAccounts(noProxy: string, host: string) {
  const scene = aScene({ network: () => Promise.reject(new Error('no network')) });
  Object.assign(scene.env, {
    HTTP_PROXY: 'http://127.0.0.1:9',
    HERALD_API_KEY: 'k',
    HERALD_BASE_URL: `http://${host}:1`,
    NO_PROXY: noProxy,
  });
  return scene.herald('accounts', 'list', '--format', 'json');
}

it('a proxy that cannot exist is reported by every command, without a stack', async () => {
  const scene = aScene();
  Object.assign(scene.env, {
    HERALD_BASE_URL: 'https://service.example',
    HTTPS_PROXY: 'mia:s3cret',
    HERALD_API_KEY: 'k',
  });
  const ran = await scene.herald('accounts', 'list', '--format', 'json');
  expect([ran.code, errorOf(ran).code]).toEqual([1, 'bad-proxy']);
  expect(ran.stdout + ran.stderr).not.toContain('s3cret');
});
