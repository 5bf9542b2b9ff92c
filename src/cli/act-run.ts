import type { AccountId } from '../domain/ids.ts';
import { formatCommand } from '../domain/command-line.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { Run } from '../engine/run.ts';
import { createRun } from '../library/runs.ts';
import { ensureServiceClockKnown } from '../live/scan.ts';
import type { Context } from './context.ts';
import { refuseMovedAlias, withLease, type Service } from './accounts.ts';
import { type ExitCode, EXIT } from '../domain/exit-codes.ts';
import { warningLine } from './notice.ts';
import { runPorts } from './reporter.ts';

/** The account of an act. */
interface ActAccount {
  readonly alias: string;
  /** Null if only the platform's id is known. */
  readonly accountId: AccountId | null;
}

/** Runs one recorded act with the lease. `command` is the name of the command for the record: `chat send`. */
export async function withActRun<Result>(
  context: Context,
  service: Service,
  { account, command }: { readonly account: ActAccount; readonly command: string },
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const { client, settings: workspace } = service;
  // An answer tells which service the state is about. If none was heard yet, this asks for one.
  await ensureServiceClockKnown(client);
  return withLease(context, service, async (state) => {
    await refuseMovedAlias(service, account, state);
    const { alias, accountId } = account;
    // A later run finds out by it that the alias has moved to another account.
    if (accountId !== null && alias !== accountId)
      await state.learn([{ kind: 'alias', alias, account_id: accountId }]);
    return work(createRun(runPorts(context), { client, workspace }, { state, command }));
  });
}

/** The exit code of an act that was carried out. `unrecorded` is why the state does not have its end. */
export function exitOfDone({ output }: Context, unrecorded: string | null): ExitCode {
  if (unrecorded === null) return EXIT.done;
  output.fail(
    warningLine(
      'not-on-record',
      shown`It was carried out, and the state could not record that: ${visibleProse(unrecorded)}. The state has it as unconfirmed. To see it: ${formatCommand('state', 'show')}`,
    ),
  );
  return EXIT.partly;
}
