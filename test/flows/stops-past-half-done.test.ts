import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, messages, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { addCopy, HOUR, sentInTheEnd } from '../helpers/stops.ts';

const HALF = { kind: 'partial_commit', operation: 'campaigns.set-status' } as const;

const declare = (scene: Scene, parts: Parameters<typeof declaring>[0]) =>
  Object.assign(scene.files.tree, declaring(parts));

/** A campaign with an archive that stays half done, next to a broadcast. */
async function halfDone(): Promise<Scene> {
  const scene = aScene({ files: declaring({ campaigns: [campaign()], broadcasts: [broadcast()] }) });
  await applied(scene);
  await scene.fault(HALF);
  declare(scene, { campaigns: [campaign({ status: 'archived' })], broadcasts: [broadcast()] });
  expect((await applied(scene)).code).toBe(3);
  scene.clock.move(HOUR);
  return scene;
}

const archived = campaign({ status: 'archived' });

describe('a half-done archive of one campaign that is still not confirmed', () => {
  it('does not keep an apply from pausing a broadcast', async () => {
    const scene = await halfDone();
    declare(scene, { campaigns: [archived], broadcasts: [broadcast({ status: 'paused' })] });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['pause applied', 'archive unknown']]);
    expect(messages(run)).toMatch(/\d+ is archived, but .* It may be half done/);
    expect(await sentInTheEnd(scene)).toEqual({});
  });

  it('nor from stopping a duplicate', async () => {
    const scene = await halfDone();
    await addCopy(scene);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['retire applied', 'archive unknown']]);
    expect(await sentInTheEnd(scene)).toEqual({ Tomorrow: 1 });
  });

  it('is repeated after the stops', async () => {
    const scene = await halfDone();
    declare(scene, { campaigns: [archived], broadcasts: [broadcast({ status: 'paused' })] });
    const before = (await writesSent(scene)).length;
    await applied(scene);
    const sent = (await writesSent(scene)).slice(before);
    expect(sent[0]).toContain('broadcasts.set-status');
    expect(sent.slice(1).every((one) => one.includes('campaigns.set-status'))).toBe(true);
  });

  it('lets nothing start, and says of each start why', async () => {
    const scene = await halfDone();
    const other = campaign({ name: 'Other', messages: [{ text: 'Other' }] });
    declare(scene, { campaigns: [archived, other], broadcasts: [broadcast({ status: 'paused' })] });
    const run = await applied(scene);
    expect([run.code, outcomes(run).toSorted()]).toEqual([
      3,
      ['archive unknown', 'create not_attempted', 'pause applied'],
    ]);
    expect(messages(run)).toContain(
      'Not started, because an earlier change is not confirmed yet: alice/campaign/Welcome. Run "herald apply" again.',
    );
    expect(await statuses(scene, 'campaign')).toEqual(['archived']);
  });

  it('lets everything start once the service confirms it', async () => {
    const scene = await halfDone();
    const other = campaign({ name: 'Other', messages: [{ text: 'Other' }] });
    declare(scene, { campaigns: [archived, other], broadcasts: [broadcast({ status: 'paused' })] });
    await scene.service((control) => control.clearFaults());
    const run = await applied(scene);
    expect([run.code, outcomes(run).toSorted()]).toEqual([0, ['create applied', 'pause applied']]);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });

  it('does not keep a stop with a lost answer from being resolved', async () => {
    const scene = await halfDone();
    declare(scene, { campaigns: [archived], broadcasts: [broadcast({ status: 'paused' })] });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.set-status',
      how: '502',
      when: 'after_commit',
    });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['pause applied', 'archive unknown']]);
  });
});

describe('a half-done activation of a campaign', () => {
  it.each([
    ['paused', 'pause'],
    ['archived', 'archive'],
  ])('is not repeated where the file wants it %s by now', async (status, action) => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await applied(scene);
    declare(scene, { campaigns: [campaign({ status: 'paused' })] });
    await applied(scene);
    scene.clock.move(HOUR);
    await scene.fault({ ...HALF, times: 1_000 });
    declare(scene, { campaigns: [campaign()] });
    expect((await applied(scene)).code).toBe(3);
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
    scene.clock.move(HOUR);
    declare(scene, { campaigns: [campaign({ status })] });
    await scene.service((control) => control.clearFaults());
    const before = (await writesSent(scene)).length;
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, [`${action} applied`]]);
    expect((await writesSent(scene)).slice(before)).toEqual(['PATCH campaigns.set-status']);
    expect(await statuses(scene, 'campaign')).toEqual([status]);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });
});
