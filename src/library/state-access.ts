import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Clock, Files } from '../domain/ports.ts';
import { readSecret } from '../domain/secret.ts';
import type { RunGit } from '../state/git-branch.ts';
import type { State, StateLocation, StateOptions } from '../state/state.ts';
import type { Run } from '../engine/run.ts';

/** The service with the rows that are meant, which may be known only after its first answer, and its time. */
export type StatePlace = Pick<StateOptions, 'service' | 'latestMs'>;

/** How a run waits for the lease of another one. It prints once who has it. */
export interface LeaseWait extends Pick<Run, 'report'> {
  readonly lockTimeoutMs: number;
  /** What takes the lease. With the state on a git branch, the error says what works instead. Null: it may write there. */
  readonly command: string | null;
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

/** The name of every service that is not a simulator. */
export const LIVE = 'live';

export const LIVE_PLACE: StatePlace = { service: () => LIVE };

/** The state of a workspace where `herald.yaml` keeps it: in the workspace's folder unless it names another place. */
export type StateAccess = ReturnType<typeof stateAccess>;

export function stateAccess(ports: StateAccessPorts) {
  const { clock, identity, process } = ports;
  let located: Promise<StateLocation> | null = null;
  const location = () => (located ??= locate(ports));
  const holder = `${identity.who}, ${process}`;
  const open = async <Result>(
    place: StatePlace,
    by: (state: typeof State, options: StateOptions) => Promise<Result>,
  ): Promise<Result> => {
    const options = { ...place, ...identity, location: await location(), clock, holder };
    // Loaded with its first use: most commands need no database.
    return by((await import('../state/state.ts')).State, options);
  };
  return {
    /** Rejects with `state-…` if `herald.yaml` or the environment is wrong: no run goes on with an empty state instead. */
    location,
    /** Opens it with the lease. Rejects with `locked` while another run has it. */
    take: (place: StatePlace, { lockTimeoutMs, report, command }: LeaseWait) =>
      open(place, async (state, options) => {
        const { location: at } = options;
        if (at.kind === 'branch' && command !== null) throw onlyInCi(at.branch, command);
        return state.take(options, lockTimeoutMs, (other) =>
          report({ kind: 'waiting-for-lease', holder: other, timeoutMs: lockTimeoutMs }),
        );
      }),
    /** Opens it without the lease, to record what does not wait for other runs. Nothing can be started. */
    join: (place: StatePlace) => open(place, (state, options) => state.join(options)),
    /** Opens it to read. Creates nothing. */
    read: (place: StatePlace) => open(place, (state, options) => state.openToRead(options)),
    /** Creates the tables of a database, and adds the workspace. Running it again changes nothing. */
    setUp: () => open(LIVE_PLACE, (state, options) => state.setUp(options)),
    /** Ends the lease of a run that is gone. Returns its holder; null if no run has it. */
    unlock: () => open(LIVE_PLACE, (state, options) => state.unlock(options)),
  };
}

async function locate({ files, directory, env, git }: StateAccessPorts): Promise<StateLocation> {
  const text = await files.readText('herald.yaml').catch(nullIfMissing);
  if (text === null) return { kind: 'sqlite', directory };
  const { readState } = await import('../workspace/workspace.ts');
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

/** What the job of a merge does in their place. The other commands have nothing there. */
const DONE_BY_MERGE = ['apply', 'campaigns activate', 'broadcasts resume'];

function onlyInCi(branch: string, command: string): HeraldError {
  return new HeraldError(
    'state-read-only',
    `The state is on the branch ${branch}, and only ${formatCommand('ci', 'apply')} writes it. Nothing was sent.`,
    DONE_BY_MERGE.includes(command)
      ? 'Merge a pull request, and its job applies it, or every difference with ci: { scope: all } in herald.yaml. To start all that people stopped and the files declare to run, add allow: [resume] to herald.yaml in one, and remove it in the next.'
      : 'Keep the state in a database, such as state: { postgres: "${HERALD_STATE_URL}", workspace: NAME }, or in the folder of the workspace, without state:.',
  );
}

/**
 * Work with a state, which is closed after it, however it ends. A close that fails is reported next to the end of the work, and
 * not in its place: something may have been sent.
 */
export async function withState<Opened extends Pick<State, 'close'>, Result>(
  opening: Opened | Promise<Opened>,
  work: (state: Opened) => Promise<Result>,
  report?: Run['report'],
): Promise<Result> {
  const state = await opening;
  try {
    return await work(state);
  } finally {
    await state.close().catch((error: unknown) => {
      if (report === undefined || !(error instanceof HeraldError)) throw error;
      report({ kind: 'unclosed', error });
    });
  }
}
