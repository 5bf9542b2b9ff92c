import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  dieAtWrite,
  dieBefore,
  liveOn,
  messages,
  planned,
  statuses,
} from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

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

describe.each(['pause_first', 'create_first'] as const)('replace: %s with old_queue: clear', (replace) => {
  const scheduled = async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign(DELAYED)] }) });
    await applied(scene);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    const edited = campaign({ ...DELAYED, messages: [{ text: 'Hello' }], replace, old_queue: 'clear' });
    Object.assign(scene.files.tree, declaring({ campaigns: [edited] }));
    return scene;
  };
  const expectCleared = async (scene: Scene) => {
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'active']);
    expect(decisions(await planned(scene))).toEqual([]);
    scene.clock.move(24 * HOUR);
    expect((await scene.oracle()).dispatches, 'what the old one had queued is not sent').toEqual([]);
  };

  // Writes of the run: what it has seen, then the begin and the end of each request.
  it.each([1, 2, 3, 4, 5, 6])(
    'a run that dies at write %i: the next apply clears the old queue',
    async (write) => {
      const scene = await scheduled();
      await dieAtWrite(scene, write);
      const run = await applied(scene);
      expect([run.code, run.stderr + messages(run)]).toEqual([
        0,
        expect.not.stringContaining('already needs'),
      ]);
      await expectCleared(scene);
    },
  );

  it('says what remains when the old one cannot be archived, and the next run ends that', async () => {
    const scene = await scheduled();
    await scene.fault({
      kind: 'throttle',
      operation: 'campaigns.set-status',
      retry_after_sec: 200,
      nth: replace === 'pause_first' ? 2 : 1,
      times: 99,
    });
    const run = await applied(scene);
    expect(run.code).toBe(4);
    const remains =
      replace === 'pause_first'
        ? /The new version \d+ is live\. To go on: herald apply/
        : /The new version \d+ is live, and the old one \d+ runs as well, .* To go on: herald apply/;
    expect(messages(run)).toMatch(remains);
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    await expectCleared(scene);
  });
});

describe('two old versions of which one has run', () => {
  const said = (text: string, more: object = {}) =>
    declaring({ campaigns: [campaign({ ...DELAYED, messages: [{ text }], ...more })] });

  /** Herald made A, and a person makes B next to it. */
  async function twoVersions(): Promise<Scene> {
    const scene = aScene({ files: said('A') });
    await applied(scene);
    await scene.service((control) =>
      control.seedCampaign('101', {
        ...DELAYED,
        name: 'Welcome',
        trigger: 'welcome_message',
        action: 'send_message',
        status: 'active',
        messages: [{ text: 'B' }],
      }),
    );
    return scene;
  }

  const texts = async (scene: Scene) =>
    (await liveOn(scene, '101', 'campaign')).map(({ text, status }) => `${text} ${status}`);

  it('leaves alone one that was paused before, also after a kill', async () => {
    const scene = await twoVersions();
    Object.assign(scene.files.tree, said('B'));
    await applied(scene, '--allow', 'adopt');
    Object.assign(scene.files.tree, said('C', { old_queue: 'clear' }));
    await dieAtWrite(scene, 3);
    expect((await applied(scene)).code).toBe(0);
    expect(await texts(scene)).toEqual(['A paused', 'B archived', 'C active']);
  });

  it('archives both after a kill between their pauses, as it was reviewed', async () => {
    const scene = await twoVersions();
    Object.assign(scene.files.tree, said('C', { old_queue: 'clear' }));
    await scene.herald('plan', '--out', 'plan.json', '--allow', 'adopt');
    let lines = 0;
    await dieBefore(scene, () => (lines += 1) >= 3, ['apply', '--yes', '--allow', 'adopt']);
    expect(await texts(scene)).toEqual(['A paused', 'B active']);
    const run = await applied(scene, '--allow', 'adopt', '--reviewed', 'plan.json');
    expect([run.code, messages(run)]).toEqual([0, '']);
    expect(await texts(scene)).toEqual(['A archived', 'B archived', 'C active']);
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
