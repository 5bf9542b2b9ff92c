import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/catalogue.ts';
import { applyReportShape } from '../../src/domain/change.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  documentOf,
  liveOn,
  messages,
  outcomes,
  statuses,
  worstDispatch,
} from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** From the beginning of a flow to the broadcast's hour. */
const UNTIL_HOUR = 3 * HOUR;

async function standing(more: Readonly<Record<string, unknown>> = {}): Promise<Scene> {
  const scene = aScene({ files: declaring({ broadcasts: [broadcast(more)] }) });
  expect((await applied(scene)).code).toBe(0);
  return scene;
}

function declare(scene: Scene, more: Readonly<Record<string, unknown>>): void {
  Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast(more)] }));
}

const REWRITTEN = { messages: [{ text: 'Tonight' }] };

function silence(
  scene: Scene,
  operation: Operation,
  when: 'before_commit' | 'after_commit',
  times = 3,
): Promise<void> {
  return scene.fault({ kind: 'broken_answer', operation, how: 'timeout', when, nth: 1, times });
}

const idOf = async (scene: Scene) => (await liveOn(scene, '101', 'broadcast'))[0]?.id ?? '';

describe('a pause with every answer lost and that was never carried out', () => {
  it('has failed and changed nothing: exit 1', async () => {
    const scene = await standing();
    declare(scene, { status: 'paused' });
    scene.clock.move(UNTIL_HOUR - 70_000);
    await silence(scene, 'broadcasts.set-status', 'before_commit', 30);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['pause failed']]);
    expect(messages(run)).toContain('it had no effect');
    scene.clock.move(3_600_000);
    expect(await statuses(scene, 'broadcast')).toEqual(['sent']);
  });

  it('by hand as well', async () => {
    const scene = await standing();
    scene.clock.move(UNTIL_HOUR - 70_000);
    await silence(scene, 'broadcasts.set-status', 'before_commit', 30);
    const id = await idOf(scene);
    const ran = await scene.herald(
      'broadcasts',
      'pause',
      id,
      '--account',
      'alice',
      '--yes',
      '--format',
      'json',
    );
    expect(ran.code, ran.stderr).toBe(1);
    expect(outcomes({ report: documentOf(ran, applyReportShape) })).toEqual(['pause failed']);
  });

  it('next to a change that was carried out is exit 4', async () => {
    const scene = await standing();
    const files = { broadcasts: [broadcast({ status: 'paused' })], campaigns: [campaign()] };
    Object.assign(scene.files.tree, declaring(files));
    scene.clock.move(UNTIL_HOUR - 70_000);
    await silence(scene, 'broadcasts.set-status', 'before_commit', 30);
    const run = await applied(scene);
    expect([run.code, outcomes(run).toSorted()]).toEqual([4, ['create applied', 'pause failed']]);
  });
});

describe('a create with a lost answer', () => {
  const two = ['A', 'B'].map((name) => campaign({ name, messages: [{ text: name }] }));
  const throttled = {
    kind: 'throttle',
    operation: 'campaigns.create',
    nth: 2,
    retry_after_sec: 200,
  } as const;

  it('and that turned up counts as a change next to a failure: exit 4', async () => {
    const scene = aScene({ files: declaring({ campaigns: two }) });
    await silence(scene, 'campaigns.create', 'after_commit', 1);
    await scene.fault(throttled);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([4, ['create adopted', 'create failed']]);
  });

  it('and that never came has changed nothing when the second one is refused: exit 1', async () => {
    const scene = aScene({ files: declaring({ campaigns: two.slice(0, 1) }) });
    await silence(scene, 'campaigns.create', 'before_commit', 1);
    await scene.fault(throttled);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['create failed']]);
    expect(await statuses(scene, 'campaign')).toEqual([]);
  });
});

describe('a replace with lost answers', () => {
  const soon = async () => {
    const scene = await standing();
    declare(scene, REWRITTEN);
    scene.clock.move(UNTIL_HOUR - 6 * MINUTE);
    return scene;
  };
  const texts = async (scene: Scene) =>
    (await liveOn(scene, '101', 'broadcast')).map(({ text, status }) => `${text ?? ''} ${status ?? ''}`);

  it('with a pause that was carried out and a create that then fails has changed something: exit 4', async () => {
    const scene = await standing();
    declare(scene, REWRITTEN);
    await silence(scene, 'broadcasts.set-status', 'after_commit');
    await scene.fault({ kind: 'throttle', operation: 'broadcasts.create', retry_after_sec: 200 });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([4, ['replace failed']]);
    expect(messages(run)).toMatch(/The old version \d+ is still paused\./);
    expect(await texts(scene)).toEqual(['Tomorrow paused']);
  });

  it('with a pause that was never carried out before its time was over has failed: the old one goes out', async () => {
    const scene = await soon();
    await silence(scene, 'broadcasts.set-status', 'before_commit');
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['replace failed']]);
    expect(messages(run)).toContain('it was sent unchanged, or will be');
    expect(await texts(scene)).toEqual(['Tomorrow scheduled']);
    scene.clock.move(HOUR);
    expect(await createsSent(scene)).toBe(1);
    expect(await worstDispatch(scene)).toBe(1);
  });

  it.each([
    ['pause was carried out', 'broadcasts.set-status', 'after_commit'],
    ['create was not', 'broadcasts.create', 'before_commit'],
  ] as const)(
    'with %s and no time left, leaves neither to go out and says so',
    async (_, operation, when) => {
      const scene = await soon();
      await silence(scene, operation, when);
      const run = await applied(scene);
      expect([run.code, outcomes(run)]).toEqual([3, ['replace unknown']]);
      expect(messages(run)).toContain('so neither is sent. Change scheduled_at to send the new one');
      expect(messages(run)).toContain(`herald broadcasts resume ${await idOf(scene)} --account alice`);
      expect(await texts(scene)).toEqual(['Tomorrow paused']);
    },
  );

  it('with a new version that turns up late is carried out', async () => {
    const scene = await soon();
    await scene.fault({
      kind: 'late_commit',
      operation: 'broadcasts.create',
      after_sec: 60,
      how: 'reset',
      nth: 1,
    });
    const run = await applied(scene);
    expect(run.code).toBe(0);
    expect(await texts(scene)).toEqual(['Tomorrow paused', 'Tonight scheduled']);
  });
});

describe('a resume with every answer lost', () => {
  const paused = async () => {
    const scene = await standing();
    declare(scene, { status: 'paused' });
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
    declare(scene, {});
    scene.clock.move(UNTIL_HOUR - 6 * MINUTE);
    return scene;
  };

  it('and that was never carried out has failed once its time is over, and is not called resumed', async () => {
    const scene = await paused();
    await silence(scene, 'broadcasts.set-status', 'before_commit', 30);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([1, ['resume failed']]);
    expect(messages(run)).toContain('it had no effect');
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
  });

  it('and that was carried out is found as it is live', async () => {
    const scene = await paused();
    await silence(scene, 'broadcasts.set-status', 'after_commit', 30);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['resume applied']]);
    expect(await statuses(scene, 'broadcast')).toEqual(['scheduled']);
  });
});
