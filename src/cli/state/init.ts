import { formatCommand } from '../../domain/command-line.ts';
import { shown } from '../../domain/visible.ts';
import { configuredState } from '../../library/configured-state.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { statePorts } from '../with-configured-state.ts';

/** `herald state init`: creates the schema of the state database, or brings it to this version, and adds the workspace. */
export async function stateInitCommand(
  context: Context,
  flags: { readonly adoptState: boolean },
): Promise<number> {
  const configured = await configuredState(statePorts(context));
  const { postgres, workspace } = configured;
  try {
    // Says what is wrong with the settings, where something is.
    if (postgres === null) await context.state.leases.holder();
    if (postgres === null)
      throw new CommandError(
        'bad-flag',
        'The state is kept in files, which need no setup.',
        'To use a database, add to herald.yaml: state: { postgres: "${HERALD_STATE_URL}", workspace: NAME }',
      );
    const added = await postgres.init(flags.adoptState);
    const schema = added.length === 0 ? 'The schema was up to date.' : 'The schema is set up.';
    context.output.result(
      shown`${schema} ${postgres.name} has the workspace ${workspace ?? ''}.\nNext: ${formatCommand('plan')}\n`,
    );
    return EXIT.done;
  } finally {
    await configured.close();
  }
}
