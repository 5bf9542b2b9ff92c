import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rowOf } from '../../src/api/catalogue.ts';
import { PERMISSIONS } from '../../src/api/row.ts';
import { someOf } from '../../src/cli/doctor/checks.ts';
import { NODE_LEAST } from '../../src/cli/doctor/local.ts';
import { commandsOf, MORE_COMMANDS, PROBES } from '../../src/cli/doctor/permissions.ts';
import { errorIn } from '../helpers/recorded.ts';
import { aScene } from '../helpers/scene.ts';

describe('what doctor knows of permissions', () => {
  it.each(PERMISSIONS)('%s is asked for by a read that needs it, or not at all', (permission) => {
    const probe = PROBES[permission];
    if (probe === null) return expect(permission).toMatch(/\.edit$|\.collections$/);
    const row = rowOf(probe.operation);
    expect([row.method, row.permission]).toEqual(['GET', permission]);
  });

  it.each(PERMISSIONS)('%s opens commands that there are', async (permission) => {
    expect(commandsOf(permission).length).toBeGreaterThan(0);
    for (const command of MORE_COMMANDS[permission]) {
      const { code, stdout } = await aScene().herald('help', ...command.split(' '));
      expect([code, stdout.startsWith(`Usage: herald ${command} `)], command).toEqual([0, true]);
    }
  });
});

it('the oldest Node is the one of package.json', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NODE_LEAST.join('.')}`);
});

it('lists are named in words', () => {
  expect(someOf([], 2)).toBe('');
  expect(someOf(['a'], 2)).toBe('a');
  expect(someOf(['a', 'b'], 2)).toBe('a and b');
  expect(someOf(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
});

it('a proxy that cannot exist is reported by every command, without a stack', async () => {
  const scene = aScene();
  Object.assign(scene.env, {
    HERALD_BASE_URL: 'https://service.example',
    HTTPS_PROXY: 'mia:s3cret',
    HERALD_API_KEY: 'k',
  });
  const ran = await scene.herald('accounts', 'list', '--format', 'json');
  expect([ran.code, errorIn(ran).code]).toEqual([1, 'bad-proxy']);
  expect(ran.stdout + ran.stderr).not.toContain('s3cret');
});
