import { invalidFiles } from '../../library/errors.ts';
import { openWithoutService } from '../../library/state-without-service.ts';
import { withState } from '../../library/state-access.ts';
import type { State } from '../../state/state.ts';
import type { WorkspaceSettings } from '../../domain/workspace.ts';
import { loadSettings } from '../../workspace/load.ts';
import type { Context } from '../context.ts';
import { leaseWait } from '../lease-wait.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The settings, for a command that does not connect to the service. Throws with the errors of the workspace. */
async function readSettings({ files, env }: Pick<Context, 'files' | 'env'>): Promise<WorkspaceSettings> {
  const loaded = await loadSettings(files, { env, mayLackFile: true });
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  return loaded.settings;
}

/** Reads the state of the service that `herald.yaml` names. */
export async function readingState<Result>(
  context: Context,
  work: (state: State) => Promise<Result>,
): Promise<Result> {
  const { state: access, files } = context;
  const { service } = await readSettings(context);
  return withState(
    openWithoutService((name) => access.read(name), files, service.target),
    work,
  );
}

/** Changes the state with the lease. Nothing is sent, so a state on a git branch can be written as well. */
export async function changingState<Result>(
  context: Context,
  work: (state: State, settings: WorkspaceSettings) => Promise<Result>,
): Promise<Result> {
  const { state: access, files } = context;
  const settings = await readSettings(context);
  const wait = { ...leaseWait(context), writesBranch: true };
  return withState(
    openWithoutService((name) => access.take(name, wait), files, settings.service.target),
    (state) => context.protect(() => work(state, settings)),
  );
}

const BECAUSE_MAX = 500;

/** What a person wrote who decides. */
export function readReason(because: string): string {
  const reason = because.trim();
  if (/[^\p{C}\p{Z}]/u.test(reason) && reason.length <= BECAUSE_MAX) return reason;
  throw new HeraldError(
    'bad-flag',
    `--because must have 1 to ${BECAUSE_MAX} characters.`,
    'Write what you found, and where.',
  );
}
