import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, liveOn, messages, outcomes, planned, writesSent } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';
import { expectNoOneGetsItTwice, expectQuiet } from '../helpers/truth.ts';

const RATES = { campaign: 'campaigns.create', broadcast: 'broadcasts.create' } as const;
type Kind = keyof typeof RATES;

/** What someone does just before a list of the next run is read: its first is the plan's, the second the creates'. */
async function someone(scene: Scene, kind: Kind, nth: number, id: string, status: string): Promise<void> {
  const edit = { account_id: '101', kind, id, set: { status } };
  await scene.fault({ kind: 'change_before', operation: `${kind}s.list`, nth, edit });
}

/** The create has to wait for so long; more than three minutes is too long for it. */
function busy(scene: Scene, kind: Kind, seconds: number): Promise<void> {
  const operation = RATES[kind];
  return scene.fault({ kind: 'throttle', operation, nth: 1, times: 1, retry_after_sec: seconds });
}

async function standing(kind: Kind, ...versions: readonly Readonly<Record<string, unknown>>[]) {
  const scene = aScene();
  const declare = (parts: Readonly<Record<string, unknown>>) =>
    Object.assign(
      scene.files.tree,
      declaring(kind === 'campaign' ? { campaigns: [campaign(parts)] } : { broadcasts: [broadcast(parts)] }),
    );
  for (const [index, parts] of versions.entries()) {
    if (index > 0) expect((await applied(scene)).code).toBe(0);
    declare(parts);
  }
  const ids = (await liveOn(scene, '101', kind)).map(({ id }) => id);
  return { scene, ids, writes: (await writesSent(scene)).length };
}

const HELLO = { messages: [{ text: 'Hello' }] };

describe('a person who stops the old version for good while its replace waits', () => {
  it.each(['archived', 'recalled'])('so that it is %s: it is not switched on again', async (status) => {
    const { scene, ids, writes } = await standing('campaign', {}, HELLO);
    await busy(scene, 'campaign', 200);
    // Nothing waits, so this is the list before the old one is switched on again.
    await someone(scene, 'campaign', 3, ids[0] ?? '', status);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([4, ['replace failed']]);
    expect(messages(run)).toContain(`is ${status} now, so it is not activated again`);
    expect((await writesSent(scene)).slice(writes)).toEqual([
      'PATCH campaigns.set-status',
      'POST campaigns.create',
    ]);
  });

  it('has decided about the message: nothing is created in its place', async () => {
    const { scene, ids } = await standing('campaign', {}, HELLO);
    await busy(scene, 'campaign', 20);
    await someone(scene, 'campaign', 3, ids[0] ?? '', 'recalled');
    const run = await applied(scene);
    expect(messages(run)).toContain('was paused and is recalled now');
    expect(await createsSent(scene), 'one before, and the one that got 429').toBe(2);
  });

  it('before it was touched, with create_first: nothing is created either', async () => {
    const { scene, ids } = await standing('campaign', {}, { ...HELLO, replace: 'create_first' });
    await busy(scene, 'campaign', 20);
    await someone(scene, 'campaign', 3, ids[0] ?? '', 'paused');
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['replace failed']]);
    expect(messages(run)).toContain('was active and is paused now');
    expect(await createsSent(scene)).toBe(2);
  });
});

describe('a person who switches an earlier version on again', () => {
  const versions = ['One', 'Two', 'Three'].map((text) => ({ messages: [{ text }] }));

  it.each([
    ['while the create of a third waits', 3],
    ['before it is begun', 2],
  ])('%s: it is not created next to that', async (_, nth) => {
    const { scene, ids } = await standing('broadcast', ...versions);
    await busy(scene, 'broadcast', 20);
    await someone(scene, 'broadcast', nth, ids[0] ?? '', 'scheduled');
    const before = await createsSent(scene);
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(messages(run)).toMatch(/was paused .*is scheduled now/);
    expect((await createsSent(scene)) - before, 'one that got 429 at most').toBe(nth - 2);
    // The second was stopped for the third by then, and does not go out next to the first.
    expect((await writesSent(scene)).at(-1)).toBe('POST broadcasts.create');
    if (nth === 3)
      expect(messages(run)).toContain(`stays paused: ${ids[0] ?? ''} with this name was activated`);
    await expectNoOneGetsItTwice(scene);
  });
});

describe('a share of the rates that leaves one place at a time', () => {
  it.each([0.03, 0.004])('does not stand still: %d', async (share) => {
    const names = ['A', 'B', 'C'];
    const text = WORKSPACE.replace('.json }', `.json, rate_share: ${share} }`);
    expect(text).toContain('rate_share');
    const campaigns = names.map((name) => campaign({ name, messages: [{ text: name }] }));
    const scene = aScene({ files: { 'herald.yaml': text, ...declaring({ campaigns }) } });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, names.map(() => 'create applied')]);
    await expectQuiet(scene);
  });
});

describe('a list that cannot be looked at while a create waits', () => {
  it('is not a reason to forget the create: the next apply makes it', async () => {
    const { scene } = await standing('campaign', {});
    await busy(scene, 'campaign', 20);
    await scene.fault({
      kind: 'broken_answer',
      when: 'before_commit',
      how: 'reset',
      operation: 'campaigns.list',
      nth: 3,
      times: 20,
    });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['create failed']]);
    await scene.service((control) => control.clearFaults());
    expect((await planned(scene)).plan.summary.create).toBe(1);
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    await expectNoOneGetsItTwice(scene);
  });
});
