import type { FlowClock } from '../helpers/flow-clock.ts';
import { aScene, NOON } from '../helpers/scene.ts';
import type { Fetch } from '../../src/domain/ports.ts';
import type { Invariant } from './judge/invariants.ts';
import { installNextHerald } from './next-herald.ts';

/**
 * The only file that knows how Herald is called: its command line in this process, on files in memory and in virtual time.
 * Everything else of the run knows the service, the files, exit codes and JSON. A new core needs changes here alone.
 */
export interface Herald {
  /** The folder of the workspace, which all operators share: text by path. */
  readonly files: Record<string, string>;
  start(call: Call): Running;
  /** Removes what it keeps outside of memory. */
  close?(): void;
}

export interface Call {
  readonly args: readonly string[];
  readonly key: string;
  readonly who: string;
  readonly clock: FlowClock;
  /** Waits for as long as the process is stopped. */
  readonly gate: () => Promise<void>;
  /** What happens to a write of the state, before it happens. */
  readonly writing: () => Write;
}

export type Write = 'done' | 'killed before' | 'killed within' | 'disk full' | 'unreachable';

export interface Running {
  readonly ran: Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  /** A `kill -9`. */
  kill(): void;
  /** A Ctrl-C. */
  interrupt(): void;
  /** Its lease ends, because it was stopped for too long. */
  loseLease(): void;
}

export { NOON };

/** A stopped process keeps the lease for so long. */
export const LEASE_SEC = 60;

/** Where today's core decides otherwise than core.md, by invariant. To be empty when the new core is in. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    invariant: 'G7 a stop by hand at once',
    words: /read a whole list before it stopped anything$/,
    because: 'a stop by hand first reads the list of its account',
  },
  {
    invariant: 'G7 a stop by hand at once',
    words: /s recall \d+ .* heard , never asked for the stop, and ended with 1$/,
    because: 'a recall by hand takes the lease, so it waits for an apply that runs',
  },
  {
    invariant: 'G7 a stop by hand at once',
    words: /heard (?:\w+, )*(?:200|404|5\d\d|lost),.* never asked for the stop, and ended with 1$/,
    because:
      'a stop by hand is not sent if its first read fails, or does not show the object yet, although it is on record',
  },
  {
    invariant: 'G7 a stop by hand at once',
    words: /could not write to the state, never asked for the stop, and ended with 1$/,
    because: 'a stop by hand that cannot be recorded is not sent, except where the disk is full',
  },
];

interface KnownDifference {
  readonly invariant: Invariant;
  /** What the violation says. */
  readonly words: RegExp;
  readonly because: string;
}

const STATE_FOLDER = '.herald/';

const WORKSPACE = `version: 1
service: { base_url: http://localhost:1, auth_header: x-svc-auth-token, platforms: { primary: platform_a, secondary: platform_b } }
accounts:
  alice: { id: "101" }
  bob: { id: "102" }
files: ["live/*.yaml"]
`;

export function installHerald(network: Fetch, clock: FlowClock): Herald {
  if (process.env['HERALD_CORE'] === 'next') return installNextHerald(WORKSPACE, network);
  const scene = aScene({ clock, network, files: { 'herald.yaml': WORKSPACE } });
  const { tree } = scene.files;
  return {
    files: tree,
    start: ({ args, key, who, clock: machine, gate, writing }) => {
      const running = scene.startAs(
        {
          clock: machine,
          who,
          gate,
          env: { HERALD_API_KEY: key },
          onWrite: (path, text, how) => {
            if (!path.startsWith(STATE_FOLDER)) return 'done';
            const write = writing();
            if (write === 'done') return 'done';
            if (write === 'disk full' || write === 'unreachable') return failure(write);
            if (write === 'killed within' && how === 'append')
              tree[path] = withBreak(tree[path] ?? '') + text.slice(0, text.length / 2);
            running.kill();
            return 'frozen';
          },
        },
        ...args,
      );
      return {
        ran: running.ran,
        kill: running.kill,
        interrupt: running.interrupt,
        loseLease: running.dropLease,
      };
    },
  };
}

function withBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function failure(write: 'disk full' | 'unreachable'): Error {
  return write === 'disk full'
    ? Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
    : Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO', syscall: 'write' });
}
