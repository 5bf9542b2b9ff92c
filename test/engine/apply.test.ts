import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { engineScene, summarisePlan, summariseResults, type EngineScene } from './engine-scene.ts';

const WELCOME = declaring({ campaigns: [campaign()] });
const WELCOME_OTHER = declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] });

/** `active`, `paused`, …: of every object of alice, oldest first. */
function statuses(scene: EngineScene, kind: 'campaign' | 'broadcast'): readonly string[] {
  const counts = scene.control.oracle().live['101'];
  const of = kind === 'campaign' ? counts?.campaigns : counts?.broadcasts;
  return Object.entries(of ?? {}).flatMap(([status, count]) => Array<string>(count).fill(status));
}

function createsSent(scene: EngineScene): number {
  return scene.control.oracle().requests.filter(({ operation }) => operation?.endsWith('.create')).length;
}

/** Both kinds: the name, the status of one that sends, and a file with some of it. */
const FILES_OF_KINDS = [
  [
    'campaign',
    'active',
    (...all: readonly object[]) => declaring({ campaigns: all.map((one) => campaign({ ...one })) }),
  ],
  [
    'broadcast',
    'scheduled',
    (...all: readonly object[]) => declaring({ broadcasts: all.map((one) => broadcast({ ...one })) }),
  ],
] as const;

