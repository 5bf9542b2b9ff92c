import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  dieBefore,
  messages,
  outcomes,
  planned,
  statuses,
} from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { expectNoOneGetsItTwice, expectQuiet } from '../helpers/truth.ts';

const both = ['alice', 'bob'];
const welcome = (parts = {}, accounts = ['alice']) => declaring({ campaigns: [campaign(parts)] }, accounts);
const TO_NEW = ['--target', 'alice/campaign/New'];

/** The files archived it and declare it active again; that request got no answer, and the run was killed. */
async function startLost({
  lands,
  accounts = ['alice'],
  afterMs = 1000,
}: {
  readonly lands: boolean;
  readonly accounts?: string[];
  /** From the archive to the activation, by the clock. */
  readonly afterMs?: number;
}) {
  const scene = aScene({ files: welcome({}, accounts) });
  await applied(scene);
  Object.assign(scene.files.tree, welcome({ status: 'archived' }, accounts));
  await applied(scene);
  scene.clock.move(afterMs);
  Object.assign(scene.files.tree, welcome({}, accounts));
  const operation = 'campaigns.set-status';
  const times = { operation, how: 'reset', nth: 1 } as const;
  await scene.fault(
    lands
      ? { kind: 'late_commit', after_sec: 60, ...times }
      : { kind: 'broken_answer', when: 'before_commit', ...times },
  );
  const apply = ['apply', '--yes', '--target', 'alice'];
  await dieBefore(scene, (line) => line.includes('"unknown"'), apply);
  Object.assign(scene.files.tree, welcome({ name: 'New' }, accounts));
  return scene;
}

const running = async (scene: Scene) =>
  (await statuses(scene, 'campaign')).filter((status) => status === 'active').length;

describe('a campaign that got another name while its activation has no answer', () => {
  it.each([
    ['as a target', TO_NEW],
    ['next to an exclusion', ['--exclude', 'alice/campaign/Welcome']],
  ])('%s is held back at once, and one of the two runs', async (_, flags) => {
    const scene = await startLost({ lands: true });
    const run = await applied(scene, ...flags);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(messages(run)).toMatch(
      /^An earlier activation of \d+ \("Welcome"\) got no answer and may still succeed until .+ Run herald apply after that\.$/,
    );
    scene.clock.move(120_000);
    expect([await createsSent(scene), await running(scene)]).toEqual([1, 1]);
    const later = await applied(scene, ...flags);
    expect(later.code).toBe(5);
    expect(messages(later)).toContain('add renamed_from: "Welcome"');
    expect(await running(scene)).toBe(1);
    await expectNoOneGetsItTwice(scene);
  });

  it('is blocked in a plan, too, as an apply would decide', async () => {
    const scene = await startLost({ lands: true });
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/New']);
    expect((await applied(scene)).code).toBe(5);
    expect([await createsSent(scene), await running(scene)]).toEqual([1, 1]);
  });

  it('is blocked as well where the clock shows the same time for the archive before it', async () => {
    const scene = await startLost({ lands: true, afterMs: 0 });
    expect((await applied(scene)).code).toBe(5);
    expect([await createsSent(scene), await running(scene)]).toEqual([1, 1]);
  });

  it('is created once the request cannot succeed any more', async () => {
    const scene = await startLost({ lands: false });
    expect((await applied(scene, ...TO_NEW)).code).toBe(5);
    scene.clock.move(75_000);
    expect(outcomes(await applied(scene, ...TO_NEW))).toEqual(['create applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'active']);
    await expectQuiet(scene);
  });

  it('continues the old one where renamed_from names it', async () => {
    const scene = await startLost({ lands: true });
    Object.assign(scene.files.tree, welcome({ name: 'New', renamed_from: 'Welcome' }));
    expect((await applied(scene, ...TO_NEW)).code).toBe(0);
    scene.clock.move(120_000);
    expect([await createsSent(scene), await running(scene)]).toEqual([1, 1]);
  });

  it('is created at once on another account, where nothing was started', async () => {
    const scene = await startLost({ lands: true, accounts: both });
    expect(outcomes(await applied(scene, '--target', 'bob/campaign/New'))).toEqual(['create applied']);
    const run = await applied(scene, ...TO_NEW);
    expect([run.code, await createsSent(scene)]).toEqual([5, 3]);
  });

  it('is created at once where a later stop of the old one was confirmed', async () => {
    const scene = await startLost({ lands: false });
    scene.clock.move(1000);
    const id = 'alice/campaign/Welcome';
    const stop = await scene.herald('campaigns', 'archive', id, '--again', '--yes');
    expect(stop.code).toBe(0);
    const run = await applied(scene, ...TO_NEW);
    expect(outcomes(run)).toEqual(['create applied']);
    expect(await running(scene)).toBe(1);
  });
});

it('a broadcast that got another name while its resume has no answer is held back', async () => {
  const scene = aScene({ files: declaring({ broadcasts: [broadcast()] }) });
  await applied(scene);
  Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ status: 'paused' })] }));
  await applied(scene);
  scene.clock.move(1000);
  Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast()] }));
  const operation = 'broadcasts.set-status';
  await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
  await dieBefore(scene, (line) => line.includes('"unknown"'));
  Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ name: 'New' })] }));
  const run = await applied(scene, '--target', 'alice/broadcast/New');
  expect([run.code, outcomes(run), await createsSent(scene)]).toEqual([5, ['blocked not_attempted'], 1]);
});
