import type { Declared } from './declared.ts';
import type { Alias, Allow, Kind, Verb } from './scenario.ts';

/**
 * What a run looked like from outside: every request as it left and as it was heard, everything that the service carried out
 * and every fan received, and how each process ended. The judge sees nothing else, least of all Herald's own record.
 */
export interface Trace {
  readonly processes: readonly Process[];
  readonly requests: readonly Sent[];
  readonly changes: readonly Changed[];
  readonly received: readonly Received[];
  /** What people did to files, clocks and the service, in words. */
  readonly notes: readonly Note[];
  readonly closing: Closing | null;
}

export interface Note {
  readonly atMs: number;
  /** How many requests the service had had by then: many things happen at one moment of virtual time. */
  readonly after: number;
  readonly words: string;
}

/** A live object of the service, as it really is. */
export interface Live {
  readonly alias: Alias;
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** As the service has it inside, also where reads show no name for it. */
  readonly status: string;
  readonly hourMs: number | null;
}

/** One command line from its start to its end. */
export interface Process {
  readonly number: number;
  readonly operator: number;
  readonly args: readonly string[];
  readonly does: 'apply' | 'apply saved' | 'look' | 'hand';
  readonly allow: readonly Allow[];
  /** Of a command by hand: what it is asked to do. */
  readonly hand: Hand | null;
  /** Of an apply of a saved plan: the changes that were agreed. */
  readonly agreed: readonly Agreed[] | null;
  /** Only part of the files is meant. */
  readonly targeted: boolean;
  readonly declared: readonly Declared[];
  readonly beganMs: number;
  /** How many requests the service had had by then. */
  readonly beganAfter: number;
  endedMs: number | null;
  endedAfter: number | null;
  /** `killed` by the run; `stuck` if it never came to its end. */
  end: number | 'killed' | 'stuck' | null;
  stdout: string;
  stderr: string;
  /** How often it wrote to the state, and how often that failed. */
  stateWrites: number;
  stateFailures: number;
  /** What happened to it besides faults of the service. */
  cut: string | null;
  /** What was live when it ended. */
  live: readonly Live[];
}

export interface Hand {
  readonly verb: Verb;
  /** What it names, and which objects that were by then. */
  readonly addresses: readonly string[];
  readonly targets: readonly Live[];
  readonly byId: boolean;
}

export interface Agreed {
  readonly alias: string;
  readonly kind: string;
  readonly name: string;
  readonly action: string;
}

/** One request of Herald, as it left. */
export interface Sent {
  readonly number: number;
  readonly process: number;
  readonly atMs: number;
  /** The clock of the machine minus the right time. */
  readonly machineOffMs: number;
  /** The clock of the service minus the right time. */
  readonly serviceOffMs: number;
  readonly operation: string;
  readonly alias: Alias | null;
  readonly kind: Kind | null;
  readonly id: string | null;
  /** Of a create what it asks for; of a status change what its object is. */
  readonly name: string;
  readonly text: string;
  readonly hourMs: number | null;
  /** What the object is to become: `created`, `active`, `queued`, `paused`, `archived`, `recalled`; null of a read. */
  readonly wants: string | null;
  /** Of a list: the first page of one that shows archived objects as well. */
  readonly wholeList: boolean;
  /** A status, or why there is none. */
  heard: number | 'lost' | 'never left' | null;
  heardMs: number | null;
}

/** One change of the service. */
export interface Changed {
  readonly atMs: number;
  /** Number of the request that asked for it; otherwise a person, or the service itself. */
  readonly by: number | 'person' | 'service';
  readonly alias: Alias;
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly change: 'create' | 'status' | 'unsend' | 'edit';
  readonly status: string;
}

/** One message that reached a fan. */
export interface Received {
  readonly atMs: number;
  readonly alias: Alias;
  readonly fan: string;
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** After the last fault: the applies until all is quiet, what is live then, and what is blocked by name. */
export interface Closing {
  readonly declared: readonly Declared[];
  readonly applies: readonly Process[];
  readonly live: readonly Live[];
  readonly blocked: readonly Agreed[];
  readonly atMs: number;
}

const RUNNING: readonly string[] = ['active', 'scheduled', 'queued', 'sending'];
export const isRunning = ({ status }: { readonly status: string }) => RUNNING.includes(status);

/** What a start asks for. */
const STARTS: readonly string[] = ['created', 'active', 'queued'];
export const isStart = ({ wants }: Sent) => wants !== null && STARTS.includes(wants);
export const isStop = ({ wants }: Sent) => wants !== null && !STARTS.includes(wants);

/** Answers after which it is certain whether a request was carried out. */
export function isSettled({ heard }: Sent): boolean {
  if (heard === 'never left') return true;
  if (typeof heard !== 'number') return false;
  return heard < 500 && heard !== 408 && heard !== 425;
}

export const isCarriedOut = ({ heard }: Sent) => typeof heard === 'number' && heard >= 200 && heard < 300;

/** Where a name lives, for messages and as a key. */
export function addressOf({
  alias,
  kind,
  name,
}: {
  alias: string | null;
  kind: string | null;
  name: string;
}): string {
  return `${alias ?? '?'}/${kind ?? '?'}/${name}`;
}

/** How a time of a trace is shown. */
export const clockTime = (ms: number) => new Date(ms).toISOString().slice(5, 23).replace('T', ' ');

/** One change in the JSON of a plan, and one outcome in that of an apply. */
export interface PrintedChange {
  readonly address: { readonly account: string; readonly kind: string; readonly name: string };
  readonly action: string;
  readonly live_id: string | null;
}
export interface PrintedOutcome extends PrintedChange {
  readonly outcome: string;
  readonly message: string;
}

/** The one document that a command prints; empty if it prints none. */
export function documentIn(stdout: string): object {
  try {
    const value: unknown = JSON.parse(stdout);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export function outcomesIn({ stdout }: Pick<Process, 'stdout'>): readonly PrintedOutcome[] {
  const { outcomes = [] } = documentIn(stdout) as { readonly outcomes?: readonly PrintedOutcome[] };
  return outcomes;
}
