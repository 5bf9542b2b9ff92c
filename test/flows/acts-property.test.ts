import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/catalogue.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import { altered } from '../helpers/altered.ts';
import { CHAT, SEND } from './chats.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { dieBefore } from '../helpers/flows.ts';
import { fc, runs } from '../helpers/properties.ts';

interface ActCase {
  readonly title: string;
  readonly args: readonly string[];
  readonly write: Operation;
  readonly reads: readonly Operation[];
  /** How often it was really carried out. */
  readonly times: (simulator: Simulator) => number;
}

const alice = <Value>(of: Readonly<Record<string, Value>>): Value | undefined => of['101'];

const ACTS: readonly ActCase[] = [
  {
    title: 'a payout is made',
    args: ['payouts', 'request', '--account', 'alice', '--amount', '100.10', '--yes'],
    write: 'payouts.request',
    reads: ['payouts.list', 'payouts.balances'],
    times: ({ control }) => alice(control.oracle().payouts)?.committed.length ?? 0,
  },
  {
    title: 'a message is queued',
    args: [...SEND, '--text', 'A word', '--yes'],
    write: 'chat.send',
    reads: ['chat.messages'],
    times: ({ control }) => alice(control.oracle().chats)?.sends[CHAT]?.length ?? 0,
  },
  {
    title: 'a fan is followed',
    args: ['fans', 'follow', '101001', '--account', 'alice', '--yes'],
    write: 'fans.follow',
    reads: [],
    times: ({ control }) => alice(control.oracle().chats)?.follows.length ?? 0,
  },
];

const broken = fc.constantFrom('timeout', 'reset', '500', '502', 'truncated', 'unreadable');
const nth = fc.integer({ min: 1, max: 3 });
const faultOf = ({ write, reads }: ActCase): fc.Arbitrary<FaultInput> => {
  const any = fc.constantFrom(write, write, ...reads);
  const when = fc.constantFrom('before_commit', 'after_commit');
  // All of it has to fit into the five minutes after which the same words are new ones.
  const few = fc.integer({ min: 1, max: 3 });
  const late = fc.integer({ min: 0, max: 65 });
  const kind = <Kind extends string>(name: Kind) => fc.constant(name);
  return fc.oneof(
    fc.record({ kind: kind('broken_answer'), operation: kind(write), how: broken, when, nth }),
    fc.record({ kind: kind('broken_answer'), operation: any, how: kind('reset'), when, nth, times: few }),
    fc.record({ kind: kind('late_commit'), operation: kind(write), after_sec: late, how: broken, nth }),
    fc.record({ kind: kind('throttle'), operation: any, nth, times: few }),
    // Such a request never arrives.
    fc.record({
      kind: kind('broken_answer'),
      operation: any,
      how: kind('connect ECONNREFUSED'),
      when: kind('before_commit'),
      nth,
      times: few,
    }),
  );
};

/** How a run ends, and by how much this machine's clock is set in the middle of it. */
interface Troubles {
  readonly end: 'by itself' | 'killed' | 'interrupted';
  readonly afterWrites: number;
  readonly jumpSec: number;
}

const aRun: fc.Arbitrary<Troubles> = fc.record({
  end: fc.constantFrom<Troubles['end'][]>('by itself', 'by itself', 'killed', 'interrupted'),
  afterWrites: fc.integer({ min: 1, max: 4 }),
  jumpSec: fc.constantFrom(0, 0, 3600, -3600, 90),
});

describe.each(ACTS)(
  'whatever is lost, killed and set, $title once at most, and no failure is claimed',
  (act) => {
    it('and a run without trouble at the end has it done or says why not', { timeout: 120_000 }, async () => {
      const faults = fc.array(faultOf(act), { minLength: 1, maxLength: 3 });
      const asked = fc.array(aRun, { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(faults, asked, fc.boolean(), async (all, drawn, tellsTime) => {
          const world = aTroubledWorld(tellsTime);
          for (const fault of all) world.simulator.control.addFault(fault);
          for (const one of drawn) {
            const before = act.times(world.simulator);
            const code = await world.run(act.args, one);
            world.flow.move(66_000);
            const after = act.times(world.simulator);
            expect(after).toBeLessThanOrEqual(1);
            if (code === 1 || code === 130) expect(after, 'it failed, and was carried out').toBe(before);
          }
          world.simulator.control.clearFaults();
          const ran = await world.scene.herald(...act.args);
          expect([0, 3, 5], ran.stderr).toContain(ran.code);
          world.flow.move(66_000);
          if (ran.code === 0) expect(act.times(world.simulator)).toBe(1);
        }),
        runs(7),
      );
    });
  },
);

/** An answer of a service that does not tell its time. */
function withoutDate({ body, headers: all, status }: Response): Response {
  const headers = new Headers(all);
  headers.delete('date');
  return new Response(body, { status, headers });
}

/** A service that may not tell its time, and a machine with a clock that is set while it works. */
function aTroubledWorld(tellsTime: boolean) {
  const flow = flowClock();
  let aheadMs = 0;
  const { scene, simulator } = altered(
    async (_, answer) => (tellsTime ? answer() : withoutDate(await answer())),
    { clock: { ...flow, now: () => flow.now() + aheadMs } },
  );
  const run = async (
    args: readonly string[],
    { end, afterWrites, jumpSec }: Troubles,
  ): Promise<number | null> => {
    let writes = 0;
    if (end === 'killed') {
      await dieBefore(scene, () => (writes += 1) >= afterWrites, args);
      return null;
    }
    const running = scene.startAs(
      {
        onRecord: () => {
          writes += 1;
          if (writes !== afterWrites) return 'done';
          // Without the time of the service, only this clock tells how old a message is.
          if (tellsTime) {
            simulator.world.clockOffsetMs -= jumpSec * 1000;
            aheadMs += jumpSec * 1000;
          }
          if (end === 'interrupted') running.interrupt();
          return 'done';
        },
      },
      ...args,
    );
    return (await running.ran).code;
  };
  return { scene, simulator, flow, run };
}
