import { HeraldError } from '../../src/domain/herald-error.ts';
import type { Line } from './command-line.ts';
import type { FlowClock } from '../helpers/flow-clock.ts';
import { aScene, type SceneOptions } from '../helpers/scene.ts';
import type { RunGit } from '../../src/state/git-branch.ts';
import type { Fetch } from '../../src/domain/ports.ts';

export interface Call {
  readonly args: readonly string[];
  readonly key: string;
  readonly who: string;
  readonly clock: FlowClock;
  /** Waits for as long as the process is stopped. */
  readonly gate: () => Promise<void>;
  /** What happens to a write of the state, before it happens. */
  readonly writing: () => Write;
  readonly env: Line['env'];
}

export type Write = 'done' | 'killed before' | 'killed within' | 'disk full' | 'unreachable';

export type Installation = Pick<SceneOptions, 'files' | 'repository'> & { readonly git?: RunGit };
export type Herald = ReturnType<typeof installHerald>;
export type Running = ReturnType<Herald['start']>;

export const WORKSPACE = `version: 1
service: { base_url: http://localhost:1, auth_header: x-svc-auth-token, platforms: { primary: platform_a, secondary: platform_b } }
accounts:
  alice: { id: "101" }
  bob: { id: "102" }
files: ["live/*.yaml"]
`;

/**
 * The only file that knows how Herald is called: its command line in this process, on files in memory and in virtual time.
 * Everything else of the run knows the service, the files, exit codes and JSON. A new core needs changes here alone.
 */
export function installHerald(network: Fetch, clock: FlowClock, { git, ...options }: Installation = {}) {
  const scene = aScene({ clock, network, files: { 'herald.yaml': WORKSPACE }, ...options });
  return {
    /** The folder of the workspace, which all operators share: text by path. */
    files: scene.files.tree,
    start: ({ args, key, who, clock: machine, gate, writing, env }: Call) => {
      const running = scene.startAs(
        {
          clock: machine,
          who,
          gate,
          git,
          env: { HERALD_API_KEY: key, ...env },
          onRecord: () => {
            const write = writing();
            if (write === 'done') return 'done';
            if (write === 'disk full' || write === 'unreachable') return refuseWrite(write);
            if (write === 'killed within') return 'frozen after';
            running.kill();
            return 'frozen';
          },
        },
        ...args,
      );
      // A kill is a `kill -9`, and an interrupt a Ctrl-C.
      return { ran: running.ran, kill: running.kill, interrupt: running.interrupt };
    },
    /** Removes what it keeps outside of memory. */
    close: () => scene.state.remove(),
  };
}

function refuseWrite(write: 'disk full' | 'unreachable'): HeraldError {
  return new HeraldError('state-failed', `The state cannot be written: ${write}.`, 'herald state check');
}
