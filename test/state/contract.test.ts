import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockHeldError } from '../../src/domain/lease.ts';
import { systemClock } from '../../src/host/clock.ts';
import type { Fact, NewRequest, StartCheck } from '../../src/state/shapes.ts';
import { State, type StateLocation, type StateOptions } from '../../src/state/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';

const server = sharedPostgres();

const LOCATIONS = {
  sqlite: async () => {
    const directory = mkdtempSync(join(tmpdir(), 'herald-state-'));
    return {
      location: { kind: 'sqlite', directory } as const,
      remove: () => rmSync(directory, { recursive: true, force: true }),
    };
  },
  postgres: async () => {
    const url = await server.newDatabase();
    const location = { kind: 'postgres', url, workspace: 'agency-eu', leaseSec: 3, retrySec: 5 } as const;
    await State.setUp({ location, clock: systemClock });
    return { location, remove: () => undefined };
  },
} satisfies Record<string, () => Promise<{ location: StateLocation; remove: () => void }>>;

const CREATE: NewRequest = {
  operation: 'campaigns.create',
  command: 'apply',
  account: 'alice',
  account_id: '101',
  kind: 'campaign',
  name: 'Welcome',
  live_id: null,
  target: null,
  purpose: 'declared',
  content: 'digest-1',
  asked: { wanted: { name: 'Welcome' } },
};
const PAUSE: NewRequest = {
  ...CREATE,
  operation: 'campaigns.setStatus',
  command: 'campaigns pause',
  live_id: '12',
  target: 'paused',
  purpose: 'by_hand',
};
const FROM_START: StartCheck = { after_seq: 0, other_name: null };

