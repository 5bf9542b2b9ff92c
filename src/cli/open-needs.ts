import { openFiles, withoutService } from '../library/connect.ts';
import { loadFiles } from '../library/media.ts';
import { LIVE_PLACE, withState } from '../library/state-access.ts';
import { requireValid } from '../workspace/load.ts';
import { openService } from './accounts.ts';
import type { Context } from './context.ts';
import type { AnyCommand, AnyResult } from './define-command.ts';

/** What a command needs, other than nothing. The lease ends with the command. */
export async function openFor(
  needs: Exclude<AnyCommand['needs'], 'nothing'>,
  context: Context,
  run: (opened: unknown) => Promise<AnyResult> | AnyResult,
): Promise<AnyResult> {
  const { state: access } = context;
  switch (needs) {
    case 'files':
      return run(requireValid(await loadFiles(context)));
    case 'workspace':
      return run(await openFiles(context));
    case 'service':
      return run(await openService(context));
    case 'reads':
      return run(await openService(context, { mayLackFile: true }));
    case 'state':
      return withoutService(context, access.read, async (state) => run(state));
    case 'record':
      return withState(access.read(LIVE_PLACE), async (state) => run(state));
    case 'lease': {
      // Nothing is sent, so a state on a git branch can be written as well.
      const wait = { ...context, command: null };
      return withoutService(
        context,
        (place) => access.take(place, wait),
        (state, settings) => context.protect(async () => run({ state, settings })),
        wait.report,
      );
    }
  }
}
