import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateAccess, type StateAccess, type StateAccessPorts } from '../../src/library/state-access.ts';
import type { RunGit } from '../../src/state/git-branch.ts';
import { State } from '../../src/state/state.ts';
import { folderInMemory } from './folders.ts';
import { never } from './flow-clock.ts';

/** What happens to one write of a process: it is done, never happens, is the last one that happens, or fails. */
type WriteFate = 'done' | 'frozen' | 'frozen after' | Error;

/** The state of a scene: a real file, in a folder in memory where the system has one. */
export interface SceneState {
  readonly directory: string;
  /** The state as one process has it. */
  access(ports: Omit<StateAccessPorts, 'directory' | 'git'>, process?: StateProcess): ProcessState;
  /** The state as a test reads it, of the service with this name. */
  read<Result>(service: string, work: (state: State) => Promise<Result>): Promise<Result>;
  /** Another one with the same rows. */
  copy(): SceneState;
  /** Removes the folder before the process ends. */
  remove(): void;
}

export interface StateProcess {
  /** Waited for before each use of the state: the process is frozen for as long as this takes. */
  readonly gate?: (() => Promise<void>) | undefined;
  /** Decides about each write before it happens. `what` is the function of the state: `begin`, `end`, `learn`. */
  readonly onRecord?: ((what: string) => WriteFate) | undefined;
  /** Keeps the state on a branch. */
  readonly git?: RunGit | undefined;
}

interface ProcessState {
  readonly access: StateAccess;
  /** A `kill -9`: nothing that the process writes from now on is kept, and its lease is free. */
  kill(): void;
}

const WRITES: readonly string[] = ['begin', 'repeat', 'end', 'learn', 'endCut', 'forget', 'import', 'prune'];

/** All scenes of one process. A worker may be killed, so the next one removes what a process that is gone has left. */
const ROOT = folderInMemory();
const OWN = join(ROOT, `herald-scenes-${process.pid}`);

function removeLeftovers(): void {
  for (const name of readdirSync(ROOT)) {
    const pid = Number(/^herald-scenes-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(pid) && !isAlive(pid)) rmSync(join(ROOT, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

removeLeftovers();
process.once('exit', () => rmSync(OWN, { recursive: true, force: true }));

export function sceneState(from?: string): SceneState {
  mkdirSync(OWN, { recursive: true });
  const directory = mkdtempSync(join(OWN, 'scene-'));
  if (from !== undefined) cpSync(from, directory, { recursive: true });
  let last: Promise<unknown> = Promise.resolve();
  // All processes of a scene are in this one, so a busy database would wait for itself.
  const alone = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    directory,
    access: (ports, process = {}) =>
      createProcess((git) => stateAccess({ ...ports, directory, git }), process, alone),
    read: async (service, work) => {
      const state = await State.openToRead({
        location: { kind: 'sqlite', directory },
        clock: { now: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
        run: 'test',
        who: 'test',
        holder: 'the test',
        service: () => service,
      });
      try {
        return await work(state);
      } finally {
        await state.close();
      }
    },
    copy: () => sceneState(directory),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function createProcess(
  createAccess: (git: RunGit) => StateAccess,
  { gate, onRecord, git = refuseGit }: StateProcess,
  alone: <Value>(work: () => Promise<Value>) => Promise<Value>,
): ProcessState {
  let isDead = false;
  const opened = new Set<State>();
  const whileAlive = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    await gate?.();
    return isDead ? never() : work();
  };
  const kill = () => {
    isDead = true;
    for (const state of opened) void alone(() => state.close()).catch(() => undefined);
    opened.clear();
  };
  const access = createAccess(async (args, input) => {
    const fate = args[0] === 'push' ? (onRecord?.('push') ?? 'done') : 'done';
    // To wait for a dead process would stop the others.
    if (isDead || fate === 'frozen') throw new Error('the process is dead');
    const answer = await git(args, input);
    // The push arrives, and its answer is lost.
    if (fate instanceof Error) return { exitCode: 128, stdout: '', stderr: fate.message };
    if (fate === 'frozen after') kill();
    return answer;
  });
  const use = (state: State): State => {
    opened.add(state);
    return new Proxy(state, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const method = member.bind(target) as (...parts: unknown[]) => unknown;
        if (name === 'left' || name === 'export') return method;
        if (name === 'close') opened.delete(state);
        const isWrite = WRITES.includes(String(name));
        return (...parts: unknown[]) =>
          whileAlive(async () => {
            // Without anything to learn, nothing is written.
            const isEmpty = name === 'learn' && Array.isArray(parts[0]) && parts[0].length === 0;
            const fate = isWrite && !isEmpty ? (onRecord?.(String(name)) ?? 'done') : 'done';
            if (fate === 'frozen') return never();
            if (fate instanceof Error) throw fate;
            if (fate !== 'frozen after') {
              // A dead process must not keep the turn of the others.
              const done = await alone(async () => (isDead ? null : { value: await method(...parts) }));
              return done === null ? never() : done.value;
            }
            await alone(async () => method(...parts));
            kill();
            return never();
          });
      },
    });
  };
  return {
    access: {
      location: access.location,
      // It waits for the lease of another process of the scene, which must get its turn meanwhile.
      take: async (...parts) => use(await whileAlive(() => access.take(...parts))),
      join: async (...parts) => use(await whileAlive(() => alone(() => access.join(...parts)))),
      read: async (...parts) => use(await whileAlive(() => alone(() => access.read(...parts)))),
      setUp: access.setUp,
      unlock: () => whileAlive(() => alone(access.unlock)),
    },
    kill,
  };
}

function refuseGit(): Promise<never> {
  return Promise.reject(new Error('a scene has no git'));
}
