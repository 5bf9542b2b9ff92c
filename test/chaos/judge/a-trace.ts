import type { Declared } from '../declared.ts';
import type { Changed, Live, Process, Received, Sent, Trace } from '../trace.ts';
import { NOON } from '../../helpers/flow-clock.ts';

const SECOND = 1000;
/** A time of a hand-made trace, in seconds after noon. */
export const at = (sec: number) => NOON + sec * SECOND;

const NOTHING: Trace = {
  processes: [],
  requests: [],
  changes: [],
  received: [],
  notes: [],
  closing: null,
};

/** A trace of these parts. The numbers of processes and requests are their places. */
export function aTrace(parts: Partial<Trace>): Trace {
  return { ...NOTHING, ...parts };
}

/** An apply from noon to five minutes past. */
export function aProcess(more: Partial<Process> = {}): Process {
  return {
    number: 0,
    operator: 0,
    args: ['apply', '--yes'],
    does: 'apply',
    allow: [],
    hand: null,
    agreed: null,
    targeted: false,
    declared: [],
    beganMs: at(0),
    beganAfter: 0,
    endedMs: at(300),
    endedAfter: 0,
    end: 0,
    stdout: '',
    stderr: '',
    stateWrites: 0,
    stateFailures: 0,
    cut: null,
    live: [],
    ...more,
  };
}

/** A create of the campaign Welcome that was answered at once. */
export function aRequest(number: number, sec: number, more: Partial<Sent> = {}): Sent {
  return {
    number,
    process: 0,
    atMs: at(sec),
    machineOffMs: 0,
    serviceOffMs: 0,
    operation: 'POST campaign',
    alias: 'alice',
    kind: 'campaign',
    id: null,
    name: 'Welcome',
    text: 'Hey',
    hourMs: null,
    wants: 'created',
    wholeList: false,
    heard: 201,
    heardMs: at(sec),
    ...more,
  };
}

export function aList(number: number, sec: number): Sent {
  return aRequest(number, sec, {
    wants: null,
    name: '',
    text: '',
    heard: 200,
    wholeList: true,
    operation: 'GET campaign list',
  });
}

/** The create of campaign 1 by request 1, or another change. */
export function aChange(sec: number, more: Partial<Changed> = {}): Changed {
  return {
    atMs: at(sec),
    by: 1,
    alias: 'alice',
    kind: 'campaign',
    id: '1',
    name: 'Welcome',
    text: 'Hey',
    change: 'create',
    status: 'active',
    ...more,
  };
}

export function aLive(more: Partial<Live> = {}): Live {
  return {
    alias: 'alice',
    kind: 'campaign',
    id: '1',
    name: 'Welcome',
    text: 'Hey',
    status: 'active',
    hourMs: null,
    ...more,
  };
}

export function aDeclared(more: Partial<Declared> = {}): Declared {
  return {
    slot: 'Welcome',
    kind: 'campaign',
    name: 'Welcome',
    renamedFrom: null,
    status: 'runs',
    text: 'Hey',
    hourMs: null,
    accounts: ['alice'],
    ...more,
  };
}

export function aReceived(id: string, more: Partial<Received> = {}): Received {
  return {
    atMs: at(60),
    alias: 'alice',
    fan: 'fan 1',
    kind: 'campaign',
    id,
    name: 'Welcome',
    text: 'Hey',
    ...more,
  };
}
