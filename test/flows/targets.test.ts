import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  editLive,
  liveOn,
  outcomes,
  planned,
  writesSent,
  expectQuiet,
  expectEnd,
} from '../helpers/flows.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';
import { aScene, WORKSPACE, type Scene, type SceneOptions } from '../helpers/scene.ts';

type Tree = Readonly<Record<string, string>>;

const named = (name: string, text = `I am ${name}`) => campaign({ name, messages: [{ text }] });

/** These campaigns and a broadcast on each of two accounts. */
const files = (...campaigns: readonly ReturnType<typeof campaign>[]) =>
  declaring({ campaigns, broadcasts: [broadcast()] }, ['alice', 'bob']);

const ONE = ['--target', 'alice/campaign/One'];
const aBigScene = () => aScene({ files: files(named('One'), named('Two')) });

describe('a run of targets', () => {
  it('plans them only, and says what it leaves out', async () => {
    const scene = aBigScene();
    const { code, plan } = await planned(scene, ...ONE);
    expect(code).toBe(0);
    expect(decisions({ plan })).toEqual(['create alice/campaign/One']);
    const ran = await scene.herald('plan', ...ONE);
    expect(ran.stdout.replace(/\s+/g, ' ')).toContain('5 resources are left out by --target or --exclude');
    expect((await scene.herald('plan', ...ONE, '--format', 'markdown')).stdout).toContain('left out');
  });

  it('applies them only, and does nothing the second time', async () => {
    const scene = aBigScene();
    const first = await applied(scene, ...ONE);
    expect(outcomes(first)).toEqual(['create applied']);
    expect(first.report.outcomes.length).toBe(1);
    expect(first.code).toBe(0);
    expect((await liveOn(scene, '101', 'campaign')).map(({ name }) => name)).toEqual(['One']);
    expect(outcomes(await applied(scene, ...ONE))).toEqual([]);
    expect(await createsSent(scene)).toBe(1);
    expect(outcomes(await applied(scene)).length).toBe(5);
    await expectQuiet(scene);
  });

  it('shows drift of them only, also in its exit code', async () => {
    const scene = aBigScene();
    await applied(scene);
    await editLive(scene, 'campaign', { status: 'paused' }, 'Two');
    expect((await scene.herald('drift')).code).toBe(2);
    expectEnd(await scene.herald('drift', ...ONE), 0);
    expect((await scene.herald('drift', '--target', 'alice/*/Two')).code).toBe(2);
  });
});

it.each([
  ['a slip in a name', ['--target', 'alice/campaign/Onne'], 'Did you mean "alice/campaign/One"?'],
  ['a group', ['--target', 'vip/campaign'], 'The account is an alias, not a group.'],
  ['an account', ['--target', 'alise/*'], 'Did you mean "alice/*"?'],
  ['a kind', ['--target', 'alice/campaigns/One'], 'Did you mean "alice/campaign/One"?'],
  ['no near name', ['--target', 'alice/campaign/xyzxyzxyz'], 'To see the addresses'],
  ['an exclusion', ['--exclude', 'alice/campaign/Onne'], '--exclude "alice/campaign/Onne"'],
  ['one of several', [...ONE, '--target', 'bob/campaign/No'], '--target "bob/campaign/No"'],
  ['nothing left', [...ONE, '--exclude', 'alice/campaign'], 'leave nothing'],
])('a pattern that matches nothing ends the run, and says what was near: %s', async (_title, flags, says) => {
  const scene = aBigScene();
  for (const command of [['plan'], ['apply', '--yes']]) {
    expectEnd(await scene.herald(...command, ...flags), 1, says);
  }
  expect(await writesSent(scene)).toEqual([]);
});

it('--exclude of the old name of a rename is refused, because the rename would change it', async () => {
  const renamed = declaring({ campaigns: [campaign({ name: 'New', renamed_from: 'Old' })] });
  const scene = aScene({ files: renamed });
  const ran = await scene.herald('apply', '--yes', '--exclude', 'alice/campaign/Old');
  expectEnd(ran, 1, 'alice/campaign/New is renamed from it. Nothing was changed.');
});

const CHANGED = ['--scope', 'changed', '--base', 'main'];

/** A branch from `main` in which the files are `head`. */
function aBranch(base: Tree, head: Tree, options: SceneOptions = {}): Scene {
  const whole = (files: Tree) => ({ 'herald.yaml': WORKSPACE, ...files });
  const repository = memoryRepository([
    { id: 'main', files: whole(base) },
    { id: 'head', parents: ['main'], files: whole(head) },
  ]);
  return aScene({ ...options, files: head, repository });
}

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
