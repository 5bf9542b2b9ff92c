import { describe, expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, messages, outcomes, planned, statuses } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

/** As long as the service is assumed to lag at most; the simulator's lists lag a little less. */
const LAG_SEC = 4;

describe.each(FILES_OF_KINDS)('a %s with a status that reads show seconds later', (kind, running, files) => {
  const operation = `${kind}s.set-status` as const;
  const start = kind === 'campaign' ? 'activate' : 'resume';
  const begun = async () => {
    const scene = aScene({ files: files({ name: 'A' }) });
    await applied(scene);
    const [id = ''] = (await liveOn(scene, '101', kind)).map((live) => live.id);
    return { scene, id };
  };
  const paused = async () => {
    const made = await begun();
    Object.assign(made.scene.files.tree, files({ name: 'A', status: 'paused' }));
    await applied(made.scene);
    made.scene.clock.move(10_000);
    return made;
  };
  const lags = (scene: Scene, reads = false) =>
    scene.fault({ kind: 'status_lag', operation, lag_sec: LAG_SEC, reads, nth: 1, times: 1 });
  const byHand = async (scene: Scene, verb: string, id: string) => {
    const ran = await scene.herald(`${kind}s`, verb, id, '--account', 'alice', '--yes');
    expect(ran.code, ran.stdout).toBe(0);
  };
  const byPerson = (scene: Scene, id: string, status: string) =>
    scene.service((control) =>
      kind === 'campaign'
        ? control.editCampaign('101', id, { status })
        : control.editBroadcast('101', id, { status }),
    );

  // ERROR-15
  it('is stopped again by an apply right after it was started by hand', async () => {
    const { scene, id } = await paused();
    await lags(scene);
    await byHand(scene, start, id);
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
    expect(await statuses(scene, kind)).toEqual(['paused']);
  });

  it('is stopped again also where the answer to its start took long', async () => {
    const { scene, id } = await paused();
    await scene.fault({ kind: 'slow', operation, delay_ms: 20_000, nth: 1, times: 1 });
    await scene.fault({ kind: 'status_lag', operation, lag_sec: 20 + LAG_SEC, nth: 1, times: 1 });
    await byHand(scene, start, id);
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
  });

  it('is drift right after it was stopped by hand', async () => {
    const { scene, id } = await begun();
    await lags(scene);
    await byHand(scene, 'pause', id);
    expect((await scene.herald('drift')).code).toBe(2);
    expect(decisions(await planned(scene))).toEqual([`blocked alice/${kind}/A`]);
  });

  it('can be started by hand right after it was stopped', async () => {
    const { scene, id } = await begun();
    await lags(scene);
    await byHand(scene, 'pause', id);
    await byHand(scene, start, id);
    expect(await statuses(scene, kind)).toEqual([running]);
  });

  it('is reported as started, also where the single read shows it late', async () => {
    const { scene } = await paused();
    Object.assign(scene.files.tree, files({ name: 'A' }));
    await lags(scene, true);
    const run = await applied(scene);
    expect([run.code, outcomes(run)], messages(run)).toEqual([0, [`${start} applied`]]);
    expect(messages(run)).not.toContain('again');
  });

  it('is reported as stopped, without a change that is needed again', async () => {
    const { scene } = await begun();
    Object.assign(scene.files.tree, files({ name: 'A', status: 'paused' }));
    await lags(scene, true);
    const run = await applied(scene);
    expect([run.code, outcomes(run), messages(run)]).toEqual([0, ['pause applied'], '']);
  });

  it('is replaced, also where the pause shows late', async () => {
    const { scene } = await begun();
    Object.assign(scene.files.tree, files({ name: 'A', messages: [{ text: 'Else' }] }));
    await lags(scene, true);
    const run = await applied(scene);
    expect([run.code, outcomes(run)], messages(run)).toEqual([0, ['replace applied']]);
    expect(await statuses(scene, kind)).toEqual(['paused', running]);
  });

  it('stays stopped if a person has stopped it in these seconds', async () => {
    const { scene, id } = await paused();
    await lags(scene);
    await byHand(scene, start, id);
    await byPerson(scene, id, 'paused');
    Object.assign(scene.files.tree, files({ name: 'A' }));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(await statuses(scene, kind)).toEqual(['paused']);
  });

  it('counts as started by a person if it still runs after these seconds', async () => {
    const { scene, id } = await paused();
    await byPerson(scene, id, running);
    Object.assign(scene.files.tree, files({ name: 'A' }));
    expect((await applied(scene)).code).toBe(0);
    await byPerson(scene, id, 'paused');
    const run = await applied(scene);
    expect(outcomes(run), 'the later pause is a person’s').toEqual(['blocked not_attempted']);
  });

  it.each([
    ['at once where lists agree with the ledger', 0, null],
    ['at once where a person changed it later', 20_000, 'paused'],
  ])('is planned %s', async (_how, laterMs, status) => {
    const { scene, id } = await paused();
    await byHand(scene, start, id);
    scene.clock.move(laterMs);
    if (status !== null) await byPerson(scene, id, status);
    const fromMs = scene.clock.now();
    await planned(scene);
    expect(scene.clock.now() - fromMs).toBeLessThan(1_000);
  });
});

