import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { applied, dieBefore, messages, outcomes, planned } from '../helpers/flows.ts';
import { NOON } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const isLost = (line: string) => line.includes('"outcome":"unknown"');
const CAMPAIGN = declaring({ campaigns: [campaign()] });
/** Three hours after noon. */
const BROADCAST = declaring({ broadcasts: [broadcast()] });

/** A service with an nth answer, from 1, that has a `Date` that is off by so much; and a machine that is ahead. */
function answering(
  offMs: (nth: number) => number,
  { files, machineMs = 0 }: { files: Readonly<Record<string, string>>; machineMs?: number },
) {
  const flow = flowClock(NOON);
  let answers = 0;
  let aheadMs = 0;
  const made = altered(
    async (_, answer) => {
      const response = await answer();
      const headers = new Headers(response.headers);
      const dateMs = Date.parse(headers.get('date') ?? '') + offMs((answers += 1));
      headers.set('date', new Date(dateMs).toUTCString());
      return new Response(response.body, { status: response.status, headers });
    },
    { files, clock: { ...flow, now: () => flow.now() + aheadMs } },
  );
  const setMachine = (ms: number) => {
    aheadMs += ms;
    // The simulator counts from the machine's clock.
    made.simulator.world.clockOffsetMs -= ms;
  };
  setMachine(machineMs);
  const creates = () =>
    made.simulator.control
      .oracle()
      .requests.filter(({ operation }) => operation?.endsWith('.create') === true);
  /** Goes on counting answers from 1. */
  const fromHereOn = () => void (answers = 0);
  return { ...made, creates, fromHereOn, setMachine, elapsedMs: () => flow.monotonicMs() };
}

const late = {
  kind: 'late_commit',
  operation: 'campaigns.create',
  after_sec: 60,
  how: 'reset',
  nth: 1,
} as const;
const OFFS = [-24 * HOUR, -HOUR, -90_000, 90_000, HOUR, 24 * HOUR];
const NTHS = [1, 2, 3, 4, 5];
const ODD = OFFS.flatMap((off) => NTHS.map((nth) => ({ off, nth })));

describe.each(ODD)('answer $nth is off by $off ms', ({ off, nth }) => {
  const odd = (answer: number) => (answer === nth ? off : 0);

  it('a create with a lost answer is not repeated before its window is over', async () => {
    const { scene, simulator, creates, elapsedMs } = answering(odd, { files: CAMPAIGN });
    simulator.control.addFault(late);
    const run = await applied(scene);
    expect([run.code, outcomes(run), creates().length]).toEqual([0, ['create adopted'], 1]);
    expect(elapsedMs()).toBeLessThan(80_000);
  });

  it.each([0, HOUR, -HOUR])('nor by the next run, on a machine that is ahead by %i ms', async (machineMs) => {
    const machine = answering((answer) => odd(answer), { files: CAMPAIGN, machineMs });
    const { scene, simulator, creates, fromHereOn, elapsedMs } = machine;
    simulator.control.addFault(late);
    await dieBefore(scene, isLost);
    fromHereOn();
    const beganMs = elapsedMs();
    const run = await applied(scene);
    expect([run.code, outcomes(run), creates().length]).toEqual([0, ['keep adopted'], 1]);
    expect(elapsedMs() - beganMs, 'nor waits for longer than the window').toBeLessThan(80_000);
  });

  it('a broadcast that is due in time is created', async () => {
    const { scene, creates } = answering(odd, { files: BROADCAST });
    expect((await planned(scene)).plan.changes[0]?.action).toBe('create');
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    expect(creates()).toHaveLength(1);
  });

  it('a broadcast of the past is not', async () => {
    const { scene, creates } = answering(odd, { files: BROADCAST });
    scene.clock.move(3 * HOUR + MINUTE);
    await applied(scene);
    expect(creates()).toEqual([]);
  });
});

describe('a run that wrote down a wrong time of the service', () => {
  it.each(OFFS)('misleads no other: all its answers were off by %i ms', async (off) => {
    const flags = { isOff: true };
    const { scene, simulator, creates } = answering(() => (flags.isOff ? off : 0), { files: CAMPAIGN });
    simulator.control.addFault(late);
    await dieBefore(scene, isLost);
    flags.isOff = false;
    const run = await applied(scene);
    expect([run.code, outcomes(run), creates().length]).toEqual([0, ['keep adopted'], 1]);
  });
});

describe('a machine with a clock that is set between two runs', () => {
  const SETS = OFFS.flatMap((off) => [1, 2].map((count) => ({ off, count })));

  it.each(SETS)('by $off ms, as much as the next $count answers are off', async ({ off, count }) => {
    const flags = { isOff: false };
    const odd = (nth: number) => (flags.isOff && nth <= count ? off : 0);
    const machine = answering(odd, { files: CAMPAIGN });
    const { scene, simulator, creates, fromHereOn, setMachine, elapsedMs } = machine;
    simulator.control.addFault(late);
    await dieBefore(scene, isLost);
    fromHereOn();
    flags.isOff = true;
    setMachine(off);
    const beganMs = elapsedMs();
    const run = await applied(scene);
    expect([run.code, outcomes(run), creates().length]).toEqual([0, ['keep adopted'], 1]);
    expect(elapsedMs() - beganMs, 'nor waits for longer than the window').toBeLessThan(80_000);
  });
});

describe('two servers, of which one is ahead', () => {
  const everySecond = (ms: number) => (nth: number) => (nth % 2 === 0 ? ms : 0);

  it.each(OFFS)('by %i ms: the window of a lost create is waited out', async (off) => {
    const { scene, simulator, creates } = answering(everySecond(off), { files: CAMPAIGN });
    simulator.control.addFault(late);
    const run = await applied(scene);
    expect([run.code, outcomes(run), creates().length]).toEqual([0, ['create adopted'], 1]);
  });

  it('by an hour: what is past for it is not created', async () => {
    const { scene, creates } = answering(everySecond(HOUR), { files: BROADCAST });
    scene.clock.move(2.5 * HOUR);
    const run = await applied(scene);
    expect([run.code, outcomes(run), creates()]).toEqual([1, ['create failed'], []]);
    expect(messages(run)).toContain('the service sends a past schedule immediately');
  });

  it('by an hour: a plan that hears of both says so', async () => {
    const files = declaring({ campaigns: [campaign()], broadcasts: [broadcast()] }, ['alice', 'bob']);
    const { scene } = answering(everySecond(HOUR), { files });
    const { plan } = await planned(scene);
    expect(plan.diagnostics.find(({ code }) => code === 'clocks-apart')?.message).toContain('3600 s apart');
  });
});
