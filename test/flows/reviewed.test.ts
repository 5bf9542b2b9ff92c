import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  dieBefore,
  editLive,
  messages,
  outcomes,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene, WORKSPACE } from '../helpers/scene.ts';

const PRUNE = ['--allow', 'prune', '--allow', 'large'] as const;
const HOUR = 3_600_000;
const REVIEWED = ['--reviewed', 'plan.json'] as const;
const WELCOME = campaign();
const OTHER = campaign({ name: 'Other', messages: [{ text: 'Something else' }] });

const declare = (scene: Scene, resources: Parameters<typeof declaring>[0]) =>
  Object.assign(scene.files.tree, declaring(resources));

/** A workspace of which everything in `before` is live, and a saved plan of `after` was reviewed. */
const reviewed = madeOnce(
  async (
    after: Parameters<typeof declaring>[0],
    before: Parameters<typeof declaring>[0] | null = null,
    ...flags: string[]
  ) => {
    const scene = aScene({ files: declaring(before ?? after) });
    if (before !== null) expect((await applied(scene)).code).toBe(0);
    declare(scene, after);
    const ran = await scene.herald('plan', '--out', 'plan.json', ...flags);
    expect(ran.stderr).toContain('Plan written to plan.json');
    return scene;
  },
);

describe('apply --reviewed', () => {
  it('may be repeated: what is done is reported, and nothing is sent', async () => {
    const scene = await reviewed({ campaigns: [WELCOME], broadcasts: [broadcast()] });
    await applied(scene, ...REVIEWED);
    const sent = await writesSent(scene);
    const again = await applied(scene, ...REVIEWED);
    expect(again.code).toBe(0);
    expect(again.report.already_done?.map(({ address, action }) => [address.name, action])).toEqual([
      ['Teaser', 'create'],
      ['Welcome', 'create'],
    ]);
    expect(await writesSent(scene)).toEqual(sent);
    const told = await scene.herald('apply', '--yes', ...REVIEWED);
    expect(told.stdout).toContain('= already done create');
    expect(told.stdout).toContain('alice/campaign/Welcome');
  });

  it('survives an unrelated commit, of which it carries out nothing', async () => {
    const scene = await reviewed({ campaigns: [WELCOME] });
    declare(scene, { campaigns: [WELCOME, OTHER] });
    const run = await applied(scene, ...REVIEWED);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted', 'create applied']]);
    expect(messages(run)).toContain('Not reviewed: Herald would create it, and no reviewed plan changes it.');
    expect(await createsSent(scene)).toBe(1);
  });

  const other = { messages: [{ text: 'Another text' }] };
  it.each<[string, (scene: Scene) => unknown]>([
    ['another text', (scene) => declare(scene, { campaigns: [campaign(other)] })],
    ['a live object that someone edited', (scene) => editLive(scene, 'campaign', other)],
    ['a live object that someone paused', (scene) => editLive(scene, 'campaign', { status: 'paused' })],
    [
      'another object of the name',
      (scene) => scene.service((control) => control.seedCampaign('101', { name: 'Welcome', ...other })),
    ],
  ])('leaves alone what is not as reviewed: %s', async (_title, change) => {
    const next = campaign({ messages: [{ text: 'New' }] });
    const scene = await reviewed({ campaigns: [next] }, { campaigns: [WELCOME] });
    await change(scene);
    const sent = await writesSent(scene);
    const run = await applied(scene, ...REVIEWED);
    expect(run.code).toBe(5);
    expect(outcomes(run)).toContain('blocked not_attempted');
    expect(await writesSent(scene)).toEqual(sent);
  });

  it('shows what is not as reviewed, also the value of a variable', async () => {
    const saying = (text: string) => ({ campaigns: [campaign({ messages: [{ text }] })] });
    const scene = await reviewed(saying('Hey, {{first_name}} is here'));
    scene.files.tree['herald.yaml'] = WORKSPACE.replace('Alice', 'Alina');
    const named = await scene.herald('apply', '--yes', ...REVIEWED);
    expect(named.stderr).toContain('{{first_name}}: "Alina" on alice');
    declare(scene, saying('As edited'));
    const ran = await scene.herald('apply', '--yes', ...REVIEWED);
    expect(ran.code).toBe(5);
    expect(ran.stderr.replace(/\s+/g, ' ')).toContain('Not as reviewed: Herald would create it.');
    expect(ran.stderr).toContain('As edited');
  });

  it('calls nothing done of an account that herald.yaml does not name any more', async () => {
    const scene = await reviewed({ campaigns: [WELCOME] });
    scene.files.tree['herald.yaml'] = WORKSPACE.replace(/ {2}alice: .*\n/, '');
    Object.assign(scene.files.tree, declaring({ campaigns: [WELCOME] }, ['bob']));
    const ran = await scene.herald('apply', '--yes', ...REVIEWED);
    expect([ran.code, await createsSent(scene)]).toEqual([5, 0]);
    expect(ran.stderr).toContain('herald.yaml does not have the account alice any more');
    expect(ran.stdout).not.toContain('already done');
  });

  it('takes allowances from its own flags, and none from the plan', async () => {
    const mine = { name: 'Welcome', messages: [{ text: 'Mine' }] };
    const scene = aScene({ files: declaring({ campaigns: [WELCOME] }) });
    await scene.service((control) => control.seedCampaign('101', mine));
    await scene.herald('plan', '--out', 'plan.json', '--allow', 'adopt');
    const without = await applied(scene, ...REVIEWED);
    expect([without.code, await createsSent(scene)]).toEqual([5, 0]);
    const allowed = await applied(scene, ...REVIEWED, '--allow', 'adopt');
    expect([allowed.code, outcomes(allowed)]).toEqual([0, ['replace applied']]);
  });

  it('calls nothing done that is not declared any more, or that it may not prune', async () => {
    const [both, one] = [{ campaigns: [WELCOME, OTHER] }, { campaigns: [WELCOME] }];
    const dropped = await reviewed(both, one);
    declare(dropped, one);
    const unpruned = await reviewed(one, both, ...PRUNE);
    for (const scene of [dropped, unpruned])
      expect((await applied(scene, ...REVIEWED)).report.already_done).toEqual([]);
    await applied(unpruned, ...REVIEWED, ...PRUNE);
    expect((await applied(unpruned, ...REVIEWED)).report.already_done).toHaveLength(1);
  });

  it('calls no stop done that came too late', async () => {
    const as = (status: string) => ({ broadcasts: [broadcast({ status })] });
    const scene = await reviewed(as('paused'), as('scheduled'));
    const late = async () => (await applied(scene, ...REVIEWED, '--allow', 'recall')).report.already_done;
    scene.clock.move(4 * HOUR);
    expect(await late()).toEqual([]);
    scene.clock.move(40 * HOUR);
    declare(scene, as('recalled'));
    await scene.herald('plan', '--allow', 'recall', '--out', 'plan.json');
    await late();
    expect(await late()).toEqual([]);
  });

  it('stops nothing by a plan that is too old, also while it waits for an earlier request', async () => {
    const scene = await reviewed({ campaigns: [campaign({ status: 'paused' })] }, { campaigns: [WELCOME] });
    declare(scene, { campaigns: [WELCOME, OTHER] });
    await dieBefore(scene, (what) => what === 'end');
    declare(scene, { campaigns: [campaign({ status: 'paused' }), OTHER] });
    scene.clock.move(3 * HOUR);
    const ran = await scene.herald('apply', '--yes', ...REVIEWED, '--max-plan-age', '1');
    expect([ran.code, await statuses(scene, 'campaign')]).toEqual([5, ['active', 'active']]);
  });

  it('prunes what was reviewed, and nothing else', async () => {
    const both = { campaigns: [WELCOME, OTHER] };
    const scene = await reviewed({ campaigns: [WELCOME] }, both, ...PRUNE);
    const third = campaign({ name: 'Third', messages: [{ text: 'Third' }] });
    declare(scene, { campaigns: [WELCOME, OTHER, third] });
    await scene.herald('apply', '--yes');
    declare(scene, { campaigns: [WELCOME] });
    const run = await applied(scene, ...REVIEWED, ...PRUNE);
    expect([run.code, outcomes(run)]).toEqual([5, ['archive applied', 'blocked not_attempted']]);
  });
});
