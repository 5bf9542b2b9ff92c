import { formatCommand } from '../../domain/command-line.ts';
import { shown } from '../../domain/visible.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** `herald state init`: creates the tables of the state database, and adds the workspace. */
export async function stateInitCommand(context: Context): Promise<number> {
  const location = await context.state.location();
  if (location.kind === 'branch')
    throw new HeraldError(
      'bad-flag',
      `The state is on the branch ${location.branch}, which needs no setup.`,
      `Merge a pull request: the first ${formatCommand('ci', 'apply')} creates the branch.`,
    );
  if (location.kind === 'sqlite')
    throw new HeraldError(
      'bad-flag',
      'The state is in the folder of the workspace, which needs no setup.',
      'To use a database, add to herald.yaml: state: { postgres: "${HERALD_STATE_URL}", workspace: NAME }',
    );
  await context.state.setUp();
  context.output.result(
    shown`The database has the workspace ${location.workspace}.\nNext: ${formatCommand('plan')}\n`,
  );
  return EXIT.done;
}
