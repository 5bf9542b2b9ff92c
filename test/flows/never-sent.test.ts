import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, messages, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const declared = (status: string) => declaring({ campaigns: [campaign({ status })] });

/** How long an apply takes, by the clock of the scene. */
async function timed(scene: Scene, ...flags: string[]) {
  const beganMs = scene.clock.monotonicMs();
  const run = await applied(scene, ...flags);
  return { ...run, tookMs: scene.clock.monotonicMs() - beganMs };
}

const linesOf = (scene: Scene, type: string) =>
  (scene.files.tree[LEDGER_FILE] ?? '').split('\n').filter((line) => line.includes(`"type":"${type}"`));

describe('a request that cannot be built from what the service answered', () => {
  const odd = async (target: string) => {
    const scene = aScene({ files: declared(target) });
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Hey' }] }),
    );
    await scene.fault({ kind: 'odd_reply', operation: 'campaigns.list', set: { id: 'c-1' } });
    return scene;
  };

  it.each(['paused', 'archived', 'recalled'])('is not sent, and never unknown: %s', async (target) => {
    const scene = await odd(target);
    const run = await timed(scene, '--allow', 'adopt', '--allow', 'recall');
    expect([run.code, run.report.outcomes.map(({ outcome }) => outcome)]).toEqual([1, ['failed']]);
    expect(messages(run)).toMatch(/was not sent: campaign_id: /);
    expect(run.stderr).not.toMatch(/\n\s+at /);
    expect(run.tookMs).toBeLessThan(5_000);
    expect(await writesSent(scene)).toEqual([]);
    expect(linesOf(scene, 'intent')).toEqual([]);
  });

  it('holds up nothing else', async () => {
    const scene = await odd('paused');
    const files = { campaigns: [campaign({ status: 'paused' })] };
    const more = { campaigns: [campaign({ name: 'Other', messages: [{ text: 'Else' }] })] };
    Object.assign(scene.files.tree, declaring(files));
    scene.files.tree['live/more.yaml'] = Object.values(declaring(more))[0] ?? '';
    const run = await applied(scene, '--allow', 'adopt');
    expect([run.code, outcomes(run).toSorted()]).toEqual([4, ['create applied', 'pause failed']]);
  });
});

describe('a copy of a status change that the service refused with a 429', () => {
  it('is not waited for before the opposite change', async () => {
    const scene = aScene({ files: declared('active') });
    await applied(scene);
    await scene.fault({ kind: 'throttle', operation: 'campaigns.set-status', nth: 1, times: 1 });
    Object.assign(scene.files.tree, declared('paused'));
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
    expect(linesOf(scene, 'outcome').at(-1)).toContain('"unheard_ms":null');
    Object.assign(scene.files.tree, declared('active'));
    const run = await timed(scene);
    expect(outcomes(run)).toEqual(['activate applied']);
    expect(run.tookMs).toBeLessThan(5_000);
  });

  it('next to one without an answer leaves that one to be waited for', async () => {
    const scene = aScene({ files: declared('active') });
    await applied(scene);
    const operation = 'campaigns.set-status';
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
    await scene.fault({ kind: 'throttle', operation, nth: 2, times: 1 });
    Object.assign(scene.files.tree, declared('paused'));
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
    Object.assign(scene.files.tree, declared('active'));
    const run = await timed(scene);
    expect(outcomes(run)).toEqual(['activate applied']);
    expect(run.tookMs).toBeGreaterThan(65_000);
    scene.clock.move(90_000);
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });

  it('and that repeats one of a killed run is not waited for either', async () => {
    const scene = aScene({ files: declared('active') });
    await applied(scene);
    const operation = 'campaigns.set-status';
    await scene.fault({ kind: 'partial_commit', operation, nth: 1 });
    Object.assign(scene.files.tree, declared('paused'));
    await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
    scene.clock.move(600_000);
    await scene.fault({ kind: 'throttle', operation, nth: 1, times: 1 });
    expect((await applied(scene)).code).toBe(0);
    Object.assign(scene.files.tree, declared('active'));
    const run = await timed(scene);
    expect(outcomes(run)).toEqual(['activate applied']);
    expect(run.tookMs).toBeLessThan(5_000);
  });
});
