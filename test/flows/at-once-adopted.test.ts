import { afterEach, describe, expect, it, vi } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { CLOSED, draftOf, FLASH, SEND_FLASH, sendFlash } from '../helpers/at-once.ts';
import { altered } from '../helpers/altered.ts';
import { documentOf, outcomes } from '../helpers/flows.ts';
import type { Scene } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

interface Ended {
  readonly how: 'Ctrl-C' | 'a kill';
  /** Whether the service carries the request out. */
  readonly isCarriedOut: boolean;
  readonly accounts?: readonly string[];
}

/** The create gets no answer, the service carries it out 40 s later or never, and the command ends before that. */
async function endedEarly({ how, isCarriedOut, accounts = ['alice'] }: Ended) {
  let run: ReturnType<Scene['start']> | null = null;
  let creates = 0;
  const made = altered(
    async (request, answer) => {
      if (request.method === 'GET') return answer();
      creates += 1;
      if (creates > 1) return answer();
      const late = request.clone();
      const { clock } = made.scene;
      if (isCarriedOut) void clock.sleep(40_000).then(() => made.simulator.fetch(late));
      void clock.sleep(5_000).then(() => (how === 'Ctrl-C' ? run?.interrupt() : run?.kill()));
      throw CLOSED;
    },
    { files: draftOf({}, accounts) },
  );
  const { scene } = made;
  run = scene.start(...SEND_FLASH, '--account', 'alice');
  await Promise.race([run.ran, scene.clock.sleep(10_000)]);
  await scene.clock.sleep(100_000);
  return { ...made, creates: () => creates };
}

async function reported(scene: Scene, ...flags: string[]) {
  const ran = await sendFlash(scene, '--format', 'json', ...flags);
  return { ...ran, report: documentOf(ran, applyReportShape) };
}

// LOST-1
describe('the command that ended before its request without an answer was resolved', () => {
  it.each(['Ctrl-C', 'a kill'] as const)(
    'adopts what it made after %s, and asks for nothing',
    async (how) => {
      const { scene, creates } = await endedEarly({ how, isCarriedOut: true });
      scene.answer = () => {
        throw new Error('nothing is to be sent');
      };
      const run = await reported(scene);
      expect([run.code, outcomes(run)], run.stderr).toEqual([0, ['done adopted']]);
      expect((await scene.herald('ledger', 'check')).code).toBe(0);
      const { stdout } = await scene.herald('history');
      expect(stdout).toMatch(/Flash sale +create +adopted/);
      expect(creates()).toBe(1);
      const again = await sendFlash(scene);
      expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('Herald has sent it as')]);
    },
  );

  it('is not asked about what was sent: there is nothing to agree to', async () => {
    const { scene, creates } = await endedEarly({ how: 'a kill', isCarriedOut: true });
    const ran = await scene.herald(...SEND_FLASH.filter((flag) => flag !== '--yes'));
    expect([ran.code, creates()], ran.stderr).toEqual([0, 1]);
  });

  it('adopts on one account and sends on another one', async () => {
    const { scene, world } = await endedEarly({
      how: 'a kill',
      isCarriedOut: true,
      accounts: ['alice', 'bob'],
    });
    const run = await reported(scene);
    expect(run.code, run.stderr).toBe(0);
    expect(outcomes(run).toSorted()).toEqual(['create applied', 'done adopted']);
    const names = ['101', '102'].flatMap((account) =>
      Object.values(world.accounts[account]?.broadcasts ?? {}).map(({ live }) => live.name),
    );
    expect(names).toEqual([FLASH.name, FLASH.name]);
  });

  it('closes what did not happen, and sends nothing without the allowance', async () => {
    const { scene, creates } = await endedEarly({ how: 'a kill', isCarriedOut: false });
    const ran = await scene.herald(...SEND_FLASH.filter((flag) => !['--allow', 'now'].includes(flag)));
    expect([ran.code, ran.stdout], ran.stderr).toEqual([5, expect.stringContaining('It needs --allow now.')]);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
    expect(creates()).toBe(1);
  });

  it('adopts what was paused meanwhile, and says how to resume it', async () => {
    const { scene, world } = await endedEarly({ how: 'a kill', isCarriedOut: true });
    for (const { live } of Object.values(world.accounts['101']?.broadcasts ?? {})) live.status = 'paused';
    const ran = await sendFlash(scene);
    expect(ran.stdout).toMatch(
      /Herald has sent it as \d+, which is paused now\..* herald broadcasts resume \d+/s,
    );
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });
});
