import { describe, expect, it } from 'vitest';
import { aChange, aDeclared, aList, aLive, aProcess, aReceived, aRequest, aTrace, at } from './a-trace.ts';
import { INVARIANTS, judge, type Invariant } from './invariants.ts';
import type { Trace } from '../trace.ts';

const hand = {
  verb: 'pause',
  addresses: ['alice/campaign/Welcome'],
  targets: [aLive()],
  byId: true,
} as const;
const BY_HAND = { does: 'hand', args: ['campaigns', 'pause', '1'], hand } as const;

/** Which invariants a trace breaks. */
const brokenBy = (trace: Trace) => [...new Set(judge(trace).map(({ invariant }) => invariant))];

/** A made-up violation of each invariant, and a trace that differs from it by the one thing that makes it right. */
const CASES: Readonly<Record<Invariant, { readonly wrong: Trace; readonly right: Trace }>> = {
  'G1 one start at a time': { wrong: startedAgainAt(60), right: startedAgainAt(66) },
  'G1 a start waits for stops': { wrong: activatedAfterStop('lost'), right: activatedAfterStop(204) },
  'G2 a repeat only after proof': { wrong: createdAfterListAt(60), right: createdAfterListAt(66) },
  'G3 what was stopped stays stopped': {
    wrong: stoppedThenStarted([]),
    right: stoppedThenStarted(['resume']),
  },
  'G4 nothing right before its hour': {
    wrong: broadcastBefore(290),
    right: broadcastBefore(301),
  },
  'G5 what it says is true': {
    wrong: aTrace({
      processes: [aProcess({ declared: [aDeclared()], live: [aLive({ status: 'paused' })] })],
    }),
    right: aTrace({ processes: [aProcess({ declared: [aDeclared()], live: [aLive()] })] }),
  },
  'G6 only what was agreed': {
    wrong: savedApply('keep'),
    right: savedApply('create'),
  },
  'G7 a stop by hand at once': {
    wrong: stopByHand(11),
    right: stopByHand(9),
  },
  'G8 a command that reads only reads': {
    wrong: aTrace({ processes: [aProcess({ does: 'look', args: ['plan'], stateWrites: 1 })] }),
    right: aTrace({ processes: [aProcess({ does: 'look', args: ['plan'] })] }),
  },
  'words: no stack trace, a next command, a known exit code': {
    wrong: aTrace({ processes: [aProcess({ end: 1, stderr: 'It failed.' })] }),
    right: aTrace({ processes: [aProcess({ end: 1, stderr: 'It failed. Next: herald plan' })] }),
  },
  'the end: quiet, and all live once or blocked by name': {
    wrong: closedWith([]),
    right: closedWith([{ alias: 'alice', kind: 'campaign', name: 'Welcome', action: 'blocked' }]),
  },
  'nothing is sent twice': {
    wrong: aTrace({
      changes: [aChange(0), aChange(1, { id: '2', by: 2 })],
      received: [aReceived('1'), aReceived('2')],
    }),
    right: aTrace({
      changes: [aChange(0), aChange(1, { id: '2', by: 2, change: 'edit' })],
      received: [aReceived('1'), aReceived('2')],
    }),
  },
};

function startedAgainAt(sec: number): Trace {
  return aTrace({
    processes: [aProcess(), aProcess({ number: 1, beganMs: at(20) })],
    requests: [aRequest(1, 0, { heard: 502 }), aRequest(2, sec, { process: 1 })],
  });
}

function activatedAfterStop(heard: 204 | 'lost'): Trace {
  const requests = [
    aRequest(1, 0, { id: '1', wants: 'paused', heard }),
    aRequest(2, 30, { id: '1', wants: 'active', heard: 204 }),
  ];
  return aTrace({ processes: [aProcess()], requests });
}

function createdAfterListAt(sec: number): Trace {
  const requests = [aRequest(1, 0, { heard: 'lost' }), aList(2, sec), aList(3, 90), aRequest(4, 91)];
  return aTrace({ processes: [aProcess()], requests });
}

