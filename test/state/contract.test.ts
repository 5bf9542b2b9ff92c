import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import type { Fact, NewRequest } from '../../src/state/shapes.ts';
import { State, type StateLocation } from '../../src/state/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { ACTIVATE, aRun, begun, CREATE, FROM_START, PAUSE } from '../helpers/state-requests.ts';
import { kept, stateLocations } from '../helpers/states.ts';

const LOCATIONS = stateLocations(sharedPostgres());

describe.each(Object.entries(LOCATIONS))('the state in %s', (_, make) => {
  let location: StateLocation;
  beforeEach(async () => {
    location = await make();
  });
  const join = (service = 'live') => kept(State.join(aRun(location, { service: () => service })));
  const take = (waitMs = 0) => kept(State.take(aRun(location), waitMs));

  it('keeps a request open until its end is recorded', async () => {
    const state = await take();
    const { entry } = await begun(state, CREATE);
    expect(await state.open()).toMatchObject([
      { entry, name: 'Welcome', outcome: null, unheard_copy: 0, who: 'ana' },
    ]);
    expect(await state.end(entry, { outcome: 'done', live_id: '77', answer: { id: '77' } })).toBe(true);
    expect(await state.open()).toEqual([]);
    expect(await state.history({ entry, limit: 1 })).toMatchObject([
      { outcome: 'done', live_id: '77', answer: '{"id":"77"}' },
    ]);
  });

  it.each([
    ['the same name', { content: 'digest-2' }],
    ['the same content under another name', { name: 'Hello' }],
  ])('refuses a second start of %s while the first one is open', async (_case, other) => {
    const state = await take();
    const { entry } = await begun(state, CREATE);
    expect(await state.begin({ ...CREATE, ...other }, FROM_START)).toMatchObject({
      kind: 'refused',
      hindrance: { kind: 'open-start', request: { entry } },
    });
    await state.end(entry, { outcome: 'absent' });
    expect(await state.begin({ ...CREATE, ...other }, FROM_START)).toMatchObject({ kind: 'begun' });
  });

  it('takes the two names of a renamed resource for one', async () => {
    const state = await take();
    await begun(state, CREATE);
    const renamed = { ...CREATE, name: 'Hello', content: 'digest-2' };
    expect(await state.begin(renamed, { after_seq: 0, other_name: 'Welcome' })).toMatchObject({
      kind: 'refused',
    });
  });

  it('starts nothing without the lease and without a check', async () => {
    expect(await (await join()).begin(CREATE, FROM_START)).toMatchObject({
      hindrance: { kind: 'lease-lost' },
    });
    await expect((await take()).begin(CREATE, null)).rejects.toThrow('a start is checked');
  });

  it('lets starts of other accounts, other kinds and nameless broadcasts go', async () => {
    const state = await take();
    await begun(state, CREATE);
    await begun(state, { ...CREATE, account_id: '102' });
    const nameless = { ...CREATE, kind: 'broadcast', operation: 'broadcasts.create', name: '' } as const;
    await begun(state, nameless);
    await begun(state, { ...nameless, content: 'digest-2' });
    expect(await state.open()).toHaveLength(4);
  });

  // ERROR-8
  it('counts a start with a copy without an answer as open after its answer, until the window of the copy is over', async () => {
    const state = await take();
    const { entry } = await begun(state, ACTIVATE);
    expect(await state.repeat(entry, { check: FROM_START, unheard_copy: true })).toMatchObject({
      kind: 'begun',
      entry,
    });
    await state.end(entry, { outcome: 'done' });
    expect(await state.open()).toMatchObject([{ entry, unheard_copy: 1, outcome: 'done' }]);
    expect(await state.begin(CREATE, FROM_START)).toMatchObject({ kind: 'refused' });
    await state.learn([{ kind: 'window-over', entry }]);
    expect(await state.begin(CREATE, FROM_START)).toMatchObject({ kind: 'begun' });
  });

  it.each([
    ['its name', { live_id: '99' }],
    ['its object', { name: 'Former name' }],
  ])('refuses a start after a stop by hand of %s that its plan did not know', async (_case, other) => {
    const state = await take();
    const { seq } = await state.known(['101']);
    const byHand = await join();
    const { entry } = await begun(byHand, { ...PAUSE, ...other }, null);
    expect(await state.begin(ACTIVATE, { after_seq: seq, other_name: null })).toMatchObject({
      kind: 'refused',
      hindrance: { kind: 'stopped-by-hand', request: { entry } },
    });
    await byHand.end(entry, { outcome: 'done' });
    const { seq: later } = await state.known(['101']);
    expect(await state.begin(ACTIVATE, { after_seq: later, other_name: null })).toMatchObject({
      kind: 'begun',
    });
  });

  it('lets a stop that the service refused not stand in the way', async () => {
    const state = await take();
    const { entry } = await begun(state, PAUSE, null);
    await state.end(entry, { outcome: 'refused' });
    expect(await state.begin(CREATE, FROM_START)).toMatchObject({ kind: 'begun' });
  });

  it('has one unconfirmed payout for each account', async () => {
    const state = await take();
    const about = { operation: 'payouts.request', kind: 'payout', name: '', content: null } as const;
    const payout: NewRequest = { ...CREATE, ...about };
    const { entry } = await begun(state, payout, null);
    expect(await state.begin(payout, null)).toMatchObject({
      hindrance: { kind: 'open-payout', request: { entry } },
    });
    await begun(state, { ...payout, account_id: '102' }, null);
    await state.end(entry, { outcome: 'done' });
    await begun(state, payout, null);
  });

  it('refuses what a run begins that has lost its lease, and records the end of what it sent', async () => {
    const run = aRun(location);
    const first = await kept(State.take(run, 0));
    const { entry } = await begun(first, CREATE);
    expect(await State.unlock(aRun(location))).toBe(run.holder);
    expect(await first.begin({ ...CREATE, name: 'B', content: 'b' }, FROM_START)).toEqual({
      kind: 'refused',
      hindrance: { kind: 'lease-lost' },
    });
    expect(await first.repeat(entry, { check: FROM_START, unheard_copy: true })).toMatchObject({
      hindrance: { kind: 'lease-lost' },
    });
    for (const forbidden of [
      () => first.endCut(9),
      () => first.prune(0),
      () => first.import({ name: 'x', lines: [] }),
    ])
      await expect(forbidden()).rejects.toMatchObject({ code: 'state-lease-lost' });
    expect(await first.end(entry, { outcome: 'done', live_id: '77' })).toBe(true);
  });

  it('is cut after an unlock, until a run with the lease has waited', async () => {
    await State.take(aRun(location), 0);
    await State.unlock(aRun(location));
    const stop = await join();
    expect((await stop.known(['101'])).isCut).toBe(true);
    await expect(stop.endCut(9)).rejects.toMatchObject({ code: 'state-lease-lost' });
  });

  it('stays cut after a run against a simulator if it has rows of the service', async () => {
    const first = await take();
    const object = { account_id: '101', kind: 'campaign', live_id: '77', name: 'Welcome' } as const;
    await first.learn([{ kind: 'object', object }]);
    await State.unlock(aRun(location));
    await first.close();
    const simulator = await kept(State.take(aRun(location, { service: () => 'world-1' }), 0));
    await simulator.endCut(9);
    expect((await simulator.known([])).isCut).toBe(true);
    await simulator.close();
    const second = await take();
    await second.endCut(9);
    expect((await second.known([])).isCut).toBe(false);
  });

  it('gives the lease to one run at a time, and says who has it', async () => {
    const run = aRun(location);
    const first = await State.take(run, 0);
    await expect(take()).rejects.toMatchObject({ code: 'locked' });
    await expect(take()).rejects.toThrow(run.holder);
    expect(await first.leaseRecord()).toMatchObject({ holder: run.holder });
    const waiting = take(10_000);
    await first.close();
    const second = await waiting;
    expect(await second.begin(CREATE, FROM_START)).toMatchObject({ kind: 'begun' });
    await second.endCut(9);
    expect((await second.known([])).isCut).toBe(false);
    await second.close();
    expect(await (await join()).leaseRecord()).toBeNull();
  });

  it('records a stop by hand, and each copy of it, next to the run that has the lease and has begun a start', async () => {
    const start = await begun(await take(), CREATE);
    const other = await join();
    const stop = await begun(other, PAUSE, null);
    expect((await other.open()).map(({ entry }) => entry)).toEqual([start.entry, stop.entry]);
    const again = await (await join()).repeat(stop.entry, { check: null, unheard_copy: true });
    expect(again).toMatchObject({ kind: 'begun', seq: stop.seq });
  });

  it.each([
    ['no answer yet', async (_state: State, _entry: string) => undefined],
    [
      'an answer, and a copy without one',
      async (state: State, entry: string) => {
        await state.repeat(entry, { check: null, unheard_copy: true });
        await state.end(entry, { outcome: 'done' });
      },
    ],
  ])('lets no start of an object go while a stop of it has %s', async (_case, answer) => {
    const state = await take();
    const { entry } = await begun(state, { ...PAUSE, purpose: 'duplicate', name: 'Former name' }, null);
    await answer(state, entry);
    expect(await state.begin(ACTIVATE, FROM_START)).toMatchObject({
      hindrance: { kind: 'open-stop', request: { entry } },
    });
    await state.end(entry, { outcome: 'done' });
    await state.learn([{ kind: 'window-over', entry }]);
    expect(await state.begin(ACTIVATE, FROM_START)).toMatchObject({ kind: 'begun' });
  });

  it('knows the service only when a row of it is wanted', async () => {
    const unknown = () => {
      throw new Error('no answer yet');
    };
    const state = await kept(State.take(aRun(location, { service: unknown }), 0));
    await expect(state.open()).rejects.toThrow('no answer yet');
    await expect(state.begin(CREATE, FROM_START)).rejects.toThrow('no answer yet');
  });

  it('learns facts of an object without forgetting the others', async () => {
    const state = await take();
    const object = { account_id: '101', kind: 'campaign', live_id: '77', name: 'Welcome' } as const;
    const { entry, seq } = await begun(state, CREATE);
    const facts: Fact[] = [
      { kind: 'object', object: { ...object, ours: 1, declared_digest: 'd', shown: '{}' } },
      { kind: 'status', object, status: 'active', by: 'apply', why: null, seq },
      { kind: 'media', account_id: '101', digest: 'm', media_id: '5' },
      { kind: 'alias', alias: 'alice', account_id: '101' },
    ];
    await state.end(entry, { outcome: 'done', live_id: '77' }, facts);
    const [before] = (await state.known(['101'])).objects;
    await begun(state, PAUSE, null);
    await state.learn([{ kind: 'object', object: { ...object, protect: 1 } }]);
    const known = await state.known(['101', '102']);
    expect(known).toMatchObject({
      objects: [
        {
          ...object,
          first_seq: before?.first_seq,
          ours: 1,
          protect: 1,
          declared_digest: 'd',
          shown: '{}',
          status_set: 'active',
          recalled: 0,
        },
      ],
      media: [{ account_id: '101', digest: 'm', media_id: '5' }],
      aliases: [{ alias: 'alice', account_id: '101' }],
    });
    expect(await state.running()).toMatchObject([object]);
    await state.learn([{ kind: 'status', object, status: 'paused', by: 'hand', why: null, seq: null }]);
    expect(await state.running()).toEqual([]);
  });

  it('does not let the end of an older request change a newer status', async () => {
    const state = await take();
    const object = { account_id: '101', kind: 'campaign', live_id: '12', name: 'Welcome' } as const;
    const start = await begun(state, ACTIVATE);
    const stop = await begun(state, PAUSE, null);
    const status = (value: string, by: 'apply' | 'hand', seq: number) =>
      [{ kind: 'status', object, status: value, by, why: null, seq }] as const;
    await state.end(stop.entry, { outcome: 'done' }, status('paused', 'hand', stop.seq));
    await state.end(start.entry, { outcome: 'done' }, status('active', 'apply', start.seq));
    expect((await state.known(['101'])).objects).toMatchObject([
      { status_set: 'paused', status_by: 'hand', status_seq: stop.seq },
    ]);
  });

  it('keeps a stop as that of a person, also if an apply stops it once more', async () => {
    const state = await take();
    const object = { account_id: '101', kind: 'campaign', live_id: '12', name: 'Welcome' } as const;
    const learn = (status: string, by: 'apply' | 'hand') =>
      state.learn([{ kind: 'status', object, status, by, why: null, seq: null }]);
    for (const [status, by, kept] of [
      ['paused', 'apply', 'apply'],
      ['paused', 'hand', 'hand'],
      ['paused', 'apply', 'hand'],
      ['archived', 'apply', 'apply'],
    ] as const) {
      await learn(status, by);
      expect((await state.known(['101'])).objects).toMatchObject([{ status_set: status, status_by: kept }]);
    }
  });

  it('closes a request and forgets an object with the reason of a person', async () => {
    const state = await take();
    const { entry } = await begun(state, CREATE);
    const object = { account_id: '101', kind: 'campaign', live_id: '77' } as const;
    await state.learn([{ kind: 'object', object: { ...object, name: 'Welcome', ours: 1 } }]);
    const person = await join();
    const close = (because: string) =>
      person.end(entry, { outcome: 'closed', because }, [{ kind: 'window-over', entry }]);
    expect(await close('it is not in the list')).toBe(true);
    expect(await close('again')).toBe(false);
    expect(await person.forget({ ...object, account: 'alice' }, 'deleted by support')).toBe(true);
    expect(await person.forget({ ...object, account: 'alice' }, 'again')).toBe(false);
    expect((await state.known(['101'])).objects).toEqual([]);
    expect(await state.history({ limit: 10 })).toMatchObject([
      {
        operation: 'state.forget',
        name: 'Welcome',
        live_id: '77',
        because: 'deleted by support',
        who: 'ana',
      },
      { entry, outcome: 'closed', because: 'it is not in the list' },
    ]);
    // Who closes it has waited for its window.
    expect(await state.begin(CREATE, FROM_START)).toMatchObject({ kind: 'begun' });
  });

  it('counts the age from the last copy: one of another process, or the last byte of its own', async () => {
    const clock = { ...systemClock, monotonicMs: () => nowMs };
    let nowMs = 0;
    const stop = await join();
    const { entry } = await begun(stop, PAUSE, null);
    const state = await kept(State.take(aRun(location, { clock }), 0));
    const own = await begun(state, { ...CREATE, name: 'Own', content: 'own' });
    const ages = async () => (await state.open()).map(({ known_ms }) => known_ms);
    expect(await ages()).toEqual([0, 0]);
    nowMs = 60_000;
    state.left(own.entry);
    expect(await ages()).toEqual([60_000, 0]);
    await systemClock.sleep(2);
    await stop.repeat(entry, { check: null, unheard_copy: true });
    expect(await ages()).toEqual([0, 0]);
  });

  it('counts the age of a request of another run from when this process first saw it', async () => {
    const clock = { ...systemClock, now: () => systemClock.now() - 3_600_000 };
    const first = await State.take(aRun(location, { clock }), 0);
    await begun(first, CREATE);
    await first.close();
    const second = await take();
    const [seen] = await second.open();
    expect(seen?.known_ms).toBe(0);
    await systemClock.sleep(20);
    const [again] = await second.open();
    expect(again?.known_ms).toBeGreaterThanOrEqual(15);
  });

  it('keeps the rows of each service apart', async () => {
    const state = await take();
    await begun(state, CREATE);
    const simulator = await join('world-1');
    expect(await simulator.open()).toEqual([]);
    expect(await simulator.history({ limit: 10 })).toEqual([]);
  });

  it('prunes requests that have ended, and keeps what is open or known', async () => {
    const state = await take();
    const object = { account_id: '101', kind: 'campaign', live_id: '77', name: 'Welcome' } as const;
    await state.end((await begun(state, CREATE)).entry, { outcome: 'done' }, [
      { kind: 'object', object: { ...object, ours: 1 } },
    ]);
    const { entry } = await begun(state, CREATE);
    expect(await state.prune(Date.now() + 60_000)).toBe(1);
    expect((await state.history({ limit: 10 })).map((one) => one.entry)).toEqual([entry]);
    expect((await state.known(['101'])).objects).toHaveLength(1);
  });
});
