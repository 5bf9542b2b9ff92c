import { describe, expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, messages, outcomes, worstDispatch } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const sends = async (scene: Scene) => {
  await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
  scene.clock.move(4 * HOUR);
  return worstDispatch(scene);
};

const photo = (id: string) => ({ messages: [{ attachments: [{ id, type: 'image' }] }] });
const second = (text: string) => ({ messages: [{ text: 'Hi' }, { text }] });
const since = (day: string) => ({
  messages: [{ text: 'Hi' }],
  audience: undefined,
  audience_filters: [
    {
      kind: 'subscribed_date',
      mode: 'include',
      options: { from_at: `2026-0${day}-01T00:00:00Z`, to_at: `2026-0${day}-20T00:00:00Z` },
    },
  ],
});
const CONTENTS = [
  ['only media', photo('11'), photo('22'), photo('33')],
  ['a second message', second('one'), second('two'), second('three')],
  ['its audience', since('1'), since('2'), since('3')],
] as const;

describe.each(FILES_OF_KINDS)(
  'content of a %s that moves and differs from the other one',
  (kind, _running, files) => {
    describe.each(CONTENTS)('in %s', (what, one, other, third) => {
      const before = async (first: object, then: object) => {
        const scene = aScene({ files: files({ name: 'A', ...one }, { name: 'B', ...other }) });
        const run = await applied(scene);
        expect(run.code, messages(run)).toBe(0);
        Object.assign(scene.files.tree, files({ name: 'A', ...first }, { name: 'B', ...then }));
        return scene;
      };

      it('is not sent twice where only the new resource is a target', async () => {
        const scene = await before(third, one);
        const run = await applied(scene, '--target', 'alice/*/B');
        expect([run.code, messages(run)]).toEqual([
          5,
          expect.stringMatching(/Apply that first \(alice\/\w+\/A\), then run herald apply again/),
        ]);
        if (what !== 'its audience') expect(await sends(scene)).toBe(1);
      });

      it('is not exchanged in one run', async () => {
        const run = await applied(await before(other, one));
        expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted', 'blocked not_attempted']]);
      });

      it('takes two applies', async () => {
        const scene = await before(third, one);
        const first = await applied(scene);
        expect([first.code, outcomes(first)]).toEqual([5, ['replace applied', 'blocked not_attempted']]);
        const second = await applied(scene);
        expect([second.code, outcomes(second)], messages(second)).toEqual([0, ['replace applied']]);
        if (what !== 'its audience') expect(await sends(scene)).toBe(1);
      });
    });

    it('is sent by both where both files declare it', async () => {
      const scene = aScene({ files: files({ name: 'A', ...since('1') }) });
      await applied(scene);
      const both = files({ name: 'A', ...since('1') }, { name: 'B', ...since('1') });
      Object.assign(scene.files.tree, both);
      const run = await applied(scene, '--target', 'alice/*/B');
      expect([run.code, outcomes(run)], messages(run)).toEqual([0, ['create applied']]);
    });
  },
);