describe.each(FILES_OF_KINDS)('a %s of which the recall shows seconds later', (kind, _running, files) => {
  const operation = `${kind}s.unsend` as const;
  const recalled = async () => {
    const scene = aScene({ files: files({ name: 'A' }) });
    await applied(scene);
    scene.clock.move(10_000);
    await scene.fault({ kind: 'status_lag', operation, lag_sec: LAG_SEC, nth: 1, times: 1 });
    Object.assign(scene.files.tree, files({ name: 'A', status: 'recalled' }));
    const first = await applied(scene, '--allow', 'recall');
    expect(outcomes(first), messages(first)).toEqual(['recall applied']);
    return scene;
  };

  // ERROR-15
  it('is not recalled again by the next apply', async () => {
    const scene = await recalled();
    const run = await applied(scene, '--allow', 'recall');
    expect([run.code, outcomes(run), messages(run)]).toEqual([0, [], '']);
  });

  it('is not called unchanged by the next apply if a person has recalled it by hand', async () => {
    const scene = aScene({ files: files({ name: 'A' }) });
    await applied(scene);
    scene.clock.move(10_000);
    const [id = ''] = (await liveOn(scene, '101', kind)).map((live) => live.id);
    await scene.fault({ kind: 'status_lag', operation, lag_sec: LAG_SEC, nth: 1, times: 1 });
    const recall = await scene.herald(`${kind}s`, 'unsend', id, '--account', 'alice', '--yes');
    expect(recall.code, recall.stdout).toBe(0);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
  });

  it('causes no drift', async () => {
    const scene = await recalled();
    expect((await scene.herald('drift')).code).toBe(0);
  });
});

describe('a pause of a broadcast that was answered without a status', () => {
  it('may have been carried out if the broadcast reads as scheduled: a person may have switched it on since', async () => {
    const [[kind, running, files] = []] = FILES_OF_KINDS.filter(([name]) => name === 'broadcast');
    if (kind === undefined || files === undefined) throw new Error('there are files of broadcasts');
    const scene = aScene({ files: files({ name: 'A' }) });
    await applied(scene);
    const [id = ''] = (await liveOn(scene, '101', kind)).map((live) => live.id);
    const operation = 'broadcasts.set-status';
    await scene.fault({ kind: 'odd_reply', operation, nth: 1, set: { status: null } });
    const edit = { account_id: '101', kind, id, set: { status: running } } as never;
    await scene.fault({ kind: 'change_before', operation: 'broadcasts.get', nth: 1, edit });
    const run = await scene.herald('broadcasts', 'pause', id, '--account', 'alice', '--yes');
    expect([run.code, run.stdout]).toEqual([4, expect.stringContaining('someone has switched it on since')]);
  });
});

describe('a status change of a broadcast that is answered with a word that no one knows', () => {
  it.each([
    ['pause', 'scheduled', 'paused'],
    ['resume', 'paused', 'scheduled'],
  ])('is looked at: %s', async (verb, before, after) => {
    const scene = aScene();
    const set = { name: 'A', status: before, scheduled_at: '2026-06-01T15:00:00.000Z' };
    const { id } = await scene.service((control) => control.seedBroadcast('101', set));
    await scene.fault({
      kind: 'odd_reply',
      operation: 'broadcasts.set-status',
      nth: 1,
      set: { status: 'something' },
    });
    const run = await scene.herald('broadcasts', verb, id, '--account', 'alice', '--yes');
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('1 applied')]);
    expect(await statuses(scene, 'broadcast')).toEqual([after]);
  });
});
