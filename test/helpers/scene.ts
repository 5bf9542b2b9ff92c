import { INDEX } from '../../src/commands/index.ts';
import type { Surroundings } from '../../src/cli/context.ts';
import type { EventStore } from '../../src/events/store.ts';
import type { Fetch, Files, Repository } from '../../src/domain/ports.ts';
import { createOutput } from '../../src/host/output.ts';
import { worldOrigin } from '../../src/domain/service-identity.ts';
import { runProgram } from '../../src/cli/run-program.ts';
import type { Control, Oracle } from '../../src/simulator/control.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { openWorld } from '../../src/simulator/embedded.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import {
  createWorld,
  parseWorld,
  serializeWorld,
  type World,
  type WorldOptions,
} from '../../src/simulator/world.ts';
import { flowClock, never, type FlowClock } from './flow-clock.ts';
import { aHost } from './hosts.ts';
import { memoryWorkspace, type MemoryWorkspace } from '../workspace/memory-files.ts';
import { eventStoreAt } from './event-builders.ts';
import { memoryBytes, type MemoryBytes } from './memory-bytes.ts';
import type { RequestRow } from '../../src/state/shapes.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import type { State } from '../../src/state/state.ts';
import { sceneState, type SceneState, type StateProcess } from './scene-state.ts';

const NO_REPOSITORY = new HeraldError('git-no-repository', 'git finds no repository that it may use in /ads');

export const WORLD_FILE = '.herald/world.json';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SceneOptions {
  /** Next to `herald.yaml`, which is the usual one unless the tree has its own. */
  readonly files?: Readonly<Record<string, string>>;
  readonly world?: WorldOptions;
  /** Noon of the first of June and jumping on when all is quiet, unless the service is not a part of this process. */
  readonly clock?: FlowClock;
  /** Who runs Herald here, for the state. */
  readonly who?: string;
  /** Stands in for the network. */
  readonly network?: Fetch;
  /** The repository that the workspace is in; none if it is not given. */
  readonly repository?: Repository;
  /** How many runs there were before; each has a name of its own in the state. */
  readonly runs?: number;
  /** The state that another scene has left; a new one if it is not given. */
  readonly state?: SceneState;
}

/** What happens to one process. */
interface ProcessOptions extends StateProcess {
  /** Variables of this process alone, next to those of the scene. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the machine that it runs on, if that is not the one of the scene. */
  readonly clock?: FlowClock;
  /** Who runs it, for the state. */
  readonly who?: string;
}

interface Running {
  readonly ran: Promise<Ran>;
  /** What the state calls it. */
  readonly run: string;
  /** A Ctrl-C. */
  interrupt(): void;
  /** A `kill -9`: nothing that it writes or sends from now on arrives, and its lease is free. */
  kill(): void;
}

/** One workspace with its embedded service and a clock that both share: whole runs of the command line. */
export interface Scene {
  readonly files: MemoryWorkspace;
  readonly state: SceneState;
  /** What the state has of the service of this scene: every request, oldest first. */
  requests(): Promise<readonly RequestRow[]>;
  /** Work with the state of the service of this scene, as a test reads it. */
  readState<Result>(work: (state: State) => Promise<Result>): Promise<Result>;
  /** Files that are only ever streamed: uploads and downloads. */
  readonly bytes: MemoryBytes;
  readonly events: EventStore;
  readonly clock: FlowClock;
  /** Runs one command line; what it answers is what a shell would see. */
  herald(...args: string[]): Promise<Ran>;
  /** The same, begun and not waited for, with a process to which something happens. */
  startAs(options: ProcessOptions, ...args: string[]): Running;
  /** Sets what the person at the terminal answers; null for a run without a terminal, which is the default. */
  answer: ((question: string) => boolean | Promise<boolean>) | null;
  /** What stands on standard input. */
  input: string;
  /** Of the terminal that stdout is; null where it is none, which is the default. */
  columns: number | null;
  readonly env: Record<string, string>;
  /** The origins in the user's own configuration folder. */
  trustedOrigins: readonly string[];
  /** Of the Node that runs Herald. */
  nodeVersion: string;
  /** What people, time and accidents do to the service between two commands. */
  service<Result>(act: (control: Control, world: World) => Result): Promise<Result>;
  /** The same for one who only looks. What time brings about is not kept: it comes again. */
  look<Result>(at: (control: Control, world: World) => Result): Promise<Result>;
  fault(fault: FaultInput): Promise<void>;
  oracle(): Promise<Oracle>;
  /** Another scene that goes on from here by itself: with the same files and bytes, at the same time. */
  copy(): Scene;
}

export const WORKSPACE = `version: 1
service: { simulator: ${WORLD_FILE} }
accounts:
  alice: { id: "101", vars: { first_name: Alice } }
  bob: { id: "102", vars: { first_name: Bob } }
files: ["live/*.yaml"]
`;

