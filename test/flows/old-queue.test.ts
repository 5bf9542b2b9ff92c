import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieAtWrite, liveOn, messages, statuses } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const DELAYED = { rules: { send_delay_interval: { min_sec: 3600 } } };

describe('the old queue of a replaced campaign', () => {
  const queued = async (more: Record<string, unknown>) => {
    const scene = aScene({ files: declaring({ campaigns: [campaign(DELAYED)] }) });
    await applied(scene);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    Object.assign(
      scene.files.tree,
      declaring({ campaigns: [campaign({ ...DELAYED, messages: [{ text: 'Hello' }], ...more })] }),
    );
    return scene;
  };

  // CAMPAIGN-8
  it('is kept with old_queue: keep', async () => {
    const scene = await queued({});
    await applied(scene);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  // CAMPAIGN-8
  it('is cleared with old_queue: clear, once the new one is live', async () => {
    const scene = await queued({ old_queue: 'clear' });
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'active']);
    scene.clock.move(24 * HOUR);
    expect((await scene.oracle()).dispatches).toEqual([]);
  });
});

it('a run that finishes a replace says that someone has started the old version meanwhile', async () => {
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
  await applied(scene);
  const edited = campaign({ messages: [{ text: 'Hello' }], old_queue: 'clear' });
  Object.assign(scene.files.tree, declaring({ campaigns: [edited] }));
  await dieAtWrite(scene, 3);
  const [old] = await liveOn(scene, '101', 'campaign');
  const starts = {
    kind: 'campaign',
    account_id: '101',
    id: old?.id ?? '',
    set: { status: 'active' },
  } as const;
  await scene.fault({ kind: 'change_before', operation: 'campaigns.get', nth: 2, times: 99, edit: starts });
  const run = await applied(scene);
  expect(run.code).toBe(3);
  expect(messages(run)).toMatch(new RegExp(`^${old?.id} still reads as active`));
});
