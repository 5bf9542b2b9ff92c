import { expect, it } from 'vitest';
import { liveOf } from '../live.ts';
import type { Chaos, Process, SentWrite } from '../state.ts';
import type { Write } from '../writes.ts';
import { aChaos, aProcess, noteWrite, request } from './a-chaos.ts';
import { afterwards } from './afterwards.ts';
import { factsAt, stoppedBy } from './facts.ts';
import { sentTwice } from './final.ts';
import { againstHandStop } from './hand-stops.ts';
import { hearThrottle, judgeQuiet } from './quiet.ts';

const CAMPAIGNS = 'auto-message-campaigns';
const RECALL = { kind: 'by hand', slot: 'Welcome', verb: 'recall' } as const;
const STOP = { kind: 'by hand', slot: 'Welcome', verb: 'pause' } as const;
const DONE = { code: 0, stdout: '', stderr: '' };

/** A recall that the service carries out half a minute after its command has ended with exit 0. */
async function lateRecall(): Promise<{ chaos: Chaos; process: Process; id: string }> {
  const chaos = aChaos();
  const { id } = chaos.simulator.control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'x' }] });
  chaos.simulator.control.addFault({
    kind: 'late_commit',
    how: 'reset',
    after_sec: 30,
    operation: 'campaigns.unsend',
  });
  const process = aProcess(chaos, RECALL);
  const number = await request(chaos, process, 'POST', `${CAMPAIGNS}/${id}/unsend`);
  noteWrite(
    chaos,
    process,
    { kind: 'status', accountId: '101', of: 'campaign', id, status: 'unsend' },
    number,
    'unconfirmed',
  );
  return { chaos, process, id };
}

it('a recall that is carried out after exit 0 is a false report', async () => {
  const { chaos, process } = await lateRecall();
  const found = afterwards(chaos, { process, ran: DONE, report: null, interrupted: false });
  expect(found).toEqual(['exit 0, and 30 s later its request 1 (status) is carried out']);
});

it('a late recall of what someone has recalled meanwhile changes nothing, and may be called done', async () => {
  const { chaos, process, id } = await lateRecall();
  chaos.simulator.control.editCampaign('101', id, { status: 'recalled' });
  expect(afterwards(chaos, { process, ran: DONE, report: null, interrupted: false })).toEqual([]);
});

/** A run, and a stop by hand ten seconds after its begin; then the run reads so many lists and creates. */
async function createAfterStop(lists: number): Promise<readonly string[]> {
  const chaos = aChaos();
  const { control } = chaos.simulator;
  const { id } = control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'x' }] });
  const run = aProcess(chaos);
  chaos.clock.move(10_000);
  const status = { kind: 'status', accountId: '101', of: 'campaign', id, status: 'paused' } as const;
  noteWrite(chaos, aProcess(chaos, STOP), status, 99, 'done');
  chaos.clock.move(5_000);
  for (let list = 0; list < lists; list += 1) await request(chaos, run, 'GET', CAMPAIGNS);
  return againstHandStop(factsAt(chaos, creates(chaos, run), liveOf(chaos.simulator)));
}

function creates(chaos: Chaos, process: Process): SentWrite {
  const content = { text: 'y', sha256: null };
  const write: Write = { kind: 'create', accountId: '101', of: 'campaign', name: 'Welcome', content };
  return noteWrite(chaos, process, write, 100);
}

it('a create of what a person has stopped by hand since the plan is a forbidden write', async () => {
  const words = ['a create of 101/campaign/Welcome, which a person stopped by hand 5 s before'];
  expect(await createAfterStop(0)).toEqual(words);
  // Every create reads the list once more: that alone is not a new plan.
  expect(await createAfterStop(1)).toEqual(words);
});

it('a create by a plan that was made after the stop by hand is allowed', async () => {
  expect(await createAfterStop(2)).toEqual([]);
});

it('a request within a second after a 429 is a forbidden write, for all accounts of its endpoint', async () => {
  const chaos = aChaos();
  chaos.simulator.control.addFault({ kind: 'throttle', operation: 'campaigns.list', nth: 1, times: 1 });
  const process = aProcess(chaos);
  const number = await request(chaos, process, 'GET', CAMPAIGNS);
  hearThrottle(process, chaos.simulator.world, number);
  const path = (account: string) => `/api/v0/accounts/${account}/${CAMPAIGNS}`;
  judgeQuiet(chaos, process, 'GET', path('102'));
  expect(chaos.violations, 'another one that leaves at that very moment').toEqual([]);
  chaos.clock.move(400);
  judgeQuiet(chaos, process, 'GET', path('102'));
  expect(chaos.violations).toEqual([
    { kind: 'forbidden write', words: `GET ${path('102')} came 600 ms too early after a 429` },
  ]);
  chaos.clock.move(600);
  judgeQuiet(chaos, process, 'GET', path('101'));
  expect(chaos.violations).toHaveLength(1);
});

it('the request that was answered 429 does not leave again at the same moment', async () => {
  const chaos = aChaos();
  chaos.simulator.control.addFault({ kind: 'throttle', operation: 'campaigns.list', nth: 1, times: 1 });
  const process = aProcess(chaos);
  hearThrottle(process, chaos.simulator.world, await request(chaos, process, 'GET', CAMPAIGNS));
  const path = `/api/v0/accounts/101/${CAMPAIGNS}`;
  judgeQuiet(chaos, process, 'GET', path);
  expect(chaos.violations).toEqual([
    { kind: 'forbidden write', words: `GET ${path} came 1000 ms too early after a 429` },
  ]);
});

