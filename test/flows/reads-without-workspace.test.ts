import { describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { aScene, NOON, type Scene } from '../helpers/scene.ts';

/** A directory without files, and a service at an address. */
function nowhere(env: Record<string, string> = {}): Scene {
  const clock = flowClock(NOON);
  const simulator = createSimulator(createWorld({ nowMs: NOON }), { clock });
  const scene = aScene({ clock, network: (request) => simulator.fetch(request) });
  delete scene.files.tree['herald.yaml'];
  Object.assign(scene.env, {
    HERALD_BASE_URL: 'https://api.service.example',
    HERALD_API_KEY: 'sim-key',
    ...env,
  });
  return scene;
}

describe('without a workspace, the environment alone is enough', () => {
  it.each<[string[], string]>([
    [['accounts', 'list'], 'alice_x'],
    [['accounts', 'get', '101'], 'alice_x'],
    [['team', 'members'], 'id'],
    [['campaigns', 'list', '--account', '101'], 'id'],
    [['api', 'accounts.list'], 'alice_x'],
  ])('to read: %s', async (words, shown) => {
    const ran = await nowhere().herald(...words);
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(ran.stdout).toContain(shown);
  });

  it('not to change something', async () => {
    const ran = await nowhere().herald('campaigns', 'pause', '1', '--account', '101', '--yes');
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining('herald.yaml: workspace-missing: No herald.yaml in this directory.'),
    ]);
  });

  it('and a list of accounts names them by id', async () => {
    const ran = await nowhere().herald('campaigns', 'list');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('No account given.\nUse --account ID. To see the ids: herald accounts list');
  });

  it('and without an address the workspace is missing', async () => {
    const ran = await nowhere({ HERALD_BASE_URL: '' }).herald('accounts', 'list');
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining('herald.yaml: workspace-missing: No herald.yaml in this directory.'),
    ]);
  });
});
