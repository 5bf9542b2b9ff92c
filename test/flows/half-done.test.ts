import { afterEach, describe, expect, it, vi } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf, messages, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const SET_STATUS = 'campaigns.set-status';
const as = (status: string) => declaring({ campaigns: [campaign({ status })] });

const HALF = { kind: 'partial_commit', operation: SET_STATUS } as const;
const LOST = { kind: 'broken_answer', operation: SET_STATUS, how: '502' } as const;

/** Applied as `from`, and then declared as `to`. */
async function changing(from: readonly string[], to: string): Promise<Scene> {
  const scene = aScene();
  for (const status of from) {
    Object.assign(scene.files.tree, as(status));
    expect((await applied(scene)).code).toBe(0);
    scene.clock.move(600_000);
  }
  Object.assign(scene.files.tree, as(to));
  return scene;
}

async function timed(scene: Scene) {
  const beganMs = scene.clock.monotonicMs();
  const run = await applied(scene);
  return { ...run, tookSec: (scene.clock.monotonicMs() - beganMs) / 1000 };
}

const CHANGES = [
  { action: 'archive', from: ['active'], to: 'archived' },
  { action: 'pause', from: ['active'], to: 'paused' },
  { action: 'activate', from: ['active', 'paused'], to: 'active' },
] as const;

describe.each(CHANGES)(
  'a campaign’s $action that shows, and that no answer confirmed',
  ({ action, from, to }) => {
    // CAMPAIGN-7
    it('is unknown, and says what shows, that it may be half done, and what repeats it', async () => {
      const scene = await changing(from, to);
      await scene.fault(HALF);
      const run = await timed(scene);
      expect([run.code, outcomes(run)]).toEqual([3, [`${action} unknown`]]);
      expect(messages(run)).toMatch(new RegExp(`^\\d+ is ${to}, .*may be half done`));
      expect(messages(run)).toContain('Run "herald apply" again: it repeats the change.');
      expect(await statuses(scene, 'campaign')).toEqual([to]);
    });

    it('is asked for no longer than two minutes in one command, however many rounds that has', async () => {
      const scene = await changing(from, to);
      await scene.fault(HALF);
      const before = (await writesSent(scene)).length;
      const { tookSec } = await timed(scene);
      expect(tookSec).toBeLessThan(125);
      expect((await writesSent(scene)).length - before).toBeLessThan(18);
    });

    it('is repeated by the next apply, although the plan has nothing to do', async () => {
      const scene = await changing(from, to);
      await scene.fault(HALF);
      await applied(scene);
      const still = await scene.herald('apply', '--yes');
      expect([still.code, still.stderr]).toEqual([3, expect.stringContaining('may be half done')]);
      await scene.service((control) => control.clearFaults());
      const before = (await writesSent(scene)).length;
      expect((await applied(scene)).code).toBe(0);
      expect((await writesSent(scene)).length - before).toBe(1);
      expect((await scene.herald('ledger', 'check')).code).toBe(0);
    });

    it('is unknown at once where every repeat is refused', async () => {
      let sets = 0;
      const files = as(from.at(-1) ?? '');
      const refusing = { now: false };
      const { scene, simulator } = altered(
        async (request, answer) => {
          if (request.method !== 'PATCH' || !refusing.now) return answer();
          sets += 1;
          if (sets === 1) {
            await answer();
            return new Response('', { status: 502 });
          }
          return new Response('{"code":"API_KEY_PERMISSION_DENIED"}', { status: 403 });
        },
        { files: as('active') },
      );
      expect((await applied(scene)).code).toBe(0);
      Object.assign(scene.files.tree, files);
      expect((await applied(scene)).code).toBe(0);
      refusing.now = true;
      Object.assign(scene.files.tree, as(to));
      const run = await timed(scene);
      expect([run.code, outcomes(run)]).toEqual([3, [`${action} unknown`]]);
      expect(messages(run)).toMatch(new RegExp(`^\\d+ is ${to}, .*answered 403.*may be half done`));
      expect(run.tookSec).toBeLessThan(20);
      const campaigns = Object.values(simulator.world.accounts['101']?.campaigns ?? {});
      expect(campaigns.map(({ live }) => live.status)).toEqual([to]);
    });
  },
);

