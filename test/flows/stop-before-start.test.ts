import { describe, expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, liveOn, statuses } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

describe.each(FILES_OF_KINDS)('a %s that a person stops', (kind, _running, files) => {
  it('and that reads as before for some seconds is stopped, and is reported so', async () => {
    const scene = aScene({ files: files({ name: 'A' }) });
    await applied(scene);
    const [id = ''] = (await liveOn(scene, '101', kind)).map((live) => live.id);
    const operation = `${kind}s.set-status` as const;
    await scene.fault({ kind: 'status_lag', operation, lag_sec: 4, reads: true, nth: 1, times: 1 });
    const ran = await scene.herald(`${kind}s`, 'pause', id, '--account', 'alice', '--yes');
    expect([ran.code, ran.stdout]).toEqual([0, expect.not.stringContaining('changed it again')]);
  });
});

describe.each(FILES_OF_KINDS)('a %s that a person stops', (kind, _running, files) => {
  const start = kind === 'campaign' ? 'activate' : 'resume';

  it('next to an unconfirmed start is stopped at once, and again if that start arrives', async () => {
    const scene = aScene({ files: files({ name: 'A' }) });
    await applied(scene);
    const [id = ''] = (await liveOn(scene, '101', kind)).map((live) => live.id);
    const byHand = (verb: string) => scene.herald(`${kind}s`, verb, id, '--account', 'alice', '--yes');
    expect((await byHand('pause')).code).toBe(0);
    const operation = `${kind}s.set-status` as const;
    // The answer to the start is lost, and it is carried out half a minute later.
    const { ran, kill } = scene.start(`${kind}s`, start, id, '--account', 'alice', '--yes');
    await scene.fault({ kind: 'late_commit', operation, after_sec: 40, how: 'reset', nth: 1 });
    await Promise.race([ran, scene.clock.sleep(3_000)]);
    kill();
    const fromMs = scene.clock.now();
    const before = (await scene.oracle()).requests.length;
    const stopped = await byHand('pause');
    expect(stopped.code).toBe(0);
    const stops = (await scene.oracle()).requests.slice(before).filter((one) => one.operation === operation);
    expect(Date.parse(stops[0]?.at ?? '') - fromMs).toBeLessThan(2_000);
    expect(await statuses(scene, kind)).toEqual(['paused']);
    scene.clock.move(120_000);
    expect(await statuses(scene, kind)).toEqual(['paused']);
  });
});
