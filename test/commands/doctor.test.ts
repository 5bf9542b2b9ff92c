import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/api/catalogue.ts';
import { chooseProbe, NODE_LEAST } from '../../src/commands/doctor.ts';
import { aScene } from '../helpers/scene.ts';
import { errorOf } from '../helpers/flows.ts';

describe('what doctor knows of permissions', () => {
  it('asks for each by its smallest read', () => {
    expect(
      Object.fromEntries(PERMISSIONS.map((permission) => [permission, chooseProbe(permission)])),
    ).toEqual({
      'accounts.view': 'accounts.list',
      'dashboard.view': 'revenue.chargebacks',
      'team_metrics.view': 'team.members',
      'traffic_metrics.view': 'traffic.tracking-link-users',
      'onlyfans.messages': 'fans.list',
      'onlyfans.collections': null,
      'onlyfans.statements': 'payouts.balances',
      'auto_messages.view': 'campaigns.list',
      'auto_messages.edit': null,
      'priority_mass_messages.view': 'broadcasts.list',
      'priority_mass_messages.edit': null,
      'media_uploader.manage': 'vault.folders',
    });
  });
});

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
