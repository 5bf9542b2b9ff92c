import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import { applied } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { addCopy, HOUR, moveTo, sentInTheEnd } from '../helpers/stops.ts';

const named = (name: string, more: object = {}) =>
  broadcast({ name, messages: [{ text: `text of ${name}` }], ...more });

afterEach(() => vi.unstubAllGlobals());

describe('a stop that gets no answers', () => {
  const later = { scheduled_at: '2026-06-02T15:00Z' };

  it('does not delay the stop of a broadcast with a near time', async () => {
    const lost = { id: '-' };
    const { scene, simulator, world } = altered(
      async (request, answer) =>
        request.method === 'PATCH' && request.url.includes(lost.id)
          ? new Response('', { status: 502 })
          : answer(),
      { files: declaring({ broadcasts: [named('A', later), named('B')] }) },
    );
    await applied(scene);
    const all = Object.values(world.accounts['101']?.broadcasts ?? {});
    lost.id = all.find(({ live }) => live.name === 'A')?.live.id ?? '-';
    moveTo(scene, 14, 58, 30);
    const paused = { status: 'paused' };
    Object.assign(
      scene.files.tree,
      declaring({ broadcasts: [named('A', { ...later, ...paused }), named('B', paused)] }),
    );
    const { report } = await applied(scene);
    // The report keeps the order of the plan.
    expect(report.outcomes.map(({ address, outcome }) => `${address.name} ${outcome}`)).toEqual([
      'A unknown',
      'B applied',
    ]);
    scene.clock.move(4 * HOUR);
    expect(simulator.control.oracle().dispatches).toEqual([]);
  });
});

describe('a duplicate on another account, with a stop that gets no answers,', () => {
  async function withDuplicate(): Promise<Scene> {
    const scene = aScene({ files: declaring({ broadcasts: [named('B')] }, ['alice', 'bob']) });
    await applied(scene);
    await addCopy(scene, '102');
    moveTo(scene, 14, 58, 30);
    const lost = { operation: 'broadcasts.set-status', account_id: '102', how: '502' } as const;
    await scene.fault({ kind: 'broken_answer', when: 'before_commit', times: 12, nth: 1, ...lost });
    return scene;
  }

  const onAlice = (parts: Parameters<typeof declaring>[0]) => ({
    ...declaring(parts, ['alice']),
    'live/bob.yaml': JSON.stringify({ accounts: ['bob'], broadcasts: [named('B')] }),
  });

  it('does not delay the stops of this one', async () => {
    const scene = await withDuplicate();
    Object.assign(scene.files.tree, onAlice({ broadcasts: [named('B', { status: 'paused' })] }));
    await applied(scene);
    expect(await sentInTheEnd(scene, '101')).toEqual({});
  });
});
