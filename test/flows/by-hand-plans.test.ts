import { describe, expect, it } from 'vitest';
import { byHand } from '../helpers/by-hand.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, outcomes, planned, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { expectQuiet } from '../helpers/truth.ts';

const DAY = 86_400_000;
const WELCOME = 'alice/campaign/Welcome';
const TEASER = 'alice/broadcast/Teaser';

async function idOf(scene: Scene, kind: 'campaign' | 'broadcast'): Promise<string> {
  return (await liveOn(scene, '101', kind)).at(-1)?.id ?? '';
}

async function standing(files: Record<string, string>): Promise<Scene> {
  const scene = aScene({ files });
  expect((await applied(scene)).code).toBe(0);
  return scene;
}

const campaigns = (more = {}) => declaring({ campaigns: [campaign(more)] });
const broadcasts = (more = {}) => declaring({ broadcasts: [broadcast(more)] });

describe('a campaign that a person stopped by hand', () => {
  it.each(['pause', 'archive'])('%s: no plan switches it on again without a word', async (verb) => {
    const scene = await standing(campaigns());
    await byHand(scene, 'campaigns', verb, await idOf(scene, 'campaign'));
    const next = await planned(scene);
    expect(decisions(next)).toEqual([`blocked ${WELCOME}`]);
    expect(next.plan.changes[0]?.needs).toEqual(['resume']);
    expect(next.plan.changes[0]?.reasons.join(' ')).toContain('Stopped by hand with Herald');
    expect(next.code).toBe(5);
    const sent = await writesSent(scene);
    expect((await applied(scene)).code).toBe(5);
    expect(await writesSent(scene)).toEqual(sent);
    expect(outcomes(await applied(scene, '--allow', 'resume'))).toEqual(['activate applied']);
    await expectQuiet(scene);
  });

  it('stays stopped after the service has archived it, seven days later', async () => {
    const scene = await standing(campaigns());
    await byHand(scene, 'campaigns', 'pause', await idOf(scene, 'campaign'));
    scene.clock.move(8 * DAY);
    expect(await statuses(scene, 'campaign')).toEqual(['archived']);
    expect(decisions(await planned(scene))).toEqual([`blocked ${WELCOME}`]);
  });

  it.each(['pause', 'archive'])('%s: nor does another version of it start', async (verb) => {
    const scene = await standing(campaigns());
    await byHand(scene, 'campaigns', verb, await idOf(scene, 'campaign'));
    Object.assign(scene.files.tree, campaigns({ messages: [{ text: 'Hello' }] }));
    const next = await planned(scene);
    expect(decisions(next)).toEqual([`blocked ${WELCOME}`]);
    expect(next.plan.changes[0]?.needs).toEqual(['resume']);
  });

  it('and activated by hand is as declared', async () => {
    const scene = await standing(campaigns());
    const id = await idOf(scene, 'campaign');
    await byHand(scene, 'campaigns', 'pause', id);
    await byHand(scene, 'campaigns', 'activate', id);
    await expectQuiet(scene);
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });

  it('is as declared where the files say paused', async () => {
    const scene = await standing(campaigns());
    await byHand(scene, 'campaigns', 'pause', await idOf(scene, 'campaign'));
    Object.assign(scene.files.tree, campaigns({ status: 'paused' }));
    await expectQuiet(scene);
  });

  it('recalled by hand is recalled for good', async () => {
    const scene = await standing(campaigns());
    await byHand(scene, 'campaigns', 'unsend', await idOf(scene, 'campaign'));
    expect(decisions(await planned(scene))).toEqual([`blocked ${WELCOME}`]);
    Object.assign(scene.files.tree, campaigns({ status: 'recalled' }));
    await expectQuiet(scene, '--allow', 'recall');
  });

  it('paused by hand and killed before the answer: no plan switches it on', async () => {
    const scene = await standing(campaigns());
    const id = await idOf(scene, 'campaign');
    const run = scene.start('campaigns', 'pause', id, '--account', 'alice', '--yes');
    let over = false;
    scene.files.onWrite = (_path, text) => {
      over ||= text.includes('"type":"outcome"');
      if (over) run.kill();
      return over ? 'frozen' : 'done';
    };
    while (!over) await new Promise((resolve) => setImmediate(resolve));
    scene.files.onWrite = () => 'done';
    const next = await planned(scene);
    expect(decisions(next)).toEqual([`blocked ${WELCOME}`]);
    expect((await applied(scene)).code).toBe(5);
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
  });
});

