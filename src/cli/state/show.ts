import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { openState } from './open.ts';
import { reportState } from './report.ts';

/** `herald state show`: where the ledger and the lease are, and who uses them. Changes nothing. */
export async function stateShowCommand(context: Context): Promise<number> {
  return openState(context, async ({ state }) => {
    await reportState(context, state, {});
    return EXIT.done;
  });
}
