import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered, withoutDate } from '../helpers/altered.ts';
import { byHand } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { applied, decisions, outcomes, planned } from '../helpers/flows.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { LEDGER_FILE, NOON } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const active = declaring({ campaigns: [campaign()] });
const paused = declaring({ campaigns: [campaign({ status: 'paused' })] });

/** Answers have no `Date` at first, so the time of the service is not known. The clock of the machine can be set. */
function withoutTime() {
  const flow = flowClock(NOON);
  let aheadMs = 0;
  const tells = { time: false };
  const answerOf = async (answer: () => Promise<Response>) =>
    tells.time ? answer() : withoutDate(await answer());
  const { scene, simulator } = altered((_, answer) => answerOf(answer), {
    files: active,
    clock: { ...flow, now: () => flow.now() + aheadMs },
  });
  const setClock = (ms: number) => {
    simulator.world.clockOffsetMs -= ms;
    aheadMs += ms;
  };
  const only = () => Object.values(simulator.world.accounts['101']?.campaigns ?? {})[0]?.live;
  return { scene, setClock, only, flow, tells };
}

/** An apply on a machine that is ahead pauses the campaign; then a person on a right one starts it and stops it. */
async function stoppedAfter(aheadMs: number, { verb = 'pause', isTimeKnown = false } = {}) {
  const machine = withoutTime();
  const { scene, setClock, only, flow, tells } = machine;
  await applied(scene);
  setClock(aheadMs);
  Object.assign(scene.files.tree, paused);
  expect(outcomes(await applied(scene))).toEqual(['pause applied']);
  setClock(-aheadMs);
  tells.time = isTimeKnown;
  for (const by of ['activate', verb]) {
    flow.move(60_000);
    expect((await byHand(scene, 'campaigns', by, only()?.id ?? '')).code).toBe(0);
  }
  Object.assign(scene.files.tree, active);
  return machine;
}

const KNOWN = [
  { to: 'no one', isTimeKnown: false },
  { to: 'the person only', isTimeKnown: true },
];

describe.each(KNOWN)('where the time of the service is known to $to', ({ isTimeKnown }) => {
  it.each(['pause', 'archive'])('what a person stopped (%s) stays stopped', async (verb) => {
    const { scene, only } = await stoppedAfter(HOUR, { verb, isTimeKnown });
    const next = await planned(scene);
    expect([next.code, decisions(next)]).toEqual([5, ['blocked alice/campaign/Welcome']]);
    expect(next.plan.changes[0]?.needs).toEqual(['resume']);
    expect((await applied(scene)).code).toBe(5);
    expect(only()?.status).toBe(verb === 'pause' ? 'paused' : 'archived');
  });

  it('and stays stopped after a merge in another order, and a compaction', async () => {
    const { scene, flow } = await stoppedAfter(HOUR, { isTimeKnown });
    flow.move(100 * DAY);
    const lines = (scene.files.tree[LEDGER_FILE] ?? '').trimEnd().split('\n');
    scene.files.tree[LEDGER_FILE] = `${lines.toReversed().join('\n')}\n`;
    expect((await planned(scene)).plan.changes[0]?.needs).toEqual(['resume']);
    addLineOfNow(scene);
    expect((await scene.herald('ledger', 'compact')).code).toBe(0);
    expect((await planned(scene)).plan.changes[0]?.needs).toEqual(['resume']);
  });

  it('--allow resume starts it again, and the next apply changes nothing', async () => {
    const { scene, flow } = await stoppedAfter(HOUR, { isTimeKnown });
    flow.move(2 * HOUR);
    expect(outcomes(await applied(scene, '--allow', 'resume'))).toEqual(['activate applied']);
    const ledger = scene.files.tree[LEDGER_FILE];
    expect((await applied(scene)).code).toBe(0);
    expect(scene.files.tree[LEDGER_FILE]).toBe(ledger);
  });

  it('what an apply stopped a day after a person is started by the files', async () => {
    const { scene, flow } = await stoppedAfter(HOUR, { isTimeKnown });
    flow.move(2 * HOUR);
    await applied(scene, '--allow', 'resume');
    flow.move(DAY);
    Object.assign(scene.files.tree, paused);
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
    Object.assign(scene.files.tree, active);
    expect(outcomes(await applied(scene))).toEqual(['activate applied']);
  });
});
