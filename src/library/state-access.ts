import type { Client } from '../api/client.ts';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Clock, Files } from '../domain/ports.ts';
import { readSecret } from '../domain/secret.ts';
import { worldFileOf, worldOrigin } from '../domain/service-identity.ts';
import type { ServiceTarget } from '../domain/workspace.ts';
import type { Run } from '../engine/run.ts';
import type { RunGit } from '../state/git-branch.ts';
import type { LeaseWait as StateLeaseWait } from '../state/lease.ts';
import type { State, StateLocation, StateOptions } from '../state/state.ts';

/** How a run waits for the lease of another one. */
interface LeaseWait extends Pick<StateLeaseWait, 'waitMs' | 'onWait'> {
  /** Set for `herald ci apply`, and for `herald state` commands, which send nothing: they write a state on a git branch. */
  readonly writesBranch?: boolean;
  /** What takes the lease. Where it may not, the error says what works instead. */
  readonly command?: string;
}

/** How a run waits for the lease. It prints once who has it. */
export function leaseWait(ports: Pick<Run, 'report'> & { readonly lockTimeoutMs: number }): LeaseWait {
  const { lockTimeoutMs: waitMs, report } = ports;
  return { waitMs, onWait: (holder) => report({ kind: 'waiting-for-lease', holder }) };
}

/** The name of a service in the state. */
export type ServiceName = () => string;

/** Opens the state of a workspace where `herald.yaml` keeps it: in the workspace's folder unless it names another place. */
export interface StateAccess {
  /** Rejects with `state-…` if `herald.yaml` or the environment is wrong: no run goes on with an empty state instead. */
  location(): Promise<StateLocation>;
  /** With the lease. Rejects with `locked` while another run has it. */
  take(service: ServiceName, wait: LeaseWait): Promise<State>;
  /** Without the lease, to record what does not wait for other runs. Nothing can be started. */
  join(service: ServiceName): Promise<State>;
  /** To read. Creates nothing. */
  read(service: ServiceName): Promise<State>;
  /** Creates the tables of a database, and adds the workspace. Running it again changes nothing. */
  setUp(): Promise<void>;
  /** Ends the lease of a run that is gone. Returns its holder; null if no run has it. */
  unlock(): Promise<string | null>;
}

/** Work with a state, which is closed after it, however it ends. */
export async function withState<Result>(
  opening: Promise<State>,
  work: (state: State) => Promise<Result>,
): Promise<Result> {
  const state = await opening;
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}

/** What it takes to open the state of a workspace. */
export interface StateAccessPorts {
  readonly clock: Clock;
  readonly files: Pick<Files, 'readText'>;
  /** Absolute path of the workspace's folder. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly identity: { readonly run: string; readonly who: string };
  /** This process and its machine, for others that wait for the lease. */
  readonly process: string;
  /** Runs git in the folder of the workspace. */
  readonly git: RunGit;
}

/** The name of a connected service: `live` for every address that does not answer as a simulator, else its world. */
export function nameService(client: Pick<Client, 'address' | 'isSimulator'>): string {
  const { address } = client;
  return client.isSimulator() || worldFileOf(address) !== null ? address : LIVE;
}

/** The name of every service that is not a simulator. */
export const LIVE = 'live';

export function stateAccess(ports: StateAccessPorts): StateAccess {
  const { clock, identity, process } = ports;
  let located: Promise<StateLocation> | null = null;
  const location = () => (located ??= locate(ports));
  const optionsFor = async (service: ServiceName): Promise<StateOptions> => ({
    location: await location(),
    clock,
    ...identity,
    holder: `${identity.who}, ${process}`,
    service,
  });
  // Loaded with its first use: most commands need no database.
  const load = async () => (await import('../state/state.ts')).State;
  return {
    location,
    take: async (service, { waitMs, onWait, writesBranch = false, command = '' }) => {
      const options = await optionsFor(service);
      if (options.location.kind === 'branch' && !writesBranch)
        throw onlyInCi(options.location.branch, command);
      return (await load()).take(options, waitMs, onWait);
    },
    join: async (service) => (await load()).join(await optionsFor(service)),
    read: async (service) => (await load()).openToRead(await optionsFor(service)),
    setUp: async () => (await load()).setUp({ location: await location(), clock }),
    unlock: async () => (await load()).unlock(await optionsFor(() => LIVE)),
  };
}

