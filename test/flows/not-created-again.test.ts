import { describe, expect, it } from 'vitest';
import { seedShape } from '../../src/simulator/fault-shape.ts';
import type { BroadcastSeed, CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
} from '../helpers/flows.ts';
import {
  REWRITTEN_KINDS as KINDS,
  rewriting,
  SENT,
  SHOWN,
  type RewrittenKind as Kind,
} from '../helpers/rewrites.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { expectNoOneGetsItTwice, expectQuiet } from '../helpers/truth.ts';

const MINUTE = 60_000;

/** The next create is carried out and answered with a 502, so Herald does not know. */
function losing(scene: Scene, { kind }: Kind): Promise<void> {
  return scene.fault({
    kind: 'broken_answer',
    operation: `${kind}s.create`,
    how: '502',
    when: 'after_commit',
    nth: 1,
  });
}

/** An apply, and a person who changes the object of the name on the service some seconds after its create. */
async function appliedWhile(
  scene: Scene,
  { kind, name }: Kind,
  set: CampaignSeed & BroadcastSeed,
  ...flags: readonly string[]
) {
  const edit = { kind, account_id: '101', name, set };
  await scene.fault({ kind: 'change_before', operation: `${kind}s.list`, nth: 5, edit });
  const run = await applied(scene, ...flags);
  // The embedded service keeps what a request changed; the run has sent none since.
  const [object] = (await liveOn(scene, '101', kind)).filter((one) => one.name === name);
  const id = object?.id ?? '';
  await scene.service((control) =>
    kind === 'campaign' ? control.editCampaign('101', id, set) : control.editBroadcast('101', id, set),
  );
  return run;
}

const runs = async (scene: Scene, { kind, running }: Kind) =>
  (await statuses(scene, kind)).filter((status) => status === running).length;

describe.each(KINDS)('a $kind with a create that got no answer, and something new under its name', (what) => {
  const { kind, name, running } = what;

  // Herald has never had an answer to a create here, so it cannot tell its own objects.
  it('with another text is not sent again by that run, also not with --allow adopt', async () => {
    const scene = aScene({ files: what.files() });
    await rewriting(scene, what);
    await losing(scene, what);
    const run = await applied(scene, '--allow', 'adopt');
    const [made] = await liveOn(scene, '101', kind);
    expect([run.code, outcomes(run), await createsSent(scene)]).toEqual([3, ['create unknown'], 1]);
    expect(messages(run)).toContain(`Not created again, because ${made?.id ?? ''} is new with this name`);
    expect(messages(run)).toContain('Check it on the service, then run "herald plan"');
    expect(messages(run)).not.toMatch(/did not succeed/);
    expect(await statuses(scene, kind)).toEqual([running]);
  });

  it('with another text is replaced once by the next run with --allow adopt, and then left', async () => {
    const scene = aScene({ files: what.files() });
    await rewriting(scene, what);
    await losing(scene, what);
    await applied(scene, '--allow', 'adopt');
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual([]);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  });

  it('of a replace is not sent again by that run: the old version stays paused', async () => {
    const scene = aScene({ files: what.files() });
    const seed = { ...what.equal, messages: [{ text: 'Old' }] };
    await scene.service((control) =>
      kind === 'campaign' ? control.seedCampaign('101', seed) : control.seedBroadcast('101', seed),
    );
    await rewriting(scene, what);
    await losing(scene, what);
    const run = await applied(scene, '--allow', 'adopt');
    expect([run.code, outcomes(run), await createsSent(scene)]).toEqual([3, ['replace unknown'], 1]);
    expect(await statuses(scene, kind)).toEqual(['paused', running]);
  });

  it('with other content than a text is not sent again, and not said to have failed', async () => {
    const scene = aScene({ files: what.files() });
    await losing(scene, what);
    const dear = { messages: [{ text: SENT, price_gross: 5 }] };
    const run = await appliedWhile(scene, what, dear, '--allow', 'adopt');
    expect([run.code, outcomes(run), await createsSent(scene)]).toEqual([3, ['create unknown'], 1]);
    expect(messages(run)).not.toMatch(/did not succeed/);
    expect(decisions(await planned(scene)), 'the next one shows it').toEqual([
      `blocked alice/${kind}/${name}`,
    ]);
  });

  it('that a person archived and edited is not created again, now or by the next run', async () => {
    const scene = aScene({ files: what.files() });
    await losing(scene, what);
    const archived = { status: 'archived', messages: [{ text: 'Mine' }] };
    const run = await appliedWhile(scene, what, archived, '--allow', 'adopt', '--allow', 'resume');
    expect([run.code, await createsSent(scene)]).toEqual([5, 1]);
    expect(messages(run)).toContain(
      kind === 'campaign' ? 'Not created again' : 'To send it again, give it a new name',
    );
    const next = await applied(scene, '--allow', 'adopt');
    expect([next.code, await createsSent(scene)]).toEqual([5, 1]);
    expect(await runs(scene, what)).toBe(0);
  });

  it('that a person archived as it is is not created again by the run that finds it', async () => {
    const scene = aScene({ files: what.files() });
    await losing(scene, what);
    const run = await appliedWhile(scene, what, { status: 'archived' }, '--allow', 'resume');
    expect([run.code, await createsSent(scene)]).toEqual([5, 1]);
    expect(messages(run)).not.toContain('did not succeed');
  });

  it('twice, with another text each, has one of both stopped by the run that adopts the other', async () => {
    const other = kind === 'campaign' ? campaign({ name: 'Other' }) : broadcast({ name: 'Other' });
    const scene = aScene({ files: declaring({ [`${kind}s`]: [other] }) });
    expect((await applied(scene)).code, 'Herald knows its own objects by this').toBe(0);
    Object.assign(scene.files.tree, what.files(), {
      'live/other.yaml': declaring({ [`${kind}s`]: [other] })['live/all.yaml'] ?? '',
    });
    await rewriting(scene, what);
    await losing(scene, what);
    // Another run with the same key makes its own one, which is rewritten as well.
    const theirs = { ...what.equal, messages: [{ text: SHOWN }], created_by: { type: 'api_token', id: '1' } };
    const seed = seedShape.parse({ kind, account_id: '101', set: theirs });
    await scene.fault({ kind: 'change_before', operation: `${kind}s.list`, nth: 4, seed });
    const run = await applied(scene);
    const group = (await liveOn(scene, '101', kind)).filter((one) => one.name === name);
    expect(group.map(({ status }) => status)).toEqual([running, 'paused']);
    expect([run.code, await createsSent(scene)]).toEqual([0, 2]);
    await expectNoOneGetsItTwice(scene);
  });
});

it('another version that appears next to a created campaign is paused before the run ends', async () => {
  const [what] = KINDS;
  const scene = aScene({ files: what.files() });
  await applied(scene);
  Object.assign(scene.files.tree, what.files({ messages: [{ text: 'New' }] }));
  // A create of an earlier version comes late, after the new one was made.
  const late = { ...what.equal, created_by: { type: 'api_token', id: '1' } };
  const seed = seedShape.parse({ kind: what.kind, account_id: '101', set: late });
  await scene.fault({ kind: 'change_before', operation: 'campaigns.list', nth: 3, seed });
  const run = await applied(scene);
  expect([run.code, outcomes(run)]).toEqual([0, ['replace applied', 'pause applied']]);
  expect(messages(run)).not.toContain('already needs');
  expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active', 'paused']);
  await expectQuiet(scene);
});
