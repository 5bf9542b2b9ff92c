import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorReportShape } from '../../src/domain/change.ts';
import { documentOf } from '../helpers/flows.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { aScene, WORKSPACE } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';
import { committed, paidOut, payout, requestTimes } from '../helpers/payouts.ts';

const ASK = ['payouts', 'request', '--account', 'alice', '--amount', '100.10', '--yes'];

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

/** A second run waits for so long before it believes that the first request is the only one. */
const SETTLING = WORKSPACE.replace('world.json }', 'world.json, settle_sec: 8 }');

async function withService(act: (served: Served, directory: string) => Promise<void>): Promise<void> {
  const served = await serveWorld();
  try {
    await act(served, herald.workspace({ 'herald.yaml': SETTLING }));
  } finally {
    await served.close();
  }
}

const paid = ({ simulator }: Served) =>
  simulator.control.oracle().payouts['101']?.committed.map(({ cents }) => cents) ?? [];

describe.concurrent('herald payouts request in a process of its own', () => {
  it('killed after the request left and run again: one payout, and the second run says so', () =>
    withService(async (served, directory) => {
      const { control } = served.simulator;
      control.addFault({ kind: 'slow', operation: 'payouts.request', delay_ms: 20_000 });
      const run = herald.start(directory, ASK, served.env);
      await served.arrival('payouts.request');
      run.kill('SIGKILL');
      expect((await run.ran).signal).toBe('SIGKILL');
      control.clearFaults();
      const again = await heraldHere(directory, { args: ASK, env: served.env });
      expect(again.code, again.stderr).toBe(0);
      expect(again.stdout).toMatch(/^The earlier request of 100\.10 USD, requested at /);
      expect(again.stdout).toContain('was made as invoice inv-9101-0001, state new. Nothing was sent now.');
      expect(paid(served)).toEqual([10010]);
      const third = await heraldHere(directory, { args: ASK, env: served.env });
      expect(third.code, 'the entry is closed, and the list still knows').toBe(5);
      expect(paid(served)).toEqual([10010]);
    }));

  it('next to another one: the second names the first and sends nothing', () =>
    withService(async (served, directory) => {
      served.simulator.control.addFault({ kind: 'slow', operation: 'payouts.request', delay_ms: 4_000 });
      const first = herald.start(directory, ASK, served.env);
      await served.arrival('payouts.request');
      const second = await heraldHere(directory, { args: [...ASK, '--format', 'json'], env: served.env });
      expect(second.code).toBe(1);
      const error = documentOf(second, errorReportShape);
      expect(error.code).toBe('locked');
      expect(error.message).toContain(`process ${first.pid}`);
      expect((await first.ran).code).toBe(0);
      expect(paid(served)).toEqual([10010]);
    }));

  it('interrupted while the answer is under way: the call ends, and Herald reports how', () =>
    withService(async (served, directory) => {
      served.simulator.control.addFault({ kind: 'slow', operation: 'payouts.request', delay_ms: 500 });
      const run = herald.start(directory, ASK, served.env);
      await served.arrival('payouts.request');
      run.kill('SIGINT');
      const ran = await run.ran;
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout).toContain('was requested: invoice inv-9101-0001');
      expect(paid(served)).toEqual([10010]);
    }));
});

describe('an interrupt', () => {
  it('while a lost answer is settled leaves it open: exit 3, and the next run finds it', async () => {
    const scene = aScene();
    await scene.fault({
      kind: 'late_commit',
      operation: 'payouts.request',
      after_sec: 60,
      how: 'reset',
      nth: 1,
    });
    const run = scene.start(...ASK, '--format', 'json');
    while ((await requestTimes(scene)).length === 0) await new Promise((resolve) => setImmediate(resolve));
    run.interrupt();
    const ran = await run.ran;
    expect(ran.code).toBe(3);
    expect(documentOf(ran, errorReportShape).message).toContain(
      'interrupted before a late request could be ruled out',
    );
    expect((await payout(scene)).item).toMatchObject({ outcome: 'made_earlier', sent: false });
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('before the request leaves sends nothing: exit 130, and nothing is open', async () => {
    const scene = aScene();
    scene.answer = () => {
      run.interrupt();
      return true;
    };
    const run = scene.start('payouts', 'request', '--account', 'alice', '--amount', '100.10');
    const ran = await run.ran;
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({
      code: 130,
      stderr:
        'Service: simulator .herald/world.json\nerror: Interrupted; nothing was sent.\nRun the same command again when you want to send it.\n',
    });
    expect(await committed(scene)).toEqual([]);
    expect((await payout(scene)).item).toMatchObject({ outcome: 'requested' });
  });
});
