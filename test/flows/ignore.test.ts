import { describe, expect, it } from 'vitest';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import { applied, outcomes, planned, statuses, editLive, expectQuiet } from '../helpers/flows.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

const CHECKED = { rules: { online_check_mode: 'online' } };

/** A broadcast with a rule that someone changed in the service afterwards. */
async function changedOutside(more: object, workspace = WORKSPACE): Promise<Scene> {
  const files = declaring({ broadcasts: [broadcast({ ...CHECKED, ...more })] });
  const scene = aScene({ files: { 'herald.yaml': workspace, ...files } });
  expect((await applied(scene)).code).toBe(0);
  await editLive(scene, 'broadcast', { rules: { online_check_mode: 'offline' } });
  return scene;
}

describe('a field that the files ignore', () => {
  it('is sent by a create', async () => {
    const ignore = ['rules.online_check_mode'];
    const scene = aScene({ files: declaring({ broadcasts: [broadcast({ ...CHECKED, ignore })] }) });
    await applied(scene);
    const rules = await scene.service((_control, world) =>
      Object.values(world.accounts['101']?.broadcasts ?? {}).map(({ live }) => live.rules),
    );
    expect(rules).toMatchObject([CHECKED.rules]);
  });

  it.each([
    ['without ignore', {}, WORKSPACE, 2],
    ['ignored by the resource', { ignore: ['rules.online_check_mode'] }, WORKSPACE, 0],
    ['ignored by the workspace', {}, `${WORKSPACE}ignore: [rules]\n`, 0],
  ])('that differs is drift or not: %s', async (_title, more, workspace, drift) => {
    const scene = await changedOutside(more, workspace);
    expect((await scene.herald('drift')).code).toBe(drift);
    const { plan } = await planned(scene);
    expect(plan.diagnostics.filter(({ code }) => code === 'ignored').length).toBe(drift === 0 ? 1 : 0);
  });

  it('takes the file’s value again with the next replace', async () => {
    const scene = await changedOutside({ ignore: ['rules.online_check_mode'] });
    const messages = [{ text: 'Changed' }];
    Object.assign(
      scene.files.tree,
      declaring({ broadcasts: [broadcast({ ...CHECKED, messages, ignore: ['rules.online_check_mode'] })] }),
    );
    const ran = await scene.herald('plan');
    expect(ran.stdout.replace(/\s+/g, ' ')).toContain('ignored: rules.online_check_mode');
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectQuiet(scene);
  });
});
