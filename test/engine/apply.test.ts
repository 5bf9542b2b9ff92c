import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/run.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  campaigns,
  engineScene,
  interruptedWhileItWaits,
  countLive,
  startLive,
  summarisePlan,
  summariseResults,
  writesSent,
} from './engine-scene.ts';
import { fullDisk } from './run-scene.ts';

const SECOND = campaign({ name: 'Second', messages: [{ text: 'Two' }] });
const OTHER_WORDS = { messages: [{ text: 'Other words' }] };

/** One that Herald has paused, and that the file declares active by now. */
async function startable() {
  const { scene, made } = await startLive();
  Object.assign(scene.files, declaring({ campaigns: [campaign({ status: 'paused' })] }));
  await scene.apply();
  Object.assign(scene.files, declaring({ campaigns: [campaign()] }));
  return { scene, made };
}

const unanswered = (operation: 'campaigns.create' | 'campaigns.set-status') =>
  ({ kind: 'broken_answer', operation, when: 'before_commit', how: '502' }) as const;

/** Both kinds: the name, the status of one that sends, and a file with one. */
const KINDS = [
  ['campaign', 'active', (more: object = {}) => declaring({ campaigns: [campaign({ ...more })] })],
  ['broadcast', 'scheduled', (more: object = {}) => declaring({ broadcasts: [broadcast({ ...more })] })],
] as const;

describe.each(KINDS)('a %s', (kind, running, fileWith) => {
  const operation = `${kind}s.create` as const;
  const name = kind === 'campaign' ? 'Welcome' : 'Teaser';
  it('is stopped before all requests that wait, and started in their order', async () => {
    const scene = engineScene(fileWith());
    await scene.apply();
    expect(scene.urgent).toEqual([]);
    Object.assign(scene.files, fileWith({ status: 'paused' }));
    await scene.apply();
    expect(scene.urgent).toContain(`${kind}s.set-status`);
    const stops = scene.urgent.length;
    Object.assign(scene.files, fileWith());
    await scene.apply();
    expect(scene.urgent.slice(stops)).toEqual([]);
  });

  it('with a lost create is looked for before all requests that wait', async () => {
    const scene = engineScene(fileWith());
    scene.control.addFault({ kind: 'broken_answer', operation, when: 'after_commit', how: 'reset', nth: 1 });
    await scene.apply();
    expect(scene.urgent).toEqual([`${kind}s.list`, `${kind}s.list`]);
  });

  it('that a person stops between its create and the read of it stays stopped', async () => {
    const scene = engineScene(fileWith());
    scene.control.addFault({
      kind: 'change_before',
      operation: `${kind}s.get`,
      nth: 1,
      edit: { kind, account_id: '101', name, set: { status: 'paused' } },
    });
    expect((await scene.apply()).map(({ outcome }) => outcome)).not.toContain('applied');
    scene.clock.move(60_000);
    expect((await scene.apply()).map(({ change }) => change.needs)).toEqual([['resume']]);
    expect([countLive(scene, kind), writesSent(scene)]).toEqual([{ paused: 1 }, [operation]]);
  });

  // FAULT-8
  it('is not sent twice when a process dies after a create without an answer', async () => {
    const scene = engineScene(fileWith());
    scene.control.addFault({ kind: 'late_commit', operation, after_sec: 64, how: 'timeout', nth: 1 });
    expect(summariseResults(await scene.apply(interruptedWhileItWaits()))).toEqual([
      'create unknown no-answer',
    ]);
    expect(summarisePlan(await scene.plan())).toEqual([`blocked alice/${kind}/${name}`]);
    await scene.apply();
    expect(countLive(scene, kind)).toEqual({ [running]: 1 });
  });
});

