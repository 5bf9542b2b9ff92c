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

describe('an object with an impossible id', () => {
  it.each(['paused', 'archived', 'recalled'])(
    'makes its list unreadable, and nothing is sent: %s',
    async (target) => {
      const scene = aScene({ files: declared(target) });
      await scene.service((control) =>
        control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Hey' }] }),
      );
      await scene.fault({ kind: 'odd_reply', operation: 'campaigns.list', set: { id: 'c-1' } });
      const ran = await scene.herald('apply', '--yes', '--allow', 'adopt', '--allow', 'recall');
      expect([ran.code, ran.stderr]).toEqual([
        1,
        expect.stringContaining('not what the document says at items'),
      ]);
      expect(ran.stderr).not.toMatch(/\n\s+at /);
      expect(await writesSent(scene)).toEqual([]);
      expect(scene.files.tree[LEDGER_FILE] ?? '').toBe('');
    },
  );
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

describe('a start that waits until an earlier stop cannot arrive any more', () => {
  it('is not sent if someone has made another one of the name meanwhile', async () => {
    const scene = aScene({ files: declared('active') });
    await applied(scene);
    const operation = 'campaigns.set-status';
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
    Object.assign(scene.files.tree, declared('paused'));
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
    Object.assign(scene.files.tree, declared('active'));
    const seed = { account_id: '101', kind: 'campaign', set: { name: 'Welcome' } } as never;
    await scene.fault({ kind: 'change_before', operation: 'campaigns.get', nth: 1, seed });
    const before = (await writesSent(scene)).length;
    const run = await timed(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['activate failed']]);
    expect(messages(run)).toContain('appeared with this name, or was switched on, while it waited');
    expect(await writesSent(scene), 'the start').toHaveLength(before);
  });
});

describe.each([
  ['a 429 made wait', { kind: 'throttle', retry_after_sec: 20 }],
  ['got no answer for a while', { kind: 'broken_answer', when: 'before_commit', how: 'timeout' }],
] as const)('a start that %s', (_, fault) => {
  it('is not sent again if someone has made another one of the name meanwhile', async () => {
    const scene = aScene({ files: declared('paused') });
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Hey' }] }),
    );
    await applied(scene, '--allow', 'adopt');
    scene.clock.move(100_000);
    Object.assign(scene.files.tree, declared('active'));
    await scene.fault({ ...fault, operation: 'campaigns.set-status', nth: 1, times: 1 });
    const seed = { account_id: '101', kind: 'campaign', set: { name: 'Welcome' } } as never;
    // The first read is before the first copy of the request.
    await scene.fault({ kind: 'change_before', operation: 'campaigns.get', nth: 2, seed });
    const before = (await writesSent(scene)).length;
    const run = await timed(scene);
    expect(run.code).not.toBe(0);
    expect(messages(run)).toContain('appeared with this name, or was switched on, while it waited');
    expect(await writesSent(scene), 'only the first copy').toHaveLength(before + 1);
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
  });
});
