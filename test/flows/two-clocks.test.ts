import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { applied, messages, outcomes, planned } from '../helpers/flows.ts';
import { payout, refusedPayout } from '../helpers/payouts.ts';
import { NOON } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AT_THREE = declaring({ broadcasts: [broadcast()] });

/** A machine with a right clock, and answers with a `Date` that is wrong by so much for the nth of them. */
function answering(offMs: (nth: number) => number, files: Readonly<Record<string, string>> = {}) {
  let answers = 0;
  return altered(
    async (_, answer) => {
      const response = await answer();
      const headers = new Headers(response.headers);
      const off = offMs((answers += 1));
      headers.set('date', new Date(Date.parse(headers.get('date') ?? '') + off).toUTCString());
      return new Response(response.body, { status: response.status, headers });
    },
    { files, clock: flowClock(NOON) },
  );
}

function creates(simulator: ReturnType<typeof answering>['simulator']): number {
  return simulator.control.oracle().requests.filter(({ operation }) => operation?.endsWith('.create')).length;
}

// Two answers may come from one clock, as behind a proxy.
describe('answers that agree with each other and not with this machine', () => {
  it('a day ahead: a payout of half a minute ago still counts as similar', async () => {
    const { scene } = answering(() => DAY);
    await payout(scene);
    scene.clock.move(30_000);
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
  });

  it('a day ahead in the second run only: it counts as well', async () => {
    let off = 0;
    const { scene } = answering(() => off);
    await payout(scene);
    scene.clock.move(30_000);
    off = DAY;
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
  });

  it.each([
    ['each answer', () => -HOUR],
    ['the first two', (nth: number) => (nth <= 2 ? -HOUR : 0)],
    ['the first three', (nth: number) => (nth <= 3 ? -HOUR : 0)],
  ])('an hour behind in %s: a broadcast of the past is not created', async (_, offMs) => {
    const { scene, simulator } = answering(offMs, AT_THREE);
    scene.clock.move(3 * HOUR + 60_000);
    await applied(scene);
    expect(creates(simulator)).toBe(0);
  });

  it('an hour behind: an apply is blocked, and says why and what to do', async () => {
    const { scene } = answering(() => -HOUR, AT_THREE);
    scene.clock.move(2.5 * HOUR + HOUR);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(messages(run)).toContain('are 3600 s apart. Check this machine');
  });

  it('an hour behind: a broadcast that is ahead by both is created', async () => {
    const { scene, simulator } = answering(() => -HOUR, AT_THREE);
    expect((await applied(scene)).code).toBe(0);
    expect(creates(simulator)).toBe(1);
  });

  it('an hour behind: a resume by hand needs --force, because it may go out at once', async () => {
    const { scene } = answering(() => -HOUR, AT_THREE);
    expect((await applied(scene)).code).toBe(0);
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ status: 'paused' })] }));
    expect((await applied(scene)).code).toBe(0);
    scene.clock.move(3.5 * HOUR);
    const resume = ['broadcasts', 'resume', 'alice/broadcast/Teaser', '--yes'];
    const held = await scene.herald(...resume);
    expect([held.code, held.stderr]).toEqual([5, expect.stringContaining('are 3600 s apart')]);
    expect((await scene.herald(...resume, '--force')).code).toBe(0);
  });

  it('a simulator that was moved on has a time of its own', async () => {
    const { scene, simulator } = answering(() => 0, AT_THREE);
    simulator.control.advance(3 * HOUR + 60_000);
    const { plan } = await planned(scene);
    expect(plan.changes.map(({ action }) => action)).toEqual(['missed']);
  });
});
