import { describe, expect, it } from 'vitest';
import { listShape } from '../../src/cli/schemas.ts';
import { planShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, liveOn } from '../helpers/flows.ts';
import { altered } from '../helpers/altered.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

const BY_NAME = WORKSPACE.replace('id: "101"', 'username: alice_x').replace('id: "102"', 'username: bob_x');
const ON_BOTH = declaring({ campaigns: [campaign()] }, ['alice', 'bob']);

/** A key for some accounts. The service refuses the others with 403 or 404 (ACCOUNT-9). */
async function keyFor(
  accounts: readonly string[],
  { yaml = WORKSPACE, scopeStatus = 403 }: { readonly yaml?: string; readonly scopeStatus?: 403 | 404 } = {},
): Promise<Scene> {
  const scene = aScene({ files: { ...ON_BOTH, 'herald.yaml': yaml } });
  await narrow(scene, accounts);
  await scene.service((control) => control.setModes({ scopeStatus }));
  return scene;
}

function narrow(scene: Scene, accounts: readonly string[]) {
  return scene.service((control) => control.addKey({ key: 'sim-key', permissions: 'all', accounts }));
}

describe.each([
  ['ids', WORKSPACE, 404],
  ['names', BY_NAME, 403],
] as const)('a key for one of two accounts, given by their %s: %#', (_, yaml, scopeStatus) => {
  it.each(['revenue transactions', 'fans list'])(
    '%s has the rows of the one, names the other, and exits 4',
    async (list) => {
      const scene = await keyFor(['101'], { yaml, scopeStatus });
      const ran = await scene.herald(...list.split(' '), '--format', 'json');
      const { items, complete } = documentOf(ran, listShape);
      const accounts = new Set(items.map((item) => (item as { account: string }).account));
      expect([ran.code, complete, [...accounts]]).toEqual([4, false, ['alice']]);
      expect(ran.stderr).toMatch(/error: bob: .*(?:Give the key access to it|no access to this account)/);
      expect(ran.stderr).not.toContain('Check the spelling');
    },
  );

  it('plan shows what it sees, and blocks the rest', async () => {
    const scene = await keyFor(['101'], { yaml, scopeStatus });
    const ran = await scene.herald('plan', '--format', 'json');
    const { changes } = documentOf(ran, planShape);
    expect([ran.code, changes.map(({ address, action }) => [address.account, action])]).toEqual([
      5,
      [
        ['alice', 'create'],
        ['bob', 'blocked'],
      ],
    ]);
    expect(changes[1]?.reasons[0]).toMatch(/Give the key access to .* herald plan --exclude bob$/);
  });

  it('apply carries out what it may', async () => {
    const scene = await keyFor(['101'], { yaml, scopeStatus });
    expect((await scene.herald('apply', '--yes')).code).toBe(5);
    expect((await liveOn(scene, '101', 'campaign')).map(({ name }) => name)).toEqual(['Welcome']);
    expect(await liveOn(scene, '102', 'campaign')).toEqual([]);
    const rest = await scene.herald('plan', '--exclude', 'bob');
    expect([rest.code, rest.stdout]).toEqual([0, expect.not.stringContaining('blocked')]);
  });
});

it('a key that is narrowed in the middle of an apply leaves a request without an answer unknown', async () => {
  let creates = 0;
  const { scene, simulator } = altered(
    async (request, answer) => {
      const response = await answer();
      if (request.method !== 'POST' || !request.url.includes('/102/')) return response;
      creates += 1;
      simulator.control.addKey({ key: 'sim-key', permissions: 'all', accounts: ['101'] });
      throw new TypeError('fetch failed');
    },
    { files: ON_BOTH },
  );
  const ran = await scene.herald('apply', '--yes');
  expect([ran.code, creates]).toEqual([3, 1]);
  expect((await scene.herald('apply', '--yes')).code).not.toBe(0);
  expect(creates).toBe(1);
});
