import { describe, expect, it } from 'vitest';
import { applied, dieBefore, statuses } from '../helpers/flows.ts';
import { imported } from '../helpers/imports.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

async function leftOut(scene: Scene, ...flags: string[]): Promise<string[]> {
  const { ran, report } = await imported(scene, ...flags);
  expect.soft(ran.code).toBe(0);
  expect.soft(report).toMatchObject({ files: [], imported: 0, updated: [] });
  return report.left_out.map(({ code, reason }) => `${code}: ${reason}`);
}

describe.each([
  ['campaign', 'activate', 'active'],
  ['broadcast', 'resume', 'scheduled'],
] as const)('import next to an unconfirmed start of a %s', (kind, command, started) => {
  async function startedLate(): Promise<Scene> {
    const scene = aScene();
    await scene.service((control) => {
      const paused = { id: '77', name: 'Welcome', status: 'paused' } as const;
      if (kind === 'campaign') control.seedCampaign('101', paused);
      else control.seedBroadcast('101', { ...paused, scheduled_at: '2026-06-01T15:00:00.000Z' });
    });
    const operation = `${kind}s.set-status` as const;
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
    const args = [`${kind}s`, command, '77', '--account', 'alice', '--yes'];
    await dieBefore(scene, (what) => what === 'repeat', args);
    return scene;
  }

  it('does not declare it as paused, and declares it as it is after an apply', async () => {
    const scene = await startedLate();
    const [reason, ...more] = await leftOut(scene, '--out', 'live');
    expect(more).toEqual([]);
    expect(reason).toContain(`unfinished: ${kind}s.set-status of 77 on alice`);
    expect(reason).toContain('may have succeeded. Run herald apply first.');
    scene.clock.move(70_000);
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual([started]);
    const { report } = await imported(scene, '--out', 'live');
    expect(report).toMatchObject({ imported: 1, left_out: [] });
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual([started]);
  });
});