describe('an apply', () => {
  // ERROR-7
  it('creates nothing by an old list: next to what a person has made since, it says so', async () => {
    const scene = engineScene(declaring({ campaigns: [campaign(), SECOND] }));
    scene.control.addFault({ kind: 'slow', operation: 'campaigns.create', delay_ms: 40_000, nth: 1 });
    let isMade = false;
    const ended = await scene.apply({
      onEvent: (event) => {
        if (isMade || event.kind !== 'applying' || event.change.address.name !== 'Welcome') return;
        isMade = true;
        scene.control.seedCampaign('101', { name: 'Welcome', ...OTHER_WORDS });
      },
    });
    expect(summariseResults(ended)).toContain('create failed list-changed');
    expect(campaigns(scene)).toEqual({ active: 2 });
  });

  it('stops before it creates', async () => {
    const scene = engineScene(declaring({ campaigns: [campaign({ name: 'Third' })] }));
    await scene.apply();
    const paused = campaign({ name: 'Third', status: 'paused' });
    Object.assign(scene.files, declaring({ campaigns: [SECOND, paused] }));
    await scene.apply();
    expect(writesSent(scene)).toEqual(['campaigns.create', 'campaigns.set-status', 'campaigns.create']);
  });

  it('begins nothing more once the state could not record a request', async () => {
    const scene = engineScene(declaring({ campaigns: [campaign(), SECOND] }));
    expect(summariseResults(await scene.apply({ through: (run) => fullDisk(run, 'begin') }))).toEqual([
      'create failed unrecorded',
      'create not_attempted halted',
    ]);
  });

  it('does not know the end of a stop of which a copy got no answer, and keeps it open', async () => {
    const { scene } = await startLive();
    Object.assign(scene.files, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    scene.control.addFault(unanswered('campaigns.set-status'));
    const ended = await scene.apply({ through: (run) => fullDisk(run, 'repeat') });
    expect(summariseResults(ended)).toEqual(['pause unknown unrecorded']);
    expect(summarisePlan(await scene.plan())).toEqual(['blocked alice/campaign/Welcome']);
  });

  it('creates no broadcast with an hour near by the clock of the service alone', async () => {
    const scene = engineScene(
      declaring({ broadcasts: [broadcast(), broadcast({ name: 'Second', messages: [{ text: 'Two' }] })] }),
    );
    const ended = await scene.apply({
      onEvent: ({ kind }) => {
        if (kind === 'applying') scene.control.setModes({ serverClocksSec: [3 * 3600 - 200] });
      },
    });
    expect(summariseResults(ended)).toContain('create failed too-near');
  });

  it('starts nothing that differs from its plan', async () => {
    const { scene } = await startable();
    const set = { ...OTHER_WORDS };
    scene.control.addFault({
      kind: 'change_before',
      operation: 'campaigns.get',
      nth: 1,
      edit: { kind: 'campaign', account_id: '101', name: 'Welcome', set },
    });
    expect(summariseResults(await scene.apply())).toEqual(['activate failed differs']);
    expect(campaigns(scene)).toEqual({ paused: 1 });
  });

  it.each(['paused', 'recalled'])(
    'sends a declared stop before it waits for an answer: %s',
    async (status) => {
      const { scene } = await startLive();
      Object.assign(scene.files, declaring({ campaigns: [campaign(), SECOND] }));
      scene.control.addFault(unanswered('campaigns.create'));
      await scene.apply(interruptedWhileItWaits());
      scene.control.clearFaults();
      Object.assign(scene.files, declaring({ campaigns: [campaign({ status }), SECOND] }));
      scene.events.length = 0;
      await scene.apply({ allow: ['recall'] });
      const order = scene.events.map(({ kind }) => kind);
      expect(order).toContain('stopped-early');
      expect(order.indexOf('stopped-early')).toBeLessThan(order.indexOf('settling'));
    },
  );

  it.each([
    ['content', {}],
    ['text', { rules: { unsend_delay_sec: 3600 } }],
  ])('settles a lost create of its %s under another name', async (_, more) => {
    const scene = engineScene(declaring({ campaigns: [campaign()] }));
    scene.control.addFault(unanswered('campaigns.create'));
    await scene.apply(interruptedWhileItWaits());
    scene.control.clearFaults();
    Object.assign(scene.files, declaring({ campaigns: [campaign({ name: 'Hello', ...more })] }));
    expect(summariseResults(await scene.apply({ target: ['alice/campaign/Hello'] }))).toEqual([
      'create applied',
    ]);
  });

  // ERROR-5
  it('waits one window on a cut state before it starts anything, and says so', async () => {
    const scene = engineScene(declaring({ campaigns: [campaign()] }));
    await scene.unlock();
    const begunMs = scene.clock.now();
    let startedMs = 0;
    const waits: RunEvent[] = [];
    await scene.apply({
      onEvent: (event) => {
        if (event.kind === 'applying') startedMs ||= scene.clock.now();
        if (event.kind === 'settling') waits.push(event);
      },
    });
    expect(startedMs - begunMs).toBeGreaterThanOrEqual(90_000);
    const first = { kind: 'settling', requests: 0, canStop: true, leftMs: 90_000, isFirst: true };
    expect(waits[0]).toEqual(first);
  });

  it('says on a cut state also after the wait that it may have stopped something itself', async () => {
    const { scene, made } = await startLive();
    scene.control.editCampaign('101', made?.liveId ?? '', { status: 'paused' });
    await scene.unlock();
    const [held] = await scene.apply();
    expect(held?.change.reasons[0]).toContain('outside Herald, or by a run that the state does not have');
  });

  it('keeps on a cut state what it stopped before the wait as its own', async () => {
    const { scene } = await startable();
    await scene.unlock();
    Object.assign(scene.files, declaring({ campaigns: [campaign({ status: 'archived' })] }));
    expect(summariseResults(await scene.apply())).toEqual(['archive applied']);
    Object.assign(scene.files, declaring({ campaigns: [campaign()] }));
    expect(summarisePlan(await scene.plan())).toEqual(['create alice/campaign/Welcome']);
  });

  it('reports what it stopped before the wait although the lists fail after it', async () => {
    const { scene } = await startLive();
    await scene.unlock();
    Object.assign(scene.files, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    const fault = { kind: 'refusal', operation: 'campaigns.list', status: 401 } as const;
    const onEvent = ({ kind }: RunEvent) => kind === 'stopped-early' && scene.control.addFault(fault);
    expect(summariseResults(await scene.apply({ onEvent }))).toEqual(['pause applied broke-off']);
  });

  it('keeps a recall on record that a late pause hides from it', async () => {
    const { scene, made } = await startLive();
    Object.assign(scene.files, declaring({ campaigns: [campaign(OTHER_WORDS)] }));
    const late = { kind: 'late_commit', how: 'reset', after_sec: 40 } as const;
    scene.control.addFault({ ...late, operation: 'campaigns.set-status' });
    await scene.apply(interruptedWhileItWaits());
    scene.control.clearFaults();
    scene.control.editCampaign('101', made?.liveId ?? '', { status: 'recalling' });
    const results = await scene.apply({ allow: ['resume', 'recall'] });
    expect([results[0]?.change.action, campaigns(scene)]).toEqual(['blocked', { paused: 1 }]);
  });

  it('waits again on a cut state if the wait was interrupted', async () => {
    const scene = engineScene(declaring({ campaigns: [campaign()] }));
    await scene.unlock();
    await expect(scene.apply(interruptedWhileItWaits())).rejects.toThrow('Interrupted; nothing was sent.');
    expect(campaigns(scene)).toEqual({});
    const begunMs = scene.clock.now();
    await scene.apply();
    expect(scene.clock.now() - begunMs).toBeGreaterThanOrEqual(90_000);
    expect(campaigns(scene)).toEqual({ active: 1 });
  });

  it('carries out only the rest of what was agreed after a request without an answer', async () => {
    const scene = engineScene(declaring({ campaigns: [campaign({ renamed_from: 'Old' })] }));
    scene.control.addFault(unanswered('campaigns.create'));
    const ended = await scene.apply({
      allow: ['adopt'],
      onEvent: (event) => {
        if (event.kind === 'settling' && event.isFirst)
          scene.control.seedCampaign('101', { name: 'Old', ...OTHER_WORDS });
      },
    });
    expect(summariseResults(ended)).toEqual(['create failed not-agreed']);
    expect(campaigns(scene)).toEqual({ active: 1 });
  });

  it('carries out nothing that changed while a person was asked', async () => {
    const scene = engineScene(declaring({ campaigns: [campaign()] }));
    const refuseChanged = () => {
      throw new Error('it has changed');
    };
    const applied = scene.apply({ refuseChanged });
    await expect(applied).rejects.toThrow('it has changed');
    expect(writesSent(scene)).toEqual([]);
  });

  // ERROR-5
  // FAULT-12
  it('stops a copy that the service made of its create after the window', async () => {
    const scene = engineScene(declaring({ campaigns: [campaign()] }));
    const lost = { operation: 'campaigns.create', how: 'reset' } as const;
    scene.control.setModes({ requestTimeoutSec: 200 });
    scene.control.addFault({ ...lost, kind: 'late_commit', after_sec: 100, nth: 1 });
    scene.control.addFault({ operation: 'campaigns.create', kind: 'slow', delay_ms: 30_000, nth: 2 });
    expect(summariseResults(await scene.apply())).toEqual(['create applied', 'retire applied']);
    expect(campaigns(scene)).toEqual({ active: 1, archived: 1 });
  });

  it('keeps what a person started and stopped again stopped', async () => {
    const { scene, made } = await startLive();
    Object.assign(scene.files, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    await scene.apply();
    scene.clock.move(60_000);
    scene.control.editCampaign('101', made?.liveId ?? '', { status: 'active' });
    Object.assign(scene.files, declaring({ campaigns: [campaign()] }));
    await scene.apply();
    scene.control.editCampaign('101', made?.liveId ?? '', { status: 'paused' });
    expect(summarisePlan(await scene.plan())).toEqual(['blocked alice/campaign/Welcome']);
  });

  it('waits for the window of the copies that it sends while it settles, before it creates another text', async () => {
    const { scene } = await startable();
    const operation = 'campaigns.set-status';
    const lost = { kind: 'broken_answer', operation, when: 'after_commit', how: '502' } as const;
    scene.control.addFault({ ...lost, nth: 1, times: 9 });
    await scene.apply(interruptedWhileItWaits());
    scene.control.clearFaults();
    const before = scene.control.oracle().requests.length;
    Object.assign(scene.files, declaring({ campaigns: [campaign(OTHER_WORDS)] }));
    scene.control.addFault({ ...lost, nth: 1, times: 1 });
    await scene.apply();
    const sent = scene.control.oracle().requests.slice(before);
    const copy = sent.find((request) => request.operation === operation);
    const create = sent.find((request) => request.operation === 'campaigns.create');
    expect(Date.parse(create?.at ?? '') - Date.parse(copy?.at ?? '')).toBeGreaterThan(65_000);
  });

  // ERROR-8
  it('repeats the stop of a person, and not the start before it that got no answer', async () => {
    const { scene, made } = await startable();
    const operation = 'campaigns.set-status';
    scene.control.addFault({ ...unanswered(operation), nth: 1, times: 8 });
    scene.control.addFault({ kind: 'late_commit', after_sec: 60, how: 'reset', operation, nth: 9 });
    await scene.apply(interruptedWhileItWaits());
    scene.control.clearFaults();
    const [stopped] = await scene.pauseByHand(made?.liveId ?? '', interruptedWhileItWaits());
    expect(stopped?.outcome).toBe('unknown');
    expect(campaigns(scene)).toEqual({ paused: 1 });
    await scene.apply();
    const landed = scene.control.oracle().commits.map(({ status }) => status);
    expect(landed).toEqual(['active', 'paused', 'paused', 'active', 'paused']);
    expect(campaigns(scene)).toEqual({ paused: 1 });
  });
});

describe('a change of a status', () => {
  const paused = declaring({ campaigns: [campaign({ status: 'paused' })] });
  const startedAgain = {
    kind: 'change_before',
    operation: 'campaigns.get',
    nth: 2,
    edit: { kind: 'campaign', account_id: '101', name: 'Welcome', set: { status: 'active' } },
  } as const;

  // CAMPAIGN-6
  it('that the read after it does not show is not called applied', async () => {
    const { scene } = await startLive();
    Object.assign(scene.files, paused);
    scene.control.addFault(startedAgain);
    expect(summariseResults(await scene.apply())).toEqual(['pause applied']);
    expect(writesSent(scene).slice(1), 'again').toEqual(['campaigns.set-status', 'campaigns.set-status']);
    expect(campaigns(scene)).toEqual({ paused: 1 });
  });

  it('that the read after it does not show holds back the create after it', async () => {
    const { scene } = await startLive();
    Object.assign(scene.files, declaring({ campaigns: [campaign(OTHER_WORDS)] }));
    scene.control.addFault(startedAgain);
    await scene.apply();
    const set = 'campaigns.set-status';
    expect(writesSent(scene)).toEqual(['campaigns.create', set, set, 'campaigns.create']);
  });

  it('of a replace leaves the old version paused while its create may still take effect', async () => {
    const { scene, made } = await startLive();
    Object.assign(scene.files, declaring({ campaigns: [campaign(OTHER_WORDS)] }));
    scene.control.addFault(unanswered('campaigns.create'));
    const [replaced] = await scene.apply(interruptedWhileItWaits());
    const note = { kind: 'old-stays-paused', id: made?.liveId, because: null };
    expect(replaced?.reasons).toContainEqual(note);
    expect(writesSent(scene)).toEqual(['campaigns.create', 'campaigns.set-status', 'campaigns.create']);
  });

  it('that stops is sent although the object cannot be read', async () => {
    const { scene } = await startLive();
    Object.assign(scene.files, paused);
    const operation = 'campaigns.get';
    scene.control.addFault({ kind: 'broken_answer', operation, when: 'before_commit', how: '500' });
    await scene.apply();
    expect(campaigns(scene)).toEqual({ paused: 1 });
  });
});

it('a list that lags behind the create of the last apply is read again', async () => {
  const scene = engineScene(declaring({ campaigns: [campaign()] }));
  scene.control.addFault({ kind: 'lag', operation: 'campaigns.create', lag_sec: 9, nth: 1 });
  await scene.apply();
  expect(summarisePlan(await scene.plan())).toEqual([]);
});