describe('a broadcast that a person stopped by hand', () => {
  it('is not resumed by a plan; by hand it is, and goes out once', async () => {
    const scene = await standing(broadcasts());
    const id = await idOf(scene, 'broadcast');
    await byHand(scene, 'broadcasts', 'pause', id);
    const next = await planned(scene);
    expect(decisions(next)).toEqual([`blocked ${TEASER}`]);
    expect(next.plan.changes[0]?.needs).toEqual(['resume']);
    expect((await byHand(scene, 'broadcasts', 'resume', id)).code).toBe(0);
    await expectQuiet(scene);
    scene.clock.move(DAY);
    const { dispatch_counts: counts } = await scene.oracle();
    expect(new Set(counts.map(({ count }) => count))).toEqual(new Set([1]));
  });

  it('nor does another version of it go out in its place', async () => {
    const scene = await standing(broadcasts());
    await byHand(scene, 'broadcasts', 'pause', await idOf(scene, 'broadcast'));
    Object.assign(scene.files.tree, broadcasts({ messages: [{ text: 'Tonight' }] }));
    const next = await planned(scene);
    expect(decisions(next)).toEqual([`blocked ${TEASER}`]);
    expect(next.plan.changes[0]?.needs).toEqual(['resume']);
  });

  it('the old version of a replace is not resumed by hand next to the new one', async () => {
    const scene = await standing(broadcasts());
    const old = await idOf(scene, 'broadcast');
    Object.assign(scene.files.tree, broadcasts({ messages: [{ text: 'Tonight' }] }));
    await applied(scene);
    const ran = await byHand(scene, 'broadcasts', 'resume', old);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('Fans would get it twice');
  });

  it('says before a recall that a pause is enough, and names no command for one that is paused', async () => {
    const scene = await standing(broadcasts());
    const recall = () => scene.herald('broadcasts', 'recall', TEASER);
    expect((await recall()).stderr).toContain('so a pause is enough: herald broadcasts pause');
    await byHand(scene, 'broadcasts', 'pause', await idOf(scene, 'broadcast'));
    const { stderr } = await recall();
    expect(stderr).toContain('It is paused and nothing was sent');
    expect(stderr).not.toContain('herald broadcasts pause');
  });

  it('unsent by hand is not unsent once more by the files', async () => {
    const scene = await standing(broadcasts());
    await byHand(scene, 'broadcasts', 'unsend', await idOf(scene, 'broadcast'));
    Object.assign(scene.files.tree, broadcasts({ status: 'recalled' }));
    await expectQuiet(scene, '--allow', 'recall');
  });
});

describe('what Herald did by hand', () => {
  it('adopts nothing: the first write of an apply still asks', async () => {
    const scene = aScene({ files: campaigns() });
    const set = { id: '77', name: 'Welcome', messages: [{ text: 'Someone else wrote this' }] };
    await scene.service((control) => control.seedCampaign('101', set));
    const before = (await planned(scene)).plan.changes[0]?.needs;
    expect(before).toEqual(['adopt']);
    await byHand(scene, 'campaigns', 'pause', '77');
    await byHand(scene, 'campaigns', 'activate', '77');
    expect((await planned(scene)).plan.changes[0]?.needs).toEqual(['adopt']);
  });

  it('leaves a renamed one known under its new name', async () => {
    const scene = await standing(campaigns());
    Object.assign(scene.files.tree, campaigns({ name: 'Hello', renamed_from: 'Welcome' }));
    await applied(scene);
    const id = await idOf(scene, 'campaign');
    await byHand(scene, 'campaigns', 'pause', id);
    await byHand(scene, 'campaigns', 'activate', id);
    Object.assign(scene.files.tree, campaigns({ name: 'Hello' }));
    await expectQuiet(scene);
    expect((await liveOn(scene, '101', 'campaign')).length).toBe(1);
  });

  it('waits for a lost create of the name before it switches another one on', async () => {
    const scene = await standing(campaigns());
    const id = await idOf(scene, 'campaign');
    await byHand(scene, 'campaigns', 'pause', id);
    Object.assign(scene.files.tree, campaigns({ messages: [{ text: 'Hello' }] }));
    const operation = 'campaigns.create';
    await scene.fault({ kind: 'late_commit', operation, after_sec: 50, how: 'reset', nth: 1 });
    const run = scene.start('apply', '--yes', '--allow', 'resume');
    let over = false;
    scene.files.onWrite = (_path, text) => {
      over ||= text.includes('"outcome":"unknown"');
      if (over) run.kill();
      return over ? 'frozen' : 'done';
    };
    while (!over) await new Promise((resolve) => setImmediate(resolve));
    scene.files.onWrite = () => 'done';
    const ran = await byHand(scene, 'campaigns', 'activate', id);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('with the same name is active');
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });
});
