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

  it('gets two creates in a run at most', async () => {
    const scene = engineScene(filesWith({}));
    scene.control.addFault({ kind: 'broken_answer', operation, when: 'before_commit', how: '502' });
    expect(summariseResults(await scene.apply())).toEqual(['create failed lost-twice']);
    expect(createsSent(scene)).toBe(2);
    scene.control.clearFaults();
    expect(summariseResults(await scene.apply())).toEqual(['create applied']);
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
