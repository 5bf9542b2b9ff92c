import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, planned, expectEnd } from '../helpers/flows.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';
import { aScene, WORKSPACE, type Scene, type SceneOptions } from '../helpers/scene.ts';

const CHANGED = ['--scope', 'changed', '--base', 'main'];

const named = (name: string, text = `I am ${name}`) => campaign({ name, messages: [{ text }] });

type Tree = Readonly<Record<string, string>>;

/** A branch from `main` in which the files are `head`. */
function aBranch(base: Tree, head: Tree, options: SceneOptions = {}): Scene {
  const whole = (files: Tree) => ({ 'herald.yaml': WORKSPACE, ...files });
  const repository = memoryRepository([
    { id: 'main', files: whole(base) },
    { id: 'head', parents: ['main'], files: whole(head) },
  ]);
  return aScene({ ...options, files: head, repository });
}

const files = (...campaigns: readonly ReturnType<typeof campaign>[]) =>
  declaring({ campaigns, broadcasts: [broadcast()] }, ['alice', 'bob']);

describe('a plan with --scope changed', () => {
  it('plans what differs from the base and reads only its lists', async () => {
    const scene = aBranch(files(named('One'), named('Two')), files(named('One'), named('Two', 'New text')));
    const ran = await scene.herald('plan', ...CHANGED, '--verbose');
    expectEnd(ran, 0, 'Scope: 2 resources declared differently than in main.');
    expect(ran.stderr).not.toContain('priority-mass-message');
    expect(ran.stdout).toContain('4 resources are declared as in main.');
    expect(ran.stdout).toContain('herald drift');
    const { plan } = await planned(scene, ...CHANGED);
    expect(decisions({ plan })).toEqual(['create alice/campaign/Two', 'create bob/campaign/Two']);
  });

  it('has nothing to plan, and asks the service almost nothing, if nothing is declared differently', async () => {
    const tree = files(named('One'));
    const moved = { 'live/moved.yaml': `# moved\n${tree['live/all.yaml'] ?? ''}` };
    const scene = aBranch(tree, moved);
    const { plan, code } = await planned(scene, ...CHANGED);
    expect(code).toBe(0);
    expect(plan.changes).toEqual([]);
    expect((await scene.oracle()).requests.length).toBeLessThanOrEqual(1);
  });

  it('includes a removed declaration', async () => {
    const [base, head] = [files(named('One'), named('Two')), files(named('One'))];
    const scene = aBranch(base, base);
    await applied(scene);
    const after = aBranch(base, head, { state: scene.state });
    Object.assign(after.files.tree, scene.files.tree, head);
    const { plan } = await planned(after, ...CHANGED, '--allow', 'prune');
    expect(decisions({ plan })).toEqual(['archive alice/campaign/Two', 'archive bob/campaign/Two']);
  });

  it.each([
    [
      'a setting for all resources',
      { 'herald.yaml': `${WORKSPACE}policy: { max_price_gross: 20 }\n` },
      /`policy` of herald\.yaml differs/,
    ],
    ['errors at the base', { 'live/all.yaml': 'campaigns: 7\n' }, /the files of main have errors/],
  ])('widens to everything for %s', async (_title, change, why) => {
    const tree = files(named('One'));
    const scene = aBranch({ ...tree, ...change }, tree);
    const ran = await scene.herald('plan', ...CHANGED);
    expect(ran.stderr).toMatch(/^Scope: everything, because /m);
    expect(ran.stderr).toMatch(why);
    expect((await planned(scene, ...CHANGED)).plan.changes.length).toBe(4);
  });

  it('saves a plan that applies exactly the changed resources', async () => {
    const scene = aBranch(files(named('One')), files(named('One', 'New')));
    await scene.herald('plan', ...CHANGED, '--out', 'plan.json');
    expectEnd(await scene.herald('apply', 'plan.json', '--yes'), 0);
    expect((await planned(scene, '--target', '*/campaign')).plan.changes.map(({ action }) => action)).toEqual(
      ['keep', 'keep'],
    );
    expect((await planned(scene, '--target', '*/broadcast')).plan.summary.create).toBe(2);
  });

  it.each([
    [['--scope', 'changed'], 'belong together'],
    [['--base', 'main'], 'belong together'],
    [[...CHANGED, '--target', 'alice'], 'it cannot be combined with'],
    [['--scope', 'changed', '--base', 'gone'], 'Commit gone is missing'],
  ])('refuses %j', async (args, words) => {
    const scene = aBranch(files(named('One')), files(named('One')));
    const ran = await scene.herald('plan', ...args);
    expect(ran.code).toBe(1);
    expect(ran.stderr.replace(/\s+/g, ' ')).toContain(words);
  });

  it('says so outside a repository', async () => {
    const ran = await aScene({ files: files(named('One')) }).herald('plan', ...CHANGED);
    expectEnd(ran, 1, 'git finds no repository that it may use');
  });
});