async function locate({ files, directory, env, git }: StateAccessPorts): Promise<StateLocation> {
  const text = await files.readText('herald.yaml').catch(nullIfMissing);
  if (text === null) return { kind: 'sqlite', directory };
  const { readState } = await import('../workspace/state.ts');
  const state = readState(text);
  if (state === null)
    throw new HeraldError(
      'state-url',
      'herald.yaml has errors, so Herald does not know where the state is.',
      formatCommand('validate'),
    );
  if (state === '.herald') return { kind: 'sqlite', directory };
  if ('git_branch' in state) {
    const { remote, git_branch: branch } = state;
    return { kind: 'branch', git, remote, branch, folder: await findFolder(git, branch) };
  }
  const { postgres: variable, workspace, lease_sec: leaseSec, retry_sec: retrySec } = state;
  const url = readSecret(env, variable);
  if (url !== null) return { kind: 'postgres', url, workspace, leaseSec, retrySec };
  throw new HeraldError(
    'state-url',
    `herald.yaml keeps the state in a database, and ${variable} is not set.`,
    `Set ${variable} to postgres://USER:PASSWORD@HOST/DATABASE.`,
  );
}

/** Null for a file that does not exist. With one that cannot be read, no run begins, because its state would be empty. */
function nullIfMissing(error: unknown): null {
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/** The folder of the workspace in its repository. Several workspaces may have one branch. */
async function findFolder(git: RunGit, branch: string): Promise<string> {
  const { exitCode, stdout } = await git(['rev-parse', '--show-prefix']);
  if (exitCode === 0) return stdout.trim().replace(/\/$/, '');
  throw new HeraldError(
    'state-url',
    `herald.yaml keeps the state on the branch ${branch}, and this folder is not in a git repository.`,
    'Run Herald in a clone of the repository: git clone ADDRESS',
  );
}

function onlyInCi(branch: string, command: string): HeraldError {
  return new HeraldError(
    'state-read-only',
    `The state is on the branch ${branch}, and only ${formatCommand('ci', 'apply')} writes it. Nothing was sent.`,
    INSTEAD[command] ??
      'Keep the state in a database, such as state: { postgres: "${HERALD_STATE_URL}", workspace: NAME }, or in the folder of the workspace, without state:.',
  );
}

const START =
  'To start what people stopped, merge a pull request that adds allow: [resume] to herald.yaml, and then one that removes it. It starts all that people stopped and the files declare to run: its plan shows what.';

/** What does on a branch what these commands do elsewhere. The others have nothing there. */
const INSTEAD: Readonly<Record<string, string>> = {
  apply: 'Merge a pull request, and the job of its merge applies it.',
  'campaigns activate': START,
  'broadcasts resume': START,
};

/**
 * Opens the state of the service that `herald.yaml` names, for a command that does not connect to it. An address that never
 * answered as a simulator is the live service.
 */
export async function openWithoutService(
  open: (service: ServiceName) => Promise<State>,
  files: Pick<Files, 'readText'>,
  target: ServiceTarget,
): Promise<State> {
  const isWorld = target.kind === 'simulator';
  let name = isWorld ? await nameWorld(files, target.worldFile) : target.baseUrl;
  const state = await open(() => name);
  if (isWorld) return state;
  try {
    const rows = [await state.history({ limit: 1 }), await state.allObjects()].flat();
    if (rows.length === 0) name = LIVE;
    return state;
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** A world that is not made yet, or cannot be read, has no rows. */
async function nameWorld(files: Pick<Files, 'readText'>, worldFile: string): Promise<string> {
  const { parseWorld } = await import('../simulator/world.ts');
  try {
    return worldOrigin(worldFile, parseWorld(await files.readText(worldFile)).id);
  } catch {
    return worldOrigin(worldFile, 'none');
  }
}
