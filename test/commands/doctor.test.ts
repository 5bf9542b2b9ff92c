import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NODE_LEAST } from '../../src/commands/doctor.ts';
import { aScene } from '../helpers/scene.ts';
import { errorOf } from '../helpers/flows.ts';

it('the oldest Node is the one of package.json', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NODE_LEAST.join('.')}`);
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
