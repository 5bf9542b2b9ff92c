import type { Simulator } from '../../src/simulator/simulator.ts';
import type { Cut } from './scenario.ts';
import type { Put } from './store-line.ts';

/** The one key that the service knows; each process adds its own mark to it, so that the line knows it. */
const KEY = 'sim-key';
const HEADER = 'x-svc-auth-token';

interface Process {
  /** What it is to be given as its API key. */
  readonly key: string;
  /** Resolves once it has died. */
  readonly died: Promise<void>;
  /** Nothing of it reaches the service any more. */
  kill(): void;
  /** The numbers of its requests. */
  readonly requests: ReadonlySet<number>;
}

/** A request that changes something, as a process sends it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The way from processes to the service, on which a process may die in the middle of a request. */
export interface Line {
  fetch(request: Request): Promise<Response>;
  /** The way to the object store. */
  readonly put: Put;
  process(cut: Cut | null, on: Hears): Process;
}

interface Hears {
  /** Of each write before it reaches the service. */
  readonly sent: (sent: Sent) => void;
  /** A Ctrl-C. */
  readonly interrupt: () => void;
  /** Of each read before it reaches the service. */
  readonly looks: (url: URL) => void;
}

interface Alive extends Hears {
  readonly cut: Cut | null;
  readonly die: () => void;
  writes: number;
  readonly requests: Set<number>;
  dead: boolean;
}

let lines = 0;

export function lineTo(simulator: Simulator): Line {
  // What a process of an earlier scenario still has in hand when it dies must not reach this service.
  lines += 1;
  const own = lines;
  const processes = new Map<string, Alive>();
  /** Whose puts go where. */
  const putters = new Map<string, Alive>();
  return {
    process: (cut, on) => {
      const key = `${KEY}.${own}.${processes.size + 1}`;
      let die: () => void = () => undefined;
      const died = new Promise<void>((resolve) => (die = resolve));
      const alive: Alive = { cut, die, ...on, writes: 0, requests: new Set(), dead: false };
      processes.set(key, alive);
      return { key, died, kill: () => kill(alive), requests: alive.requests };
    },
    fetch: async (request) => {
      const process = processes.get(request.headers.get(HEADER) ?? '');
      if (process === undefined || process.dead) return never();
      const headers = new Headers(request.headers);
      headers.set(HEADER, KEY);
      const known = new Request(request, { headers });
      const send = () => {
        process.requests.add(simulator.world.nextRequest);
        return simulator.fetch(known);
      };
      const url = new URL(request.url);
      if (request.method === 'GET') {
        process.looks(url);
        return send();
      }
      const { pathname: path } = url;
      const body = await known.clone().text();
      if (process.dead) return never();
      process.sent({ method: request.method, path, body });
      const answer = await underway(process, send);
      if (path.endsWith('/uploads/start')) await learnPuts(answer.clone(), process, putters);
      return answer;
    },
    put: (request) => {
      const process = putters.get(request.url);
      if (process === undefined || process.dead) return never();
      return underway(process, () => simulator.store(request));
    },
  };
}

/** One write of a process, which may die of it. */
async function underway<Answer>(process: Alive, send: () => Promise<Answer>): Promise<Answer> {
  process.writes += 1;
  const { cut } = process;
  if (cut?.atWrite !== process.writes) return send();
  if (cut.how === 'interrupt') process.interrupt();
  if (cut.how !== 'before_commit' && cut.how !== 'after_commit') return send();
  process.dead = true;
  // The request has left: it reaches the service, and its answer reaches nobody.
  if (cut.how === 'after_commit') await Promise.race([send().catch(() => undefined), turns(20)]);
  kill(process);
  return never();
}

function kill(process: Alive): void {
  process.dead = true;
  process.die();
}

/** A presigned address bears no key, so it is known by the answer that named it. */
async function learnPuts(answer: Response, process: Alive, putters: Map<string, Alive>): Promise<void> {
  const text = await answer.text().catch(() => '');
  for (const [, url = ''] of text.matchAll(/"put_url":"([^"]+)"/g)) putters.set(url, process);
}

const never = () => new Promise<never>(() => undefined);

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
