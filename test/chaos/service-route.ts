import { NEVER_CONNECTED_CODE, type Fetch } from '../../src/domain/ports.ts';
import { CONNECTION_ERRORS } from '../../src/simulator/connection-faults.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import type { Cut } from './shape.ts';
import type { Put } from './store-line.ts';

/** The one key that the service knows; each process adds its own mark to it, so that the line knows it. */
const KEY = 'sim-key';
const HEADER = 'x-svc-auth-token';

/** A request, as a process sends it. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly body: string;
  /** Its number at the service. */
  readonly request: number;
}

/** One process on the line. */
export interface Connection {
  /** What it is to be given as its API key. */
  readonly key: string;
  /** Resolves once it has died. */
  readonly died: Promise<void>;
  /** Nothing of it reaches the service any more. */
  kill(): void;
  /** It does nothing at all until this is over. */
  freeze(until: Promise<void>): void;
  /** Waits for as long as it is frozen. */
  readonly gate: () => Promise<void>;
}

/** What is told about one process, and what may happen to it. */
interface Hears {
  /** It reaches the service through a proxy. */
  readonly proxy: boolean;
  readonly cut: Cut | null;
  /** Its cut counts each request, and not only writes. */
  readonly cutsReads: boolean;
  /** Of each write that is on record and would be sent now, also if the process has just died. */
  readonly tries: (sent: Omit<Sent, 'request'>) => void;
  /** Of each request right before it is sent, writes among them. */
  readonly asks: (sent: Omit<Sent, 'request'>) => void;
  /** Of each request at the moment when it reaches the service. */
  readonly sent: (sent: Sent) => void;
  /** Of its end, as the process sees it. */
  readonly answered: (request: number, end: 'answer' | 'error' | 'never left' | 'dead') => void;
  /** A Ctrl-C. */
  readonly interrupt: () => void;
  /** From now on its lock is another's. */
  readonly loseLock: () => void;
  /** Its machine's clock is set. */
  readonly setClock: (sec: number) => void;
  /** Lets it be frozen for so long; resolves when that is over. */
  readonly sleep: (sec: number) => Promise<void>;
}

/** The way from processes to the service, on which a process may die in the middle of a request. */
export interface ServiceRoute {
  readonly fetch: Fetch;
  /** The way to the object store. */
  readonly put: Put;
  open(hears: Hears): Connection;
}

interface Alive extends Hears {
  readonly die: () => void;
  frozen: Promise<void> | null;
  writes: number;
  dead: boolean;
}

let lines = 0;

export function routeTo(simulator: Simulator): ServiceRoute {
  // What a process of an earlier scenario still has in hand when it dies must not reach this service.
  lines += 1;
  const own = lines;
  const processes = new Map<string, Alive>();
  /** By presigned address: who puts there. */
  const putters = new Map<string, Alive>();
  return {
    open: (hears) => {
      const key = `${KEY}.${own}.${processes.size + 1}`;
      let die: () => void = () => undefined;
      const died = new Promise<void>((resolve) => (die = resolve));
      const alive: Alive = { ...hears, die, frozen: null, writes: 0, dead: false };
      processes.set(key, alive);
      const freeze = (until: Promise<void>) => void (alive.frozen = until);
      return { key, died, kill: () => kill(alive), freeze, gate: () => gate(alive) };
    },
    fetch: async (request, { leaves }) => {
      const process = processes.get(request.headers.get(HEADER) ?? '');
      if (process === undefined) return never();
      const headers = new Headers(request.headers);
      headers.set(HEADER, KEY);
      const known = new Request(request, { headers });
      const url = new URL(request.url);
      const { method } = request;
      const what = { method, path: url.pathname, search: url.searchParams };
      const body = method === 'GET' ? '' : await known.clone().text();
      if (method !== 'GET') process.tries({ ...what, body });
      await gate(process);
      process.asks({ ...what, body });
      const send = async () => {
        leaves();
        const number = simulator.world.nextRequest;
        process.sent({ ...what, body, request: number });
        try {
          const answer = await simulator.fetch(known);
          await gate(process);
          process.answered(number, process.dead ? 'dead' : 'answer');
          return answer;
        } catch (error) {
          const hasLeft = !isNeverConnected(error);
          process.answered(number, hasLeft ? 'error' : 'never left');
          throw hasLeft || process.proxy ? error : marked(error as Error);
        }
      };
      if (method === 'GET' && !process.cutsReads) return send();
      const answer = await underway(process, known.signal, send);
      if (url.pathname.endsWith('/uploads/start')) await learnPuts(answer.clone(), process, putters);
      return answer;
    },
    put: async (request) => {
      const process = putters.get(request.url);
      if (process === undefined || process.dead) return never();
      return underway(process, request.signal, () => simulator.store(request));
    },
  };
}

/** Whether an error says that no connection came to be. */
function isNeverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error) || !('code' in cause)) return false;
  if ('syscall' in cause) return cause.syscall === 'connect' || cause.syscall === 'getaddrinfo';
  return CONNECTING.includes(String(cause.code));
}

const CONNECTING: readonly string[] = [...CONNECTION_ERRORS.tls, 'UND_ERR_CONNECT_TIMEOUT'];

/** Over a line of its own, a failure to connect has the mark that Herald's transport gives it. */
function marked({ message, cause }: Error): Error {
  const mark = Object.assign(new Error('', { cause }), { code: NEVER_CONNECTED_CODE });
  return new TypeError(message, { cause: mark });
}

/** Waits for as long as a process is frozen; one that is dead waits permanently. */
async function gate(process: Alive): Promise<void> {
  if (process.frozen !== null) await process.frozen;
  if (process.dead) await never();
}

/** One write of a process, to which something may happen. */
async function underway<Answer>(
  process: Alive,
  signal: AbortSignal,
  send: () => Promise<Answer>,
): Promise<Answer> {
  process.writes += 1;
  const { cut } = process;
  if (cut?.at !== process.writes) return send();
  switch (cut.how) {
    case 'interrupt':
      process.interrupt();
      return send();
    case 'clock':
      process.setClock(cut.sec);
      return send();
    case 'lock_lost': {
      const answer = send();
      process.loseLock();
      return answer;
    }
    case 'freeze':
      await freeze(process, cut.sec);
      // Its own time-outs come first when it goes on: a request that they end does not leave any more.
      await turns(3);
      signal.throwIfAborted();
      return send();
    case 'freeze_answer':
      void freeze(process, cut.sec);
      return send();
    case 'before_commit':
      kill(process);
      return never();
    case 'after_commit':
      process.dead = true;
      // The request has left: it reaches the service, and its answer reaches no process.
      await Promise.race([send().catch(() => undefined), turns(20)]);
      kill(process);
      return never();
    default:
      return send();
  }
}

function freeze(process: Alive, sec: number): Promise<void> {
  const until = process.sleep(sec).then(() => {
    if (process.frozen === until) process.frozen = null;
  });
  process.frozen = until;
  return until;
}

function kill(process: Alive): void {
  process.dead = true;
  process.die();
}

/** A presigned address has no key, so it is known by the answer that named it. */
async function learnPuts(answer: Response, process: Alive, putters: Map<string, Alive>): Promise<void> {
  const text = await answer.text().catch(() => '');
  for (const [, url = ''] of text.matchAll(/"put_url":"([^"]+)"/g)) putters.set(url, process);
}

const never = () => new Promise<never>(() => undefined);

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
