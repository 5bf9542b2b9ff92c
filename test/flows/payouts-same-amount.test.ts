import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { paidOut, payout, refusedPayout } from '../helpers/payouts.ts';
import { aScene, NOON, type Scene } from '../helpers/scene.ts';

const realZone = process.env['TZ'];
afterEach(() => {
  vi.unstubAllGlobals();
  if (realZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = realZone;
});

const HOUR_MS = 3_600_000;
const LIST = 'payouts.list';
const NOTHING = { list: [], marker: null };

/** A service that writes the dates of its list in this way. */
function dating(edit: (date: string) => string, clock = flowClock(NOON)) {
  const service = altered(
    async (request, answer) => {
      const response = await answer();
      if (request.method !== 'GET' || !new URL(request.url).pathname.endsWith('/payout-requests'))
        return response;
      const text = (await response.text()).replaceAll(
        /"createdAt":"([^"]*)"/g,
        (_, date: string) => `"createdAt":"${edit(date)}"`,
      );
      return new Response(text, { status: response.status, headers: response.headers });
    },
    { clock },
  );
  const made = () => service.simulator.control.oracle().payouts['101']?.committed.length ?? 0;
  return { ...service, made };
}

// PAYOUT-7
describe('a request of the same amount', () => {
  it.each([
    ['without an offset', (date: string) => date.slice(0, 19)],
    ['without an offset and with a space', (date: string) => date.slice(0, 19).replace('T', ' ')],
    ['as a day', (date: string) => date.slice(0, 10)],
    ['of another kind', () => 'Mon, 01 Jun 2026 10:00:00 CET'],
  ])('with a date %s counts against another one, wherever this machine is', async (_title, edit) => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      process.env['TZ'] = zone;
      const { scene, made } = dating(edit);
      await payout(scene);
      scene.state.remove();
      scene.clock.move(20 * HOUR_MS);
      expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
      expect(made()).toBe(1);
    }
  });

  it('counts for 24 hours by its record, also where the list makes it older', async () => {
    const older = (date: string) => new Date(Date.parse(date) - 40 * HOUR_MS).toISOString();
    const { scene, made } = dating(older, flowClock(NOON));
    await payout(scene);
    scene.clock.move(2 * HOUR_MS);
    const error = await refusedPayout(scene, 5);
    expect(error.code).toBe('similar-payout');
    expect(error.message).toMatch(/100\.10 USD, requested at .* \(recorded here\)/);
    expect(made()).toBe(1);
    scene.clock.move(23 * HOUR_MS);
    expect((await payout(scene)).item).toMatchObject({ outcome: 'requested' });
  });

  it('counts after midnight, where the list has only the day', async () => {
    const { scene, made } = dating(
      (date) => `${date.slice(0, 10)}T00:00:00Z`,
      flowClock(Date.UTC(2026, 5, 1, 21, 45)),
    );
    await payout(scene);
    scene.clock.move(23 * HOUR_MS);
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
    expect(made()).toBe(1);
  });

  it('counts by the list where that makes it younger', async () => {
    const { scene } = dating((date) => new Date(Date.parse(date) + 10 * HOUR_MS).toISOString());
    await payout(scene);
    scene.clock.move(30 * HOUR_MS);
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
  });
});

describe('a lost request of the same amount', () => {
  const lost = async (when: 'before_commit' | 'after_commit'): Promise<Scene> => {
    const scene = aScene();
    await scene.fault({ kind: 'odd_reply', operation: LIST, set: NOTHING, times: 99 });
    await scene.fault({ kind: 'broken_answer', operation: 'payouts.request', how: 'reset', when, nth: 1 });
    await refusedPayout(scene, 3);
    return scene;
  };

  it('that was acknowledged for another amount still counts, while the list does not show it', async () => {
    const scene = await lost('after_commit');
    expect((await payout(scene, '--amount', '50', '--acknowledge')).item).toMatchObject({
      outcome: 'requested',
    });
    const error = await refusedPayout(scene, 5);
    expect(error.code).toBe('similar-payout');
    expect(error.message).toContain('100.10 USD, requested at');
    expect((await refusedPayout(scene, 5, '--acknowledge')).code).toBe('similar-payout');
    expect(await paidOut(scene)).toEqual([10010, 5000]);
  });

  it('needs --allow-similar next to --acknowledge, and is not acknowledged before', async () => {
    const scene = await lost('before_commit');
    expect((await refusedPayout(scene, 5, '--acknowledge')).code).toBe('similar-payout');
    expect((await refusedPayout(scene, 3)).code).toBe('open-payout');
    const next = await payout(scene, '--acknowledge', '--allow-similar');
    expect(next.item).toMatchObject({ outcome: 'requested' });
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('counts for 24 hours, like any other', async () => {
    const scene = await lost('after_commit');
    await payout(scene, '--amount', '50', '--acknowledge');
    scene.clock.move(25 * HOUR_MS);
    expect((await payout(scene)).item).toMatchObject({ outcome: 'requested' });
  });
});
