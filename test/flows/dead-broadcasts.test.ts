import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  dieBefore,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';
import { expectNoOneGetsItTwice, expectQuiet } from '../helpers/truth.ts';

const DAY = 86_400_000;
const FAR = { scheduled_at: '2026-06-20T15:00Z' };
const RESUME = ['--allow', 'resume'];

function declare(scene: Scene, more: Readonly<Record<string, unknown>> = {}): void {
  Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ ...FAR, ...more })] }));
}

const idOf = async (scene: Scene) => (await liveOn(scene, '101', 'broadcast'))[0]?.id ?? '';

/** Created, and paused by an apply or by hand; declared scheduled again after so long. */
async function pausedFor(ms: number, by: 'us' | 'hand' = 'us'): Promise<Scene> {
  const scene = aScene();
  declare(scene);
  expect((await applied(scene)).code).toBe(0);
  if (by === 'us') {
    declare(scene, { status: 'paused' });
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
  } else {
    const words = ['broadcasts', 'pause', await idOf(scene), '--account', 'alice', '--yes'];
    expect((await scene.herald(...words)).code).toBe(0);
  }
  declare(scene);
  scene.clock.move(ms);
  return scene;
}

/** Three days on, someone resumes it and pauses it again, and three more pass; nothing of that is on record. */
async function resumedAndPausedAgain(scene: Scene, id: string): Promise<void> {
  scene.clock.move(3 * DAY);
  await scene.service((control) => {
    control.editBroadcast('101', id, { status: 'scheduled' });
    control.editBroadcast('101', id, { status: 'paused', pause_reason: 'manual' });
  });
  scene.clock.move(3 * DAY);
}

/** Only the ledger takes it for dead. */
async function alive(): Promise<Scene> {
  const scene = await pausedFor(0);
  await resumedAndPausedAgain(scene, await idOf(scene));
  return scene;
}

const onResume = (fault: object) => ({ operation: 'broadcasts.set-status', nth: 1, ...fault }) as FaultInput;

async function expectOneSend(scene: Scene): Promise<void> {
  await expectQuiet(scene);
  await expectNoOneGetsItTwice(scene);
  scene.clock.move(20 * DAY);
  const { dispatch_counts: counts } = await scene.oracle();
  expect(new Set(counts.map(({ count }) => count))).toEqual(new Set([1]));
}

describe('a broadcast that Herald paused more than five days ago', () => {
  // BROADCAST-17
  it('is created again in one apply, once the service has refused to resume it', async () => {
    const scene = await pausedFor(6 * DAY);
    const { plan } = await planned(scene);
    expect(decisions({ plan })).toEqual(['replace alice/broadcast/Teaser']);
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['dead']);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectOneSend(scene);
  });

  it('is created in the same apply where the first resume got no answer, after its window', async () => {
    const scene = await pausedFor(6 * DAY);
    await scene.fault(onResume({ kind: 'broken_answer', how: 'reset', when: 'before_commit' }));
    const beganMs = scene.clock.monotonicMs();
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(scene.clock.monotonicMs() - beganMs).toBeGreaterThan(75_000);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectOneSend(scene);
  });

  it('is resumed where only the ledger takes it for dead', async () => {
    const scene = await alive();
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(messages(run)).toContain('could be resumed after all, so nothing was created');
    expect(await createsSent(scene)).toBe(1);
    expect(await statuses(scene, 'broadcast')).toEqual(['scheduled']);
    await expectOneSend(scene);
  });

  it('is not called paused while the resume that proves it is unconfirmed', async () => {
    const scene = await alive();
    await scene.fault(onResume({ kind: 'broken_answer', how: 'reset', when: 'after_commit', times: 99 }));
    const unread = { kind: 'broken_answer', how: '502', when: 'before_commit', times: 9_999 } as const;
    await scene.fault({ ...unread, operation: 'broadcasts.get', nth: 2 });
    await scene.fault({ ...unread, operation: 'broadcasts.list', nth: 4 });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['replace unknown']]);
    expect(messages(run)).not.toContain('paused');
    expect(await statuses(scene, 'broadcast')).toEqual(['scheduled']);
  });

  // LIMIT-7
  it('at the very end of the five days is resumed, and a moment later created again', async () => {
    for (const [more, created] of [
      [0, 1],
      [1_000, 2],
    ] as const) {
      const scene = await pausedFor(5 * DAY + more);
      expect((await applied(scene)).code).toBe(0);
      expect(await createsSent(scene)).toBe(created);
      await expectOneSend(scene);
    }
  });

  it("by the service's clock, whatever this machine's says", async () => {
    const scene = await pausedFor(0);
    await scene.service((control) => control.advance(6 * DAY));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectQuiet(scene);
  });

  it('with an hour that has passed is done, and never created', async () => {
    const scene = await pausedFor(6 * DAY);
    await scene.service((control) => control.setModes({ archiveAfterResumeWindowSec: 100 * 86_400 }));
    scene.clock.move(20 * DAY);
    const { plan } = await planned(scene);
    expect(decisions({ plan })).toEqual(['done alice/broadcast/Teaser']);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });

  it('and that the service has archived by now is a matter for a person', async () => {
    const scene = await pausedFor(8 * DAY);
    expect(await statuses(scene, 'broadcast')).toEqual(['archived']);
    const run = await applied(scene);
    expect(run.code).toBe(5);
    expect(messages(run)).toContain('To send it again, give it a new name.');
    expect(await createsSent(scene)).toBe(1);
  });
});

