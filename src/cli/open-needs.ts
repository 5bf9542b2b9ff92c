import type { WorkspaceSettings } from '../domain/workspace.ts';
import { loadFiles } from '../library/media.ts';
import { leaseWait, LIVE, openWithoutService, withState } from '../library/state-access.ts';
import { loadSettings, requireValid } from '../workspace/load.ts';
import { openService } from './accounts.ts';
import type { Context } from './context.ts';
import type { AnyCommand, AnyResult } from './define-command.ts';
import { workspacePorts } from './engine-ports.ts';

type Run = (opened: unknown) => Promise<AnyResult> | AnyResult;

/** What a command needs, other than nothing. The lease ends with the command. */
export async function openFor(
  needs: Exclude<AnyCommand['needs'], 'nothing'>,
  context: Context,
  run: Run,
): Promise<AnyResult> {
  const { state: access, files } = context;
  switch (needs) {
    case 'files':
      return run(requireValid(await loadFiles(context)));
    case 'workspace': {
      const { openFiles } = await import('../library/open.ts');
      return run(await openFiles(workspacePorts(context)));
    }
    case 'service':
      return run(await openService(context));
    case 'reads':
      return run(await openService(context, { mayLackFile: true }));
    case 'state': {
      const { service } = await readSettings(context);
      const opening = openWithoutService((name) => access.read(name), files, service.target);
      return withState(opening, async (state) => run(state));
    }
    case 'record':
      return withState(
        access.read(() => LIVE),
        async (state) => run(state),
      );
    case 'lease': {
      const settings = await readSettings(context);
      // Nothing is sent, so a state on a git branch can be written as well.
      const wait = { ...leaseWait(workspacePorts(context)), writesBranch: true };
      return withState(
        openWithoutService((name) => access.take(name, wait), files, settings.service.target),
        (state) => context.protect(async () => run({ state, settings })),
      );
    }
  }
}

/** The settings, for a command that does not connect to the service. Throws with the errors of the workspace. */
async function readSettings({ files, env }: Pick<Context, 'files' | 'env'>): Promise<WorkspaceSettings> {
  return requireValid(await loadSettings(files, { env, mayLackFile: true })).settings;
}