/** An apply stops a campaign. Next to a later run, a person switches it on, perhaps, and stops it; the run then starts it. */
async function stoppedAsTold(parts: { readonly byApply: boolean; readonly restarts: boolean }) {
  const chaos = aChaos();
  const { control } = chaos.simulator;
  const { id } = control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'x' }] });
  if (parts.byApply)
    await request(chaos, aProcess(chaos), 'PATCH', `${CAMPAIGNS}/${id}/status`, { status: 'paused' });
  chaos.clock.move(60_000);
  const run = aProcess(chaos);
  chaos.clock.move(1_000);
  if (parts.restarts) control.editCampaign('101', id, { status: 'active' });
  control.editCampaign('101', id, { status: 'paused' });
  chaos.clock.move(20_000);
  const start = { kind: 'status', accountId: '101', of: 'campaign', id, status: 'active' } as const;
  const sent = noteWrite(chaos, run, start, 99, 'done');
  const live = liveOf(chaos.simulator);
  const [object] = live;
  return object === undefined ? null : stoppedBy(factsAt(chaos, sent, live), object);
}

/** A start without an answer is carried out; then, perhaps after a look, another operator stops the campaign. */
async function stoppedUnseen({ looks }: { readonly looks: boolean }) {
  const chaos = aChaos();
  const { control } = chaos.simulator;
  const { id } = control.seedCampaign('101', {
    name: 'Welcome',
    messages: [{ text: 'x' }],
    status: 'paused',
  });
  const status = `${CAMPAIGNS}/${id}/status`;
  const start = { kind: 'status', accountId: '101', of: 'campaign', id, status: 'active' } as const;
  const first = aProcess(chaos);
  const number = await request(chaos, first, 'PATCH', status, { status: 'active' });
  noteWrite(chaos, first, start, number, 'unconfirmed');
  chaos.clock.move(5_000);
  if (looks) await request(chaos, first, 'GET', CAMPAIGNS);
  chaos.clock.move(5_000);
  const other = { ...aProcess(chaos, STOP), actor: { ...chaos.actor, name: 'bo' } };
  chaos.processes.splice(-1, 1, other);
  await request(chaos, other, 'PATCH', status, { status: 'paused' });
  chaos.clock.move(60_000);
  const sent = noteWrite(chaos, aProcess(chaos), start, 99, 'done');
  const live = liveOf(chaos.simulator);
  const [object] = live;
  return object === undefined ? null : stoppedBy(factsAt(chaos, sent, live), object);
}

it('a stop by another operator before any look shows only that the start did not succeed', async () => {
  expect(await stoppedUnseen({ looks: false })).toBeNull();
  expect(await stoppedUnseen({ looks: true })).toBe('by hand');
});

it('a second follow that is carried out late changes nothing', async () => {
  const chaos = aChaos();
  const process = aProcess(chaos);
  const follow = { kind: 'follow', accountId: '101', fan: '101001' } as const;
  const fault = { kind: 'late_commit', how: 'reset', after_sec: 30, operation: 'fans.follow' } as const;
  const late = async () => {
    const number = await request(chaos, process, 'POST', 'fans/101001/subscribe');
    noteWrite(chaos, process, follow, number, 'unconfirmed');
    return afterwards(chaos, { process, ran: DONE, report: null, interrupted: false });
  };
  chaos.simulator.control.addFault({ ...fault, nth: 2 });
  expect(await late()).toEqual([]);
  expect(await late()).toEqual([]);
  const another = aChaos();
  another.simulator.control.addFault(fault);
  const run = aProcess(another);
  noteWrite(
    another,
    run,
    follow,
    await request(another, run, 'POST', 'fans/101001/subscribe'),
    'unconfirmed',
  );
  expect(afterwards(another, { process: run, ran: DONE, report: null, interrupted: false })).toEqual([
    'exit 0, and 30 s later its request 1 (follow) is carried out',
  ]);
});

it('of a broadcast that had begun to go out twice, the rest is not counted again', () => {
  const chaos = aChaos();
  const { control } = chaos.simulator;
  const [first, second] = [1, 2].map(
    () => control.seedBroadcast('101', { name: 'Teaser', messages: [{ text: 'x' }] }).id,
  );
  const sent = (id: string | undefined, fan: string, at: string) => ({
    at: `2026-06-01T${at}.000Z`,
    account_id: '101',
    kind: 'broadcast' as const,
    id: id ?? '',
    fan_id: fan,
    content: 'c',
    text: 'x',
    taken_back: false,
  });
  const final = { declared: [], endedAt: '2026-06-01T13:01:00.000Z' };
  const twice = (dispatches: readonly ReturnType<typeof sent>[]) =>
    sentTwice(chaos, { ...control.oracle(), dispatches }, final);
  chaos.people.overlapping.add('Teaser');
  const rest = [sent(first, '2', '13:02:00'), sent(second, '2', '13:02:00')];
  expect(twice([sent(first, '1', '13:00:05'), sent(second, '1', '13:00:05'), ...rest])).toEqual([]);
  expect(twice(rest)).toEqual(['sent twice: 101/broadcast/Teaser 2']);
});

it('a stop that looks like the one before it cannot be told from that', async () => {
  expect(await stoppedAsTold({ byApply: true, restarts: true })).toBeNull();
  expect(await stoppedAsTold({ byApply: false, restarts: true })).toBe('outside');
  expect(await stoppedAsTold({ byApply: false, restarts: false })).toBe('outside');
});