describe('a broadcast that someone else paused more than five days ago', () => {
  it('by hand with Herald: created again only when that is allowed', async () => {
    const scene = await pausedFor(6 * DAY, 'hand');
    const blocked = await applied(scene);
    expect(blocked.code).toBe(5);
    expect(messages(blocked)).toContain('The service does not resume it after 5 days');
    expect(messages(blocked)).toContain('It needs --allow resume');
    expect(await createsSent(scene)).toBe(1);
    expect((await applied(scene, ...RESUME)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectOneSend(scene);
  });

  it.each(['outside of Herald', 'with the ledger lost'])(
    '%s: since when is not known, so it is never created next to it; the message names the way out, which works',
    async (how) => {
      const scene = aScene();
      declare(scene);
      await applied(scene);
      const id = await idOf(scene);
      await scene.service((control) =>
        control.editBroadcast('101', id, { status: 'paused', pause_reason: 'manual' }),
      );
      if (how === 'with the ledger lost') delete scene.files.tree[LEDGER_FILE];
      scene.clock.move(6 * DAY);
      expect((await applied(scene)).code).toBe(5);
      const allowed = [...RESUME, '--allow', 'adopt'];
      const run = await applied(scene, ...allowed);
      expect([run.code, outcomes(run)]).toEqual([1, ['resume failed']]);
      expect(messages(run)).toContain('within 5 days of pausing');
      expect(messages(run)).toContain('Set status: paused for it, and declare the message under a new name');
      expect(await createsSent(scene)).toBe(1);

      const broadcasts = [
        broadcast({ ...FAR, status: 'paused' }),
        broadcast({ ...FAR, name: 'Teaser, once more' }),
      ];
      Object.assign(scene.files.tree, declaring({ broadcasts }));
      expect((await applied(scene, '--allow', 'adopt')).code).toBe(0);
      expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
      await expectOneSend(scene);
    },
  );
});

describe('the proof that it is dead', () => {
  it.each([
    ['a time-out', { kind: 'broken_answer', how: 'timeout', when: 'before_commit' }],
    ['a lost refusal', { kind: 'broken_answer', how: 'reset', when: 'after_commit' }],
    ['a 502', { kind: 'broken_answer', how: '502', when: 'before_commit' }],
    ['no connection', { kind: 'connection_refused', times: 2 }],
    ['a 429', { kind: 'throttle', times: 2 }],
  ])('after %s is asked for again', async (_, fault) => {
    const scene = await pausedFor(6 * DAY);
    await scene.fault(onResume(fault));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(await createsSent(scene)).toBe(2);
    await expectOneSend(scene);
  });

  it.each([
    ['is never heard', { kind: 'broken_answer', how: '502', when: 'before_commit', times: 1000 }, 3],
    ['cannot be asked for', { kind: 'connection_refused', times: 1000 }, 1],
    ['is held up', { kind: 'throttle', retry_after_sec: 600 }, 1],
  ])('that %s lets nothing be created', async (_, fault, code) => {
    const scene = await pausedFor(6 * DAY);
    await scene.fault(onResume(fault));
    const run = await applied(scene);
    expect(run.code, messages(run)).toBe(code);
    expect(await createsSent(scene)).toBe(1);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectOneSend(scene);
  });

  it('is not a refusal of the key', async () => {
    const scene = await pausedFor(6 * DAY);
    await scene.service((control, world) => {
      const key = world.keys[0]?.key ?? '';
      control.addKey({ key, permissions: ['priority_mass_messages.view'] });
    });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['replace failed']]);
    expect((await writesSent(scene)).filter((write) => write.endsWith('.create')).length).toBe(1);
  });

  it('comes too late where it went out meanwhile', async () => {
    const scene = await pausedFor(6 * DAY);
    const set = { status: 'sending', scheduled_at: null };
    const edit = { account_id: '101', kind: 'broadcast', name: 'Teaser', set } as const;
    await scene.fault(onResume({ kind: 'change_before', edit }));
    const run = await applied(scene);
    expect(run.code).toBe(0);
    expect(messages(run)).toContain('nothing was created');
    expect(await createsSent(scene)).toBe(1);
  });

  it('is none where someone resumed it meanwhile and it cannot be read', async () => {
    const scene = await alive();
    const edit = {
      account_id: '101',
      kind: 'broadcast',
      name: 'Teaser',
      set: { status: 'scheduled' },
    } as const;
    await scene.fault(onResume({ kind: 'change_before', edit }));
    // The first read looks at it before it is asked to be resumed.
    const unread = { kind: 'broken_answer', how: '502', when: 'before_commit', nth: 2, times: 2 } as const;
    await scene.fault({ ...unread, operation: 'broadcasts.get' });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['replace failed']]);
    expect(messages(run)).toContain('is scheduled now, not paused any more, so no second one was created');
    expect(await createsSent(scene)).toBe(1);
    await expectOneSend(scene);
  });

  it('is reported as unknown where it was resumed and still reads as paused', async () => {
    const scene = await alive();
    const edit = { account_id: '101', kind: 'broadcast', name: 'Teaser', set: { status: 'paused' } } as const;
    await scene.fault({ kind: 'change_before', operation: 'broadcasts.get', nth: 2, edit });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['replace unknown']]);
    expect(messages(run)).toContain('still reads as paused');
    expect(await createsSent(scene)).toBe(1);
  });

  it('that fails for the second of two is about that one', async () => {
    const scene = aScene();
    declare(scene);
    await applied(scene);
    const twin = { name: 'Teaser', scheduled_at: '2026-06-20T15:00:00Z', messages: [{ text: 'Tomorrow' }] };
    const { id } = await scene.service((control) => control.seedBroadcast('101', twin));
    declare(scene, { status: 'paused' });
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual(['pause applied', 'pause applied']);
    declare(scene);
    await resumedAndPausedAgain(scene, id);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(run.report.outcomes[0]).toMatchObject({ live_id: id });
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectOneSend(scene);
  });

  it.each(['"target":"queued"', '"outcome":"refused"', '"call":"create"'])(
    'and a process that dies before it writes %s: the next run creates it once',
    async (line) => {
      const scene = await pausedFor(6 * DAY);
      await dieBefore(scene, (text) => text.includes(line));
      expect((await applied(scene)).code).toBe(0);
      expect(await createsSent(scene)).toBe(2);
      await expectOneSend(scene);
    },
  );

  it.each(['before_commit', 'after_commit'] as const)(
    'and a create with a lost answer %s is settled as any other',
    async (when) => {
      const scene = await pausedFor(6 * DAY);
      await scene.fault({
        kind: 'broken_answer',
        operation: 'broadcasts.create',
        how: 'reset',
        when,
        nth: 1,
      });
      const run = await applied(scene);
      expect(run.code).toBe(0);
      expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
      await expectOneSend(scene);
    },
  );
});