afterEach(() => vi.unstubAllGlobals());

describe('a change by hand that shows, and that no answer confirmed', () => {
  it('names the command that repeats it', async () => {
    const scene = aScene();
    await scene.service((control) => control.seedCampaign('101', { id: '77', name: 'Welcome' }));
    await scene.fault(HALF);
    const args = ['campaigns', 'archive', '77', '--account', 'alice', '--yes', '--format', 'json'];
    const ran = await scene.herald(...args);
    const report = documentOf(ran, applyReportShape);
    expect([ran.code, outcomes({ report })]).toEqual([3, ['archive unknown']]);
    expect(messages({ report })).toContain('herald campaigns archive 77 --account alice');
    await scene.service((control) => control.clearFaults());
    expect((await scene.herald(...args)).code).toBe(0);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });
});

describe('a status change that no answer confirmed and that does not show', () => {
  it('is unknown after two minutes, as it may still come', async () => {
    const scene = await changing(['active'], 'paused');
    await scene.fault({ ...LOST, when: 'before_commit' });
    const run = await timed(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['pause unknown']]);
    expect(messages(run)).toContain('within 2 minutes');
    expect(run.tookSec).toBeLessThan(125);
  });

  it('is failed once it cannot come any more, and is not asked for again in the same command', async () => {
    const scene = await changing(['active'], 'paused');
    await scene.fault({ ...LOST, how: 'timeout', when: 'before_commit' });
    const run = await timed(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['pause failed']]);
    expect(messages(run)).toContain('it did not succeed');
    // Two time-outs, and the one request that is allowed after two minutes.
    expect(run.tookSec).toBeLessThan(235);
    await scene.service((control) => control.clearFaults());
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
  });

  it('is repeated within the two minutes where the service comes back', async () => {
    const scene = await changing(['active'], 'paused');
    await scene.fault({ ...LOST, when: 'before_commit', nth: 1, times: 10 });
    const run = await timed(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['pause applied']]);
  });
});

describe('a broadcast’s pause', () => {
  const paused = async () => {
    const scene = aScene({ files: declaring({ broadcasts: [broadcast()] }) });
    await applied(scene);
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ status: 'paused' })] }));
    return scene;
  };

  it('that shows is done, although no answer confirmed it: it is one step', async () => {
    const scene = await paused();
    await scene.fault({ ...LOST, operation: 'broadcasts.set-status', when: 'after_commit' });
    const run = await timed(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['pause applied']]);
    expect(run.tookSec).toBeLessThan(125);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });

  it('that does not show is unknown after two minutes', async () => {
    const scene = await paused();
    await scene.fault({ ...LOST, operation: 'broadcasts.set-status', when: 'before_commit' });
    const run = await timed(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['pause unknown']]);
    expect(run.tookSec).toBeLessThan(125);
  });
});

describe('an archived campaign that was switched on with a lost answer', () => {
  it('is not created as long as that may still come, although a repeat is refused', async () => {
    const scene = await changing(['active', 'archived'], 'active');
    await scene.service((control) => control.setModes({ archivedToActive: 'refuse' }));
    await scene.fault({ ...LOST, when: 'before_commit', nth: 1, times: 9 });
    const before = await writesSent(scene);
    const run = await applied(scene, '--allow', 'resume');
    const sent = (await writesSent(scene)).slice(before.length);
    const { requests } = await scene.oracle();
    const last = requests.findLast(({ operation, fault }) => operation === SET_STATUS && fault !== null);
    const post = requests.findLast(({ operation }) => operation === 'campaigns.create');
    expect(sent.length).toBeGreaterThan(8);
    const waited = Date.parse(post?.at ?? '') - Date.parse(last?.at ?? '');
    expect(run.code === 3 || waited >= 75_000, `exit ${run.code}, created after ${waited} ms`).toBe(true);
  });
});