describe.each(Object.entries(LOCATIONS))('the state in %s', (_, make) => {
  let location: StateLocation;
  let remove: () => void;
  let runs = 0;
  const opened: State[] = [];
  const nextRun = (service = 'live'): StateOptions => {
    runs += 1;
    return {
      location,
      clock: systemClock,
      run: `run-${runs}`,
      who: 'ana',
      holder: `ana, process ${runs}`,
      service: () => service,
    };
  };
  const kept = async (opening: Promise<State>) => {
    const state = await opening;
    opened.push(state);
    return state;
  };
  const join = (service?: string) => kept(State.join(nextRun(service)));
  const take = (waitMs = 0) => kept(State.take(nextRun(), waitMs));
  const begun = async (state: State, request: NewRequest, check: StartCheck | null = FROM_START) => {
    const answer = await state.begin(request, check);
    if (answer.kind !== 'begun') throw new Error(`refused: ${answer.hindrance.kind}`);
    return answer;
  };

  beforeEach(async () => {
    ({ location, remove } = await make());
  });
  afterEach(async () => {
    for (const state of opened.splice(0)) await state.close();
    remove();
  });

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

  it('refuses a second start by its index even where nothing was checked', async () => {
    const state = await take();
    await begun(state, CREATE, null);
    expect(await state.begin(CREATE, null)).toMatchObject({
      kind: 'refused',
      hindrance: { kind: 'open-start' },
    });
  });

  it('lets starts of other accounts, other kinds and nameless broadcasts go', async () => {
    const state = await take();
    await begun(state, CREATE);
    await begun(state, { ...CREATE, account_id: '102' });
    await begun(state, { ...CREATE, kind: 'broadcast', operation: 'broadcasts.create', name: '' });
    await begun(state, {
      ...CREATE,
      kind: 'broadcast',
      operation: 'broadcasts.create',
      name: '',
      content: 'digest-2',
    });
    expect(await state.open()).toHaveLength(4);
  });

  it('counts a start with a copy without an answer as open after its answer, until the window of the copy is over', async () => {
    const state = await take();
    const activate = { ...CREATE, operation: 'campaigns.setStatus', live_id: '12', target: 'active' };
    const { entry } = await begun(state, activate);
    const [row] = await state.open();
    if (row === undefined) throw new Error('it is open');
    expect(await state.repeat(row, { check: FROM_START, unheard_copy: true })).toMatchObject({
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
    const start = { ...CREATE, operation: 'campaigns.setStatus', target: 'active', live_id: '12' };
    expect(await state.begin(start, { after_seq: seq, other_name: null })).toMatchObject({
      kind: 'refused',
      hindrance: { kind: 'stopped-by-hand', request: { entry } },
    });
    const { seq: later } = await state.known(['101']);
    expect(await state.begin(start, { after_seq: later, other_name: null })).toMatchObject({ kind: 'begun' });
    expect(await state.stopsSince(seq)).toMatchObject([{ entry }]);
  });

  it('lets a stop that the service refused not stand in the way', async () => {
    const state = await take();
    const { entry } = await begun(state, PAUSE, null);
    await state.end(entry, { outcome: 'refused' });
    expect(await state.begin(CREATE, FROM_START)).toMatchObject({ kind: 'begun' });
  });

  it('has one unconfirmed payout for each account', async () => {
    const state = await take();
    const payout: NewRequest = {
      ...CREATE,
      operation: 'payouts.request',
      kind: 'payout',
      name: '',
      content: null,
    };
    const { entry } = await begun(state, payout, null);
    expect(await state.begin(payout, null)).toMatchObject({
      hindrance: { kind: 'open-payout', request: { entry } },
    });
    await begun(state, { ...payout, account_id: '102' }, null);
    await state.end(entry, { outcome: 'done' });
    await begun(state, payout, null);
  });

  it('refuses what a run begins that has lost its lease, and records the end of what it sent', async () => {
    const first = await take();
    const { entry } = await begun(first, CREATE);
    expect(await State.unlock(nextRun())).toBe('ana, process ' + String(runs - 1));
    const other = await join();
    expect(await first.begin({ ...CREATE, name: 'B', content: 'b' }, FROM_START)).toEqual({
      kind: 'refused',
      hindrance: { kind: 'lease-lost' },
    });
    expect(await first.end(entry, { outcome: 'done', live_id: '77' })).toBe(true);
    expect((await other.known(['101'])).isCut).toBe(true);
    await other.endCut();
    expect((await other.known(['101'])).isCut).toBe(false);
  });

  it('gives the lease to one run at a time, and says who has it', async () => {
    const first = await State.take(nextRun(), 0);
    const holder = `ana, process ${runs}`;
    await expect(take()).rejects.toThrow(LockHeldError);
    await expect(take()).rejects.toMatchObject({ holder });
    const waiting = take(10_000);
    await first.close();
    const second = await waiting;
    expect(await second.begin(CREATE, FROM_START)).toMatchObject({ kind: 'begun' });
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
    await state.learn([{ kind: 'object', object: { ...object, protect: 1 } }]);
    const known = await state.known(['101', '102']);
    expect(known).toMatchObject({
      objects: [
        {
          ...object,
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
    await state.learn([{ kind: 'forgotten', object }]);
    expect((await state.known(['101'])).objects).toEqual([]);
  });

  it('does not let the end of an older request change a newer status', async () => {
    const state = await take();
    const object = { account_id: '101', kind: 'campaign', live_id: '12', name: 'Welcome' } as const;
    const activate = { ...CREATE, operation: 'campaigns.setStatus', live_id: '12', target: 'active' };
    const start = await begun(state, activate);
    const stop = await begun(state, PAUSE, null);
    const status = (value: string, by: 'apply' | 'hand', seq: number) =>
      [{ kind: 'status', object, status: value, by, why: null, seq }] as const;
    await state.end(stop.entry, { outcome: 'done' }, status('paused', 'hand', stop.seq));
    await state.end(start.entry, { outcome: 'done' }, status('active', 'apply', start.seq));
    expect((await state.known(['101'])).objects).toMatchObject([
      { status_set: 'paused', status_by: 'hand', status_seq: stop.seq },
    ]);
  });

  it('ends a request once', async () => {
    const state = await take();
    const { entry } = await begun(state, CREATE);
    expect(await state.end(entry, { outcome: 'closed', because: 'not there' })).toBe(true);
    expect(await state.end(entry, { outcome: 'done' })).toBe(false);
    expect(await state.history({ entry, limit: 1 })).toMatchObject([
      { outcome: 'closed', because: 'not there' },
    ]);
  });

  it('counts the age of a request of another run from when this process first saw it', async () => {
    const first = await State.take(nextRun(), 0);
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

  it('pages through the history of a name, newest first', async () => {
    const state = await take();
    for (let index = 0; index < 5; index += 1)
      await state.end((await begun(state, CREATE)).entry, { outcome: 'absent' });
    await begun(state, { ...CREATE, name: 'Other', content: 'other' });
    const address = { account_id: '101', kind: 'campaign', name: 'Welcome' } as const;
    const first = await state.history({ address, limit: 3 });
    expect(first.map(({ seq }) => seq)).toEqual([5, 4, 3]);
    const rest = await state.history({ address, limit: 3, before_seq: 3 });
    expect(rest.map(({ seq }) => seq)).toEqual([2, 1]);
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
