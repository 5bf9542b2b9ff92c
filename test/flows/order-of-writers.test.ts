import { describe, expect, it } from 'vitest';
import { byHand } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, outcomes, planned, statuses } from '../helpers/flows.ts';
import { aMachine, type Machine } from '../helpers/machine.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { LEDGER_FILE } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const active = declaring({ campaigns: [campaign()] });
const paused = declaring({ campaigns: [campaign({ status: 'paused' })] });

/** An apply on a machine that is ahead pauses the campaign; then a person on a right one starts it and stops it. */
async function stoppedAfter(aheadMs: number): Promise<Machine> {
  const machine = aMachine(active);
  const { scene, setClock } = machine;
  expect((await applied(scene)).code).toBe(0);
  await setClock(aheadMs);
  Object.assign(scene.files.tree, paused);
  expect(outcomes(await applied(scene))).toEqual(['pause applied']);
  await setClock(-aheadMs);
  const id = (await liveOn(scene, '101', 'campaign'))[0]?.id ?? '';
  scene.clock.move(60_000);
  await byHand(scene, 'campaigns', 'activate', id);
  scene.clock.move(60_000);
  await byHand(scene, 'campaigns', 'pause', id);
  Object.assign(scene.files.tree, active);
  return machine;
}

const AHEAD = [-24 * HOUR, -90_000, 0, 90_000, HOUR, 24 * HOUR];

describe.each(AHEAD)('a machine with a clock that was ahead by %i ms wrote before', (aheadMs) => {
  it('what a person stopped after that stays stopped', async () => {
    const { scene } = await stoppedAfter(aheadMs);
    const next = await planned(scene);
    expect([next.code, decisions(next)]).toEqual([5, ['blocked alice/campaign/Welcome']]);
    expect(next.plan.changes[0]?.needs).toEqual(['resume']);
    expect((await applied(scene)).code).toBe(5);
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
  });

  it('and stays stopped once that is compacted, or merged in another order', async () => {
    const { scene } = await stoppedAfter(aheadMs);
    scene.clock.move(100 * 24 * HOUR);
    const lines = (scene.files.tree[LEDGER_FILE] ?? '').trimEnd().split('\n');
    scene.files.tree[LEDGER_FILE] = `${lines.toReversed().join('\n')}\n`;
    expect((await planned(scene)).plan.changes[0]?.needs).toEqual(['resume']);
    addLineOfNow(scene);
    expect((await scene.herald('ledger', 'compact')).code).toBe(0);
    expect((await planned(scene)).plan.changes[0]?.needs).toEqual(['resume']);
  });

  it('the history shows it in the order in which it happened', async () => {
    const { scene } = await stoppedAfter(aheadMs);
    const told = await scene.herald('history', '--format', 'ndjson');
    const actions = told.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions).toEqual(['pause', 'activate', 'pause', 'create']);
  });
});