function stoppedThenStarted(allow: readonly ['resume'] | readonly []): Trace {
  return aTrace({
    processes: [aProcess({ allow })],
    changes: [aChange(-600), aChange(-300, { by: 'person', change: 'status', status: 'paused' })],
    requests: [aRequest(1, -600), aList(2, 0), aRequest(3, 1, { id: '1', wants: 'active', heard: 204 })],
  });
}

function broadcastBefore(sec: number): Trace {
  return aTrace({
    processes: [aProcess()],
    requests: [aRequest(1, 0, { kind: 'broadcast', hourMs: at(sec) })],
  });
}

function savedApply(action: string): Trace {
  const agreed = [{ alias: 'alice', kind: 'campaign', name: 'Welcome', action }];
  return aTrace({
    processes: [aProcess({ does: 'apply saved', agreed, declared: [aDeclared()] })],
    requests: [aRequest(1, 0)],
  });
}

function stopByHand(sec: number): Trace {
  return aTrace({
    processes: [aProcess(BY_HAND)],
    requests: [aRequest(1, sec, { id: '1', wants: 'paused', heard: 204 })],
  });
}

function closedWith(
  blocked: readonly { alias: string; kind: string; name: string; action: string }[],
): Trace {
  return aTrace({
    closing: { declared: [aDeclared()], applies: [aProcess()], live: [], blocked, atMs: at(600) },
  });
}

describe('the judge', () => {
  it.each(Object.entries(CASES))(
    'of "%s" finds a made-up violation, and nothing where it is right',
    (name, one) => {
      expect(brokenBy(one.wrong)).toEqual([name]);
      expect(brokenBy(one.right)).toEqual([]);
    },
  );

  it('finds nothing in a trace without anything', () => {
    expect(judge(aTrace({}))).toEqual([]);
    expect(Object.keys(CASES)).toEqual(Object.keys(INVARIANTS));
  });

  it('takes two objects of one name that Herald started for one too many', () => {
    const changes = [aChange(0), aChange(10, { id: '2', by: 2, text: 'Hey again' })];
    expect(brokenBy(aTrace({ changes }))).toEqual(['nothing is sent twice']);
  });

  it('hears a start that an older plan sends after a stop by hand', () => {
    const trace = aTrace({
      processes: [aProcess(), aProcess({ number: 1, ...BY_HAND, beganMs: at(20), endedMs: at(21) })],
      changes: [
        aChange(0),
        aChange(20, { by: 2, change: 'status', status: 'paused' }),
        aChange(40, { by: 3, id: '2' }),
      ],
      requests: [
        aRequest(1, 0),
        aRequest(2, 20, { process: 1, id: '1', wants: 'paused', heard: 204 }),
        aRequest(3, 40),
      ],
    });
    expect(brokenBy(trace)).toContain('G7 a stop by hand at once');
  });

  it('says that a recall is not undone, whatever is allowed', () => {
    const trace = aTrace({
      processes: [aProcess({ allow: ['resume', 'adopt'] })],
      changes: [aChange(-600), aChange(-300, { by: 'person', change: 'edit', status: 'recalled' })],
      requests: [aRequest(1, -600), aList(2, 0), aRequest(3, 1)],
    });
    expect(brokenBy(trace)).toEqual(['G3 what was stopped stays stopped']);
  });

  it('finds that a stop which was answered is called not attempted', () => {
    const saying = (outcome: string) => {
      const address = { account: 'alice', kind: 'campaign', name: 'Welcome' };
      const outcomes = [{ address, action: 'pause', outcome, live_id: '1', message: 'herald plan' }];
      return aTrace({
        processes: [
          aProcess({ end: 130, stdout: JSON.stringify({ outcomes }), live: [aLive({ status: 'paused' })] }),
        ],
        requests: [aRequest(1, 0, { id: '1', wants: 'paused', heard: 204 })],
      });
    };
    expect(brokenBy(saying('applied'))).toEqual([]);
    expect(brokenBy(saying('not_attempted'))).toEqual(['G5 what it says is true']);
  });
});
