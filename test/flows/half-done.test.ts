import { afterEach, describe, expect, it, vi } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  dieBefore,
  documentOf,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
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

describe('a declared archive that may be half done, after the run has died', () => {
  const died = async () => {
    const scene = await changing(['active'], 'archived');
    await scene.fault({ ...HALF, nth: 1 });
    await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
    return scene;
  };

  // CAMPAIGN-7
  it('is a difference until an apply repeats it', async () => {
    const scene = await died();
    const drift = await scene.herald('drift');
    expect([(await planned(scene, '--detailed-exitcode')).code, drift.code]).toEqual([2, 2]);
    expect((await applied(scene)).code).toBe(0);
    const after = await scene.herald('drift');
    expect([(await planned(scene, '--detailed-exitcode')).code, after.code]).toEqual([0, 0]);
  });

  it('is told in the last lines, with the command that repeats it', async () => {
    const scene = await died();
    const [plan, drift] = [await scene.herald('plan'), await scene.herald('drift')];
    expect(plan.stdout).toContain('\n1 change may be half done; 1 unchanged.\n');
    expect(plan.stdout).not.toContain('No changes');
    expect(plan.stderr).toContain('Next: herald apply\n');
    expect(drift.stdout).toContain('\nDrift: 1 change may be half done; 1 unchanged.\n');
    expect(drift.stdout).not.toContain('No drift');
    expect(drift.stdout).toContain('To finish what may be half done:\n  herald apply\n');
  });

  it('is not a difference in a plan of other resources, as its apply does not repeat it', async () => {
    const scene = await died();
    const other = campaign({ name: 'Other', messages: [{ text: 'Other' }] });
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'archived' }), other] }));
    const onlyOther = ['--target', '*/campaign/Other'];
    expect((await applied(scene, ...onlyOther)).code).toBe(0);
    const drift = await scene.herald('drift', ...onlyOther);
    expect([(await planned(scene, '--detailed-exitcode', ...onlyOther)).code, drift.code]).toEqual([0, 0]);
    expect((await scene.herald('drift')).code).toBe(2);
  });
});

it('a drift next to a stop by hand that may still come says so, and exits with 0', async () => {
  const scene = await changing(['active'], 'active');
  const id = (await planned(scene)).plan.changes[0]?.live_id ?? '';
  await scene.fault({ kind: 'late_commit', operation: SET_STATUS, after_sec: 60, how: 'reset', nth: 1 });
  const byHand = ['campaigns', 'archive', id, '--account', 'alice', '--yes'];
  await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'), byHand);
  const { code, stdout } = await scene.herald('drift');
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 request still unconfirmed.')]);
  expect(stdout).not.toContain('No drift');
});

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
