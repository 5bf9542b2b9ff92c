import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { createsSent } from '../helpers/flows.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

const files = (text: string) => declaring({ campaigns: [campaign({ messages: [{ text }] })] });
const COMMITTED = files('Committed');
const HEAD = 'a'.repeat(40);

function inRepository(): Scene {
  const repository = memoryRepository([{ id: HEAD, files: { 'herald.yaml': WORKSPACE, ...COMMITTED } }]);
  return aScene({ files: COMMITTED, repository });
}

const apply = (scene: Scene, ...flags: string[]) =>
  scene.herald('ci', 'apply', '--simulator', '--provider', 'generic', '--plan', 'plan.json', ...flags);

const commitIn = ({ files: { tree } }: Scene): unknown => JSON.parse(tree['plan.json'] ?? '').plan.commit;

it('a plan of a clean checkout names its commit, and is applied without a provider', async () => {
  const scene = inRepository();
  await scene.herald('plan', '--out', 'plan.json');
  expect(commitIn(scene)).toEqual({ id: HEAD });
  expect([(await apply(scene)).code, await createsSent(scene)]).toEqual([0, 1]);
});

it('ci.require_approval blocks what no one can be asked about without GitHub or GitLab', async () => {
  const workspace = `${WORKSPACE}ci: { require_approval: all }\n`;
  const tree = { ...COMMITTED, 'herald.yaml': workspace };
  const scene = aScene({ files: tree, repository: memoryRepository([{ id: HEAD, files: tree }]) });
  await scene.herald('plan', '--out', 'plan.json');
  const ran = await apply(scene);
  expect([ran.code, await createsSent(scene)]).toEqual([5, 0]);
  expect(ran.stdout).toContain('Without GitHub or GitLab, there is nothing to ask.');
});

it.each(['apply', 'drift'])('ci %s refuses the embedded simulator, which reaches no fan', async (command) => {
  const scene = inRepository();
  await scene.herald('plan', '--out', 'plan.json');
  const plan = command === 'apply' ? ['--plan', 'plan.json'] : [];
  const ran = await scene.herald('ci', command, '--provider', 'generic', ...plan);
  expect([ran.code, await createsSent(scene)]).toEqual([5, 0]);
  expect(ran.stderr).toContain('herald.yaml names the embedded simulator');
});

it('ci apply does not begin with an empty state in a file, unless the runner keeps it', async () => {
  const scene = inRepository();
  await scene.herald('plan', '--out', 'plan.json');
  scene.env['HERALD_BASE_URL'] = 'https://api.example';
  const flags = ['ci', 'apply', '--provider', 'generic', '--plan', 'plan.json'];
  expect(await scene.herald(...flags)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('The state is in a file that this job'),
  });
  expect((await scene.herald(...flags, '--keeps-state')).stderr).not.toContain('The state is in a file');
});

it('a plan of files that are in no commit names none, and is refused without a provider', async () => {
  const scene = inRepository();
  Object.assign(scene.files.tree, files('Edited on a laptop'));
  await scene.herald('plan', '--out', 'plan.json');
  expect(commitIn(scene)).toBeUndefined();
  const ran = await apply(scene);
  expect([ran.code, await createsSent(scene)]).toEqual([5, 0]);
  expect(ran.stderr).toContain('plan.json names no commit');
  expect(ran.stderr).toContain('clean checkout of a commit, and review it: herald plan --out plan.json');
  expect([(await apply(scene, '--allow-unreviewed')).code, await createsSent(scene)]).toEqual([0, 1]);
});

describe('next to a newer commit', () => {
  const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];
  const at = (id: string, tree: Readonly<Record<string, string>>, ...parents: string[]) => ({
    id,
    parents,
    files: { 'herald.yaml': WORKSPACE, ...tree },
  });

  async function planned(newer: Readonly<Record<string, string>>): Promise<Scene> {
    const commits = [at(NEW, newer, OLD), at(OLD, COMMITTED)];
    const scene = aScene({ files: COMMITTED, repository: memoryRepository(commits, NEW) });
    await scene.herald('plan', '--out', 'plan.json');
    return scene;
  }

  const exchanged = WORKSPACE.replace('"102"', '"9"').replace('"101"', '"102"').replace('"9"', '"101"');
  const strict = `${WORKSPACE}ci: { require_approval: all }\n`;
  it.each([
    ['what the tip declares in another way', files('Other'), 'this'],
    ['what the tip has taken out', declaring({ campaigns: [campaign({ name: 'New' })] }), 'this'],
    ['an account of another id', { ...COMMITTED, 'herald.yaml': exchanged }, 'this'],
    ['everything under other settings', { ...COMMITTED, 'herald.yaml': strict }, 'the setting ci'],
  ])('an apply of an older commit leaves out %s', async (_, newer, what) => {
    const scene = await planned(newer);
    const ran = await apply(scene);
    expect([ran.code, await createsSent(scene)]).toEqual([5, 0]);
    expect(ran.stdout).toContain(`Outdated: the tip of main, bbbbbbbbbbbb, does not declare ${what} as`);
  });

  it('nothing is applied if the files of the tip have errors', async () => {
    const scene = await planned({ 'live/all.yaml': 'campaigns: 7' });
    const ran = await apply(scene);
    expect([ran.code, await createsSent(scene)]).toEqual([1, 0]);
    expect(ran.stderr).toContain('the files of bbbbbbbbbbbb have errors');
    expect(ran.stderr).toContain('Nothing was applied.');
  });
});