describe.each(FILES_OF_KINDS)('a %s', (kind, running, filesWith) => {
  const operation = `${kind}s.create` as const;
  const name = kind === 'campaign' ? 'Welcome' : 'Teaser';
  it('is created, and a second apply changes nothing', async () => {
    const scene = engineScene(filesWith({}));
    expect(summariseResults(await scene.apply())).toEqual(['create applied']);
    expect(statuses(scene, kind)).toEqual([running]);
    expect(summarisePlan(await scene.plan())).toEqual([]);
    expect(summariseResults(await scene.apply())).toEqual([]);
  });

  it('with another text is replaced, and the old one stays paused', async () => {
    const scene = engineScene(filesWith({}));
    await scene.apply();
    Object.assign(scene.files, filesWith({ messages: [{ text: 'Other words' }] }));
    expect(summariseResults(await scene.apply())).toEqual(['replace applied']);
    expect(statuses(scene, kind).toSorted()).toEqual([running, 'paused'].toSorted());
    expect(summarisePlan(await scene.plan())).toEqual([]);
  });

  it('that is declared paused is paused, and started again when the file says so', async () => {
    const scene = engineScene(filesWith({}));
    await scene.apply();
    Object.assign(scene.files, filesWith({ status: 'paused' }));
    expect(summariseResults(await scene.apply())).toEqual(['pause applied']);
    Object.assign(scene.files, filesWith({}));
    const [started] = await scene.apply();
    expect(started?.outcome).toBe('applied');
    expect(statuses(scene, kind)).toEqual([running]);
    expect(createsSent(scene)).toBe(1);
  });

  it('is stopped before all requests that wait, and started in their order', async () => {
    const scene = engineScene(filesWith({}));
    await scene.apply();
    expect(scene.urgent).toEqual([]);
    Object.assign(scene.files, filesWith({ status: 'paused' }));
    await scene.apply();
    expect(scene.urgent).toContain(`${kind}s.set-status`);
    const stops = scene.urgent.length;
    Object.assign(scene.files, filesWith({}));
    await scene.apply();
    expect(scene.urgent.slice(stops)).toEqual([]);
  });

  it('with a lost create is looked for before all requests that wait', async () => {
    const scene = engineScene(filesWith({}));
    scene.control.addFault({ kind: 'broken_answer', operation, when: 'after_commit', how: 'reset', nth: 1 });
    await scene.apply();
    expect(scene.urgent).toEqual([`${kind}s.list`, `${kind}s.list`]);
  });

  // CAMPAIGN-2, BROADCAST-2: this and the next two.
  it('with a create that takes effect without an answer is adopted, and not created again', async () => {
    const scene = engineScene(filesWith({}));
    scene.control.addFault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
    expect(summariseResults(await scene.apply())).toEqual(['create adopted found']);
    expect(statuses(scene, kind)).toEqual([running]);
    expect(createsSent(scene)).toBe(1);
    expect(summarisePlan(await scene.plan())).toEqual([]);
  });

  it('with a create that never took effect is created once more, in the same run', async () => {
    const scene = engineScene(filesWith({}));
    scene.control.addFault({ kind: 'broken_answer', operation, when: 'before_commit', how: 'reset', nth: 1 });
    expect(summariseResults(await scene.apply())).toEqual(['create applied']);
    expect(statuses(scene, kind)).toEqual([running]);
    expect(createsSent(scene)).toBe(2);
  });

  it('gets two creates in a run at most', async () => {
    const scene = engineScene(filesWith({}));
    scene.control.addFault({ kind: 'broken_answer', operation, when: 'before_commit', how: '502' });
    expect(summariseResults(await scene.apply())).toEqual(['create failed lost-twice']);
    expect(createsSent(scene)).toBe(2);
    scene.control.clearFaults();
    expect(summariseResults(await scene.apply())).toEqual(['create applied']);
    expect(statuses(scene, kind)).toEqual([running]);
  });

  it('that a person paused stays paused without --allow resume', async () => {
    const scene = engineScene(filesWith({}));
    const [created] = await scene.apply();
    const edit = kind === 'campaign' ? scene.control.editCampaign : scene.control.editBroadcast;
    edit('101', created?.liveId ?? '', { status: 'paused' });
    scene.clock.move(60_000);
    expect((await scene.apply()).map(({ outcome, change }) => [outcome, change.needs])).toEqual([
      ['not_attempted', ['resume']],
    ]);
    expect(statuses(scene, kind)).toEqual(['paused']);
    const [resumed] = await scene.apply({ allow: ['resume'] });
    expect(resumed?.outcome).toBe('applied');
    expect(statuses(scene, kind)).toEqual([running]);
  });

  it('that a person stops between its create and the read of it stays stopped', async () => {
    const scene = engineScene(filesWith({}));
    scene.control.addFault({
      kind: 'change_before',
      operation: `${kind}s.get`,
      nth: 1,
      edit: { kind, account_id: '101', name, set: { status: 'paused' } },
    });
    expect((await scene.apply()).map(({ outcome }) => outcome)).not.toContain('applied');
    scene.clock.move(60_000);
    expect((await scene.apply()).map(({ change }) => change.needs)).toEqual([['resume']]);
    expect([statuses(scene, kind), createsSent(scene)]).toEqual([['paused'], 1]);
  });

  it('that was removed from the files is stopped with --allow prune only', async () => {
    const scene = engineScene(filesWith({}));
    await scene.apply();
    Object.assign(scene.files, filesWith({ name: 'Another one', messages: [{ text: 'Other words' }] }));
    expect(summarisePlan(await scene.plan())).toContain(`unmanaged alice/${kind}/${name}`);
    const pruned = await scene.apply({ allow: ['prune', 'large'] });
    expect(pruned.map(({ outcome }) => outcome)).toContain('applied');
    expect(statuses(scene, kind).filter((status) => status === running)).toHaveLength(1);
  });

  // FAULT-8
  it('is not sent twice when a process dies after a create without an answer', async () => {
    const scene = engineScene(filesWith({}));
    scene.control.addFault({ kind: 'late_commit', operation, after_sec: 64, how: 'timeout', nth: 1 });
    const controller = new AbortController();
    const interrupted = controller.signal;
    const ended = await scene.apply({
      interrupted,
      onEvent: ({ kind: event }) => event === 'settling' && controller.abort(new Error('interrupted')),
    });
    expect(summariseResults(ended)).toEqual(['create unknown no-answer']);
    expect(summarisePlan(await scene.plan())).toEqual([`blocked alice/${kind}/${name}`]);
    await scene.apply();
    expect(statuses(scene, kind)).toEqual([running]);
  });
});

it('a replace with a refused create starts the old version again', async () => {
  const scene = engineScene(WELCOME);
  await scene.apply();
  Object.assign(scene.files, WELCOME_OTHER);
  scene.control.addFault({ kind: 'throttle', operation: 'campaigns.create', retry_after_sec: 200 });
  expect(summariseResults(await scene.apply())).toEqual(['replace failed refused old-runs-again']);
  expect(statuses(scene, 'campaign')).toEqual(['active']);
});

it('a plan writes nothing, to the service or to the state', async () => {
  const scene = engineScene(WELCOME);
  await scene.plan();
  const { requests } = scene.control.oracle();
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});
