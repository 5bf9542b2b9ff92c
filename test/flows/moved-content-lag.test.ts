import { describe, expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, messages, outcomes } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const said = (name: string, text: string, more: object = {}) => ({ name, messages: [{ text }], ...more });
const BLOCKED = 'blocked not_attempted';
const MINUTE = 60_000;

describe.each(FILES_OF_KINDS)('content of a %s that the list does not show yet', (kind, _running, files) => {
  const hidden = async (lagSec = 60) => {
    const scene = aScene({ files: files(said('B', 'two')) });
    await applied(scene);
    Object.assign(scene.files.tree, files(said('A', 'one'), said('B', 'two')));
    await scene.fault({ kind: 'list_lag', operation: `${kind}s.create`, lag_sec: lagSec });
    await applied(scene);
    await scene.service((control) => control.clearFaults());
    return scene;
  };

  it.each([
    ['renamed', [said('C', 'one'), said('B', 'two')], [BLOCKED], []],
    ['taken over', [said('A', 'three'), said('B', 'one')], [BLOCKED, BLOCKED], []],
    [
      'taken over by the only target',
      [said('A', 'three'), said('B', 'one')],
      [BLOCKED],
      ['--target', 'alice/*/B'],
    ],
  ])('is not sent twice when it is %s', async (how, now, ends, flags) => {
    const scene = await hidden();
    Object.assign(scene.files.tree, files(...now));
    const run = await applied(scene, ...flags);
    expect([run.code, outcomes(run)], messages(run)).toEqual([5, ends]);
    expect(messages(run)).toMatch(/Herald created \d+ \("A"\) with the same content a short time ago/);
    expect(messages(run).includes('add renamed_from: "A"')).toBe(how === 'renamed');
  });

  it('is sent by both where both files declare it', async () => {
    const scene = await hidden();
    Object.assign(scene.files.tree, files(said('A', 'one'), said('B', 'one')));
    const run = await applied(scene, '--target', 'alice/*/B');
    expect(run.code, messages(run)).toBe(0);
  });

  it('holds a rename for a day at most if the list never shows it', async () => {
    const scene = await hidden(1_000_000);
    const later = kind === 'broadcast' ? { scheduled_at: '2026-06-08T15:00Z' } : {};
    Object.assign(scene.files.tree, files(said('C', 'one', later), said('B', 'two')));
    scene.clock.move(25 * 60 * MINUTE);
    const run = await applied(scene, '--target', 'alice/*/C');
    expect([run.code, outcomes(run)], messages(run)).toEqual([0, ['create applied']]);
  });
});

describe.each(FILES_OF_KINDS)(
  'the start of a %s that the list does not show yet',
  (kind, _running, files) => {
    const started = async () => {
      const scene = aScene({ files: files(said('A', 'one'), said('B', 'two')) });
      await applied(scene);
      Object.assign(scene.files.tree, files(said('A', 'one', { status: 'paused' }), said('B', 'two')));
      await applied(scene);
      Object.assign(scene.files.tree, files(said('A', 'one'), said('B', 'two')));
      await scene.fault({ kind: 'status_lag', operation: `${kind}s.set-status`, lag_sec: 60 });
      await applied(scene);
      await scene.service((control) => control.clearFaults());
      return scene;
    };

    it('counts as running for its content', async () => {
      const scene = await started();
      Object.assign(scene.files.tree, files(said('A', 'three'), said('B', 'one')));
      const run = await applied(scene);
      expect([run.code, outcomes(run)]).toEqual([5, [BLOCKED, BLOCKED]]);
      expect(messages(run)).toMatch(
        /Herald started it a moment ago, and the list still shows it as paused\. Run the command again in a few minutes\.$/,
      );
    });

    it('counts as paused once the list has had time to show it', async () => {
      const scene = await started();
      const [paused] = await scene.look((_control, world) => {
        const account = world.accounts['101'];
        const all = Object.values((kind === 'campaign' ? account?.campaigns : account?.broadcasts) ?? {});
        return all.filter(({ live }) => live.name === 'A').map(({ live }) => live.id);
      });
      await scene.service((control) =>
        kind === 'campaign'
          ? control.editCampaign('101', paused ?? '', { status: 'paused' })
          : control.editBroadcast('101', paused ?? '', { status: 'paused' }),
      );
      scene.clock.move(6 * MINUTE);
      Object.assign(scene.files.tree, files(said('A', 'three'), said('B', 'one')));
      const run = await applied(scene);
      expect(outcomes(run), messages(run)).toEqual([BLOCKED, 'replace applied']);
    });
  },
);
