import type { Simulator } from '../../src/simulator/simulator.ts';
import type { Kill } from './scenario.ts';

/** The one key that the service knows; each process adds its own mark to it, so that the line knows it. */
const KEY = 'sim-key';
const HEADER = 'x-svc-auth-token';

interface Process {
  /** What it is to be given as its API key. */
  readonly key: string;
  /** Resolves once it has died. */
  readonly died: Promise<void>;
}

/** The way from processes to the service, on which a process may die in the middle of a request. */
export interface Line {
  fetch(request: Request): Promise<Response>;
  process(kill: Kill | null): Process;
}

interface Alive {
  readonly kill: Kill | null;
  readonly die: () => void;
  writes: number;
  dead: boolean;
}

let lines = 0;

export function lineTo(simulator: Simulator): Line {
  // What a process of an earlier scenario still has in hand when it dies must not reach this service.
  lines += 1;
  const own = lines;
  const processes = new Map<string, Alive>();
  const never = () => new Promise<never>(() => undefined);
  return {
    process: (kill) => {
      const key = `${KEY}.${own}.${processes.size + 1}`;
      let die: () => void = () => undefined;
      const died = new Promise<void>((resolve) => (die = resolve));
      processes.set(key, { kill, die, writes: 0, dead: false });
      return { key, died };
    },
    fetch: async (request) => {
      const process = processes.get(request.headers.get(HEADER) ?? '');
      if (process === undefined || process.dead) return never();
      const headers = new Headers(request.headers);
      headers.set(HEADER, KEY);
      const known = new Request(request, { headers });
      if (request.method === 'GET') return simulator.fetch(known);
      process.writes += 1;
      if (process.kill?.atWrite !== process.writes) return simulator.fetch(known);
      process.dead = true;
      // The request has left: it reaches the service, and its answer reaches nobody.
      if (process.kill.moment === 'after_commit')
        await Promise.race([simulator.fetch(known).catch(() => undefined), turns(20)]);
      process.die();
      return never();
    },
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
