import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, liveOn, messages, outcomes, statuses } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

/** A minute after the flows begin, and before a lost answer is resolved. */
const END = { rules: { end_at: '2026-06-01T12:01Z' } };
const LATER = { rules: { end_at: '2026-06-01T18:00Z' } };

const ends = (more: Readonly<Record<string, unknown>> = {}) =>
  declaring({ campaigns: [campaign({ ...END, ...more })] });
const NEW = { messages: [{ text: 'New' }] };

const LOST = { kind: 'broken_answer', how: 'reset', when: 'before_commit', nth: 1 } as const;
const LOST_CREATE = { ...LOST, operation: 'campaigns.create' } as const;
const LOST_STATUS = { ...LOST, operation: 'campaigns.set-status' } as const;
const SILENT = { how: 'timeout', times: 30 } as const;

async function live(more: Readonly<Record<string, unknown>>): Promise<Scene> {
  const scene = aScene({ files: declaring({ campaigns: [campaign(more)] }) });
  expect((await applied(scene)).code).toBe(0);
  return scene;
}

function declare(scene: Scene, more: Readonly<Record<string, unknown>>): void {
  Object.assign(scene.files.tree, ends(more));
}

const idOf = async (scene: Scene) => (await liveOn(scene, '101', 'campaign'))[0]?.id ?? '';

// CAMPAIGN-5
describe('a campaign with an end that passes while its lost create is resolved', () => {
  it('is not created, and the end is what is to be changed, now and in the next run', async () => {
    const scene = aScene({ files: ends() });
    await scene.fault(LOST_CREATE);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['create unknown']]);
    expect(messages(run)).toBe(
      'Not created. The request got no answer and did not succeed, and then its end had passed. To send it, change rules.end_at.',
    );
    const next = (await scene.herald('apply', '--yes')).stdout;
    expect(next).toContain('To send what was missed, change rules.end_at.');
    expect(next).not.toContain('scheduled_at');
  });

  it('is not created either next to an archived one of the name', async () => {
    const scene = aScene({ files: ends() });
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Welcome', status: 'archived', messages: [{ text: 'Old' }] }),
    );
    await scene.fault(LOST_CREATE);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['create unknown']]);
    expect(messages(run)).toMatch(/^Not created\. .* change rules\.end_at\.$/);
    expect(await createsSent(scene)).toBe(1);
  });

  it('is found, if it was created all the same', async () => {
    const scene = aScene({ files: ends() });
    await scene.fault({ ...LOST_CREATE, when: 'after_commit' });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['create adopted']]);
  });
});

describe('a replace with an end that passes while it is resolved', () => {
  it('says that the new version was not created', async () => {
    const scene = await live(END);
    declare(scene, NEW);
    await scene.fault(LOST_CREATE);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['replace unknown']]);
    expect(messages(run)).toBe(
      `Not replaced. The new version was not created, and its end has passed. The old version ${await idOf(scene)} is paused, so neither sends. Change rules.end_at to create the new one.`,
    );
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
  });

  it('names the command that activates the old version, if that has not ended', async () => {
    const scene = await live(LATER);
    declare(scene, NEW);
    await scene.fault(LOST_CREATE);
    const old = await idOf(scene);
    expect(messages(await applied(scene))).toContain(
      `or activate the old one: herald campaigns activate ${old} --account alice.`,
    );
    const ran = await scene.herald('campaigns', 'activate', old, '--account', 'alice', '--yes');
    expect(ran.code, ran.stderr).toBe(0);
  });

  it('has failed if the old version was never paused', async () => {
    const scene = await live(LATER);
    declare(scene, NEW);
    await scene.fault({ ...LOST_STATUS, ...SILENT });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['replace failed']]);
    expect(messages(run)).toContain('active now, and the end of the new version has passed');
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });

  it('stays half done if the pause shows and was never confirmed', async () => {
    const scene = await live(LATER);
    declare(scene, NEW);
    await scene.fault({ kind: 'partial_commit', operation: 'campaigns.set-status' });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['replace unknown']]);
    expect(messages(run)).toMatch(/is paused, .*It may be half done/);
  });
});

it('an activation with an end that passes while it is resolved has failed: no later run repeats it', async () => {
  const scene = await live(LATER);
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ ...LATER, status: 'paused' })] }));
  expect((await applied(scene)).code).toBe(0);
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign(LATER)] }));
  scene.clock.move(6 * 3_600_000 - 60_000);
  await scene.fault({ ...LOST_STATUS, ...SILENT });
  const run = await applied(scene);
  expect([run.code, outcomes(run)]).toEqual([1, ['activate failed']]);
  expect(messages(run)).toContain('paused now, and its end has passed');
  expect(outcomes(await applied(scene))).toEqual([]);
});
