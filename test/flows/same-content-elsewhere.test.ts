import { describe, expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, createsSent, messages, outcomes, statuses, worstDispatch } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const said = (text: string, more: object = {}) => ({ messages: [{ text }], ...more });
describe.each(FILES_OF_KINDS)(
  'the text of a %s that is live under a name that no file has',
  (kind, running, files) => {
    const declare = (scene: Scene, ...all: object[]) => Object.assign(scene.files.tree, files(...all));

    it('is not sent again by a replace', async () => {
      const scene = aScene({ files: files(said('one', { name: 'A' }), said('two', { name: 'B' })) });
      await applied(scene);
      declare(scene, said('one', { name: 'B' }), said('two', { name: 'C' }));
      const run = await applied(scene);
      expect(run.code).toBe(5);
      expect(messages(run)).toMatch(
        /add renamed_from: "A"\. If not, stop it: herald \w+ pause \d+ --account alice/,
      );
      await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
      scene.clock.move(4 * HOUR);
      expect(await worstDispatch(scene)).toBe(1);
    });

    it('is not sent again by the start of a paused one, until the other one is paused', async () => {
      const scene = aScene({
        files: files(said('one', { name: 'A' }), said('one', { name: 'B', status: 'paused' })),
      });
      await applied(scene);
      declare(scene, said('two', { name: 'B' }));
      await applied(scene);
      declare(scene, said('two', { name: 'B', status: 'paused' }));
      await applied(scene);
      declare(scene, said('one', { name: 'A' }), said('two', { name: 'B', status: 'paused' }));
      declare(scene, said('two', { name: 'A' }), said('two', { name: 'B', status: 'paused' }));
      await applied(scene);
      declare(scene, said('two', { name: 'B' }));
      const run = await applied(scene);
      const command = /herald (\w+) pause (\d+) --account alice/.exec(messages(run))?.slice(1) ?? [];
      expect([run.code, command]).toEqual([5, [`${kind}s`, expect.any(String)]]);
      await scene.herald(command[0] ?? '', 'pause', command[1] ?? '', '--account', 'alice', '--yes');
      expect((await applied(scene)).code).toBe(0);
      expect((await statuses(scene, kind)).filter((status) => status === running)).toHaveLength(1);
    });
  },
);

describe.each(FILES_OF_KINDS)('two of kind %s that exchange their texts', (kind, running, files) => {
  const swapped = async () => {
    const scene = aScene({ files: files(said('one', { name: 'A' }), said('two', { name: 'B' })) });
    await applied(scene);
    Object.assign(scene.files.tree, files(said('two', { name: 'A' }), said('one', { name: 'B' })));
    return scene;
  };

  it('are not sent twice where only one of them is a target', async () => {
    const scene = await swapped();
    const run = await applied(scene, '--target', 'alice/*/B');
    expect([run.code, messages(run)]).toEqual([5, expect.stringMatching(/The same content runs as "A"/)]);
  });

  const exchangedOnce = async (scene: Scene) => {
    expect((await statuses(scene, kind)).filter((status) => status === running)).toHaveLength(2);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    scene.clock.move(4 * HOUR);
    expect(await worstDispatch(scene)).toBe(1);
  };

  it('are blocked, and exchanged once one of them is paused, as the reason says', async () => {
    const scene = await swapped();
    const held = await applied(scene);
    expect([held.code, (await createsSent(scene)) - 2]).toEqual([5, 0]);
    const [, pause = ''] =
      /Pause it first: herald (.*?)\. Then: herald apply --allow resume/.exec(messages(held)) ?? [];
    expect((await scene.herald(...pause.split(' '), '--yes')).code).toBe(0);
    // A moved text takes two applies.
    expect((await applied(scene, '--allow', 'resume')).code).toBe(5);
    const exchanged = await applied(scene, '--allow', 'resume');
    expect(exchanged.code, messages(exchanged)).toBe(0);
    await exchangedOnce(scene);
  });

  it('are exchanged in two steps of the files', async () => {
    const scene = await swapped();
    const { tree } = scene.files;
    Object.assign(tree, files(said('one', { name: 'A' }), said('two', { name: 'B', status: 'paused' })));
    expect((await applied(scene)).code).toBe(0);
    Object.assign(tree, files(said('two', { name: 'A' }), said('one', { name: 'B' })));
    expect((await applied(scene)).code).toBe(5);
    const exchanged = await applied(scene);
    expect(exchanged.code, messages(exchanged)).toBe(0);
    await exchangedOnce(scene);
  });
});

describe.each(FILES_OF_KINDS)('a %s that takes over the text of another one', (kind, running, files) => {
  const handedOver = async (first: object) => {
    const scene = aScene({ files: files(said('one', { name: 'A' }), said('two', { name: 'B' })) });
    await applied(scene);
    Object.assign(scene.files.tree, files(first, said('one', { name: 'B' })));
    return scene;
  };
  const LATER = said('three', { name: 'A' });
  const PAUSED = said('one', { name: 'A', status: 'paused' });

  it.each([
    ['paused', PAUSED],
    ['replaced', LATER],
  ])('is not started if the other one cannot be %s', async (_how, first) => {
    const scene = await handedOver(first);
    const operation = `${kind}s.set-status` as const;
    await scene.fault({ kind: 'broken_answer', operation, when: 'before_commit', how: 'reset', times: 99 });
    const run = await applied(scene);
    const ends = outcomes(run).map((words) => words.split(' ')[1]);
    expect([run.code, ends], messages(run)).toEqual([3, ['unknown', 'not_attempted']]);
    await scene.service((control) => control.clearFaults());
    expect(messages(run)).toMatch(/The same content runs as "A" \(\d+\)/);
    expect((await applied(scene)).code).toBe(5);
    expect((await applied(scene)).code).toBe(0);
    expect((await statuses(scene, kind)).filter((status) => status === running).length).toBe(
      first === LATER ? 2 : 1,
    );
    scene.clock.move(4 * HOUR);
    expect(await worstDispatch(scene)).toBeLessThanOrEqual(1);
  });
});
