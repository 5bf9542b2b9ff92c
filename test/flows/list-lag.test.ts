import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, messages, outcomes, statuses } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

describe('a list that does not show yet what was created', () => {
  it.each(['paused', 'archived'] as const)('does not prove that it is %s', async (status) => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ kind: 'list_lag', operation: 'campaigns.create', lag_sec: 600 });
    await scene.service((control) => control.seedCampaign('101', { name: 'Else' }));
    await applied(scene);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status })] }));
    const early = await applied(scene);
    expect(early.code).toBe(5);
    expect(messages(early)).toContain('the service does not list it, so Herald cannot stop it');
    expect(await statuses(scene, 'campaign')).toEqual(['active', 'active']);
    scene.clock.move(600_000);
    const late = await applied(scene);
    expect(outcomes(late)).toEqual([`${status === 'paused' ? 'pause' : 'archive'} applied`]);
    expect(await statuses(scene, 'campaign')).toEqual(['active', status]);
  });

  it.each(['paused', 'archived'] as const)(
    'is not all of the name when another one is %s',
    async (status) => {
      const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
      await applied(scene);
      const hello = { messages: [{ text: 'Hello' }], replace: 'create_first' };
      Object.assign(scene.files.tree, declaring({ campaigns: [campaign(hello)] }));
      await scene.fault({ kind: 'list_lag', operation: 'campaigns.create', lag_sec: 600 });
      await scene.fault({ kind: 'broken_answer', when: 'before_commit', how: '500', method: 'PATCH' });
      expect(outcomes(await applied(scene))).toEqual(['replace unknown']);
      await scene.service((control) => control.clearFaults());
      Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ ...hello, status })] }));
      const early = await applied(scene);
      expect(early.code, 'the new one runs on').toBe(5);
      expect(messages(early)).toContain('the service does not list it, so Herald cannot stop it');
      expect(await statuses(scene, 'campaign')).toEqual([status, 'active']);
      scene.clock.move(600_000);
      expect((await applied(scene)).code).toBe(0);
      expect(await statuses(scene, 'campaign')).toEqual([status, status]);
    },
  );
});