export function aScene({
  files = {},
  world,
  clock = flowClock(),
  who = 'tester',
  network,
  repository,
  runs: earlier = 0,
  state = sceneState(),
}: SceneOptions = {}): Scene {
  const tree: Record<string, string> = { 'herald.yaml': WORKSPACE, ...files };
  if (world !== undefined) tree[WORLD_FILE] = serializeWorld(createWorld(world));
  const memory = memoryWorkspace(tree);
  const bytes = memoryBytes();
  const events = eventStoreAt({ kind: 'sqlite', directory: state.directory });
  let runs = earlier;
  const startAs: Scene['startAs'] = (options, ...args) => {
    const controller = new AbortController();
    let isDead = false;
    const said = { stdout: '', stderr: '' };
    const filesOf = mortal(memory, options);
    const env = { ...scene.env, ...options.env };
    const terminal = scene.columns === null ? {} : { isTTY: true, columns: scene.columns };
    const host = aHost({
      env,
      stdout: { write: (text) => (said.stdout += text), ...terminal },
      stderr: { write: (text) => (said.stderr += text) },
    });
    const person = options.who ?? who;
    const machine = options.clock ?? clock;
    runs += 1;
    const run = person === 'tester' ? `run${runs}` : `${person}-run${runs}`;
    const identity = { run, who: person };
    const runClock = options.gate === undefined ? machine : gated(machine, options.gate);
    const process = state.access(
      {
        clock: runClock,
        files: filesOf.files,
        env,
        identity,
        process: 'process 4711 on this-machine',
      },
      options,
    );
    const ran = runProgram(
      args,
      host,
      (flags): Surroundings => ({
        clock: runClock,
        files: filesOf.files,
        workspace: 'ads',
        state: process.access,
        events,
        bytes,
        typed: { files: filesOf.files, bytes },
        output: createOutput({
          stdout: host.stdout,
          stderr: host.stderr,
          noColour: true,
          quiet: flags.quiet,
          env,
          directory: '/repository/ads',
        }),
        trusted: {
          path: '~/.config/herald/trusted-origins',
          list: () => Promise.resolve(scene.trustedOrigins),
          replace: async (origins) => {
            scene.trustedOrigins = origins;
          },
        },
        ...(network === undefined ? {} : { network: (...sent) => (isDead ? never() : network(...sent)) }),
        env,
        random: () => 0,
        interrupted: controller.signal,
        protect: (work) => work(),
        interactive: scene.answer !== null,
        confirm: async (question) =>
          scene.answer === null ? false : scene.answer(`${question.text} ${question.prompt}`.trim()),
        readInput: () => Promise.resolve(scene.input),
        identity,
        remotes: () => [],
        repository: async () => repository ?? Promise.reject(NO_REPOSITORY),
        repositoryFiles: () => null,
        nodeVersion: scene.nodeVersion,
        flags,
      }),
      INDEX,
    ).then((code) => ({ code, ...said }));
    return {
      ran,
      run,
      interrupt: () => controller.abort(new Error('interrupted')),
      kill: () => {
        isDead = true;
        filesOf.kill();
        process.kill();
      },
    };
  };

  const visit = async <Result>(act: (control: Control, world: World) => Result, changes: boolean) => {
    const held = await openWorld(memory, WORLD_FILE, () => 0);
    const { control } = createSimulator(held, { clock });
    const result = act(control, held);
    if (changes) tree[WORLD_FILE] = serializeWorld(held);
    return result;
  };

  const scene: Scene = {
    files: memory,
    state,
    requests: () => scene.readState(async (opened) => (await opened.history({ limit: 10_000 })).toReversed()),
    readState: async (work) => state.read(nameWorld(tree), work),
    bytes,
    events,
    clock,
    env: {},
    trustedOrigins: [],
    nodeVersion: 'v20.20.2',
    answer: null,
    input: '',
    columns: null,
    herald: (...args) => startAs({}, ...args).ran,
    startAs,
    service: (act) => visit(act, true),
    look: (at) => visit(at, false),
    fault: (fault) => scene.service((control) => control.addFault(fault)),
    oracle: () => scene.look((control) => control.oracle()),
    copy: () => {
      if (network !== undefined) throw new Error('the service of this scene is not in its files');
      const { env, answer, input, columns } = scene;
      const own = { who, runs, state: state.copy(), ...(repository === undefined ? {} : { repository }) };
      const copy = aScene({ ...own, files: tree, clock: flowClock(clock.now()) });
      Object.assign(copy.bytes.blobs, bytes.blobs);
      return Object.assign(copy, { env: { ...env }, answer, input, columns });
    },
  };
  return scene;
}

/** The clock as a process sees it that may be frozen. */
function gated(clock: FlowClock, gate: () => Promise<void>): FlowClock {
  return {
    ...clock,
    sleep: async (ms, signal) => {
      await clock.sleep(ms, signal);
      await gate();
    },
  };
}

/** The name of the world of a scene in the state. */
function nameWorld(tree: Readonly<Record<string, string>>): string {
  const text = tree[WORLD_FILE];
  return text === undefined ? 'live' : worldOrigin(WORLD_FILE, parseWorld(text).id);
}

/** The files as one process sees them, which may die: nothing that it writes from then on reaches a file. */
function mortal(
  memory: MemoryWorkspace,
  { gate }: ProcessOptions,
): { readonly files: Files; readonly kill: () => void } {
  let isDead = false;
  return {
    files: {
      ...memory,
      writeAtomically: async (path, content) => {
        await gate?.();
        if (isDead) return never();
        return memory.writeAtomically(path, content);
      },
    },
    kill: () => {
      isDead = true;
    },
  };
}
