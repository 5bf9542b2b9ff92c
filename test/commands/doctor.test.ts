import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NODE_LEAST } from '../../src/commands/doctor.ts';
import { aScene } from '../helpers/scene.ts';
import { errorOf } from '../helpers/flows.ts';

it('the oldest Node is the one of package.json', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NODE_LEAST.join('.')}`);
});

it('a range in NO_PROXY, which would be proxied in silence, is refused where the service has an address', async () => {
  const scene = aScene();
  const proxied = { HTTP_PROXY: 'http://127.0.0.1:9', HERALD_API_KEY: 'k' };
  for (const range of ['127.0.0.0/8', '127.*']) {
    Object.assign(scene.env, { ...proxied, HERALD_BASE_URL: 'http://127.0.0.1:1', NO_PROXY: range });
    const ran = await scene.herald('accounts', 'list', '--format', 'json');
    expect([ran.code, errorOf(ran)]).toMatchObject([
      1,
      { code: 'bad-proxy', message: expect.stringContaining(range) },
    ]);
  }
});

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
