import { shown, visibleProse } from '../domain/visible.ts';
import { LedgerReader } from '../ledger/reader.ts';
import { movedAccounts, movedWords } from '../live/moved-accounts.ts';
import type { Service } from './accounts.ts';
import type { Context } from './context.ts';

interface Account {
  readonly alias: string;
  /** Null where only the platform's id is known. */
  readonly accountId: string | null;
}

/** What is only read is read of the account that the name leads to now, and that is said. */
export async function warnOfMoved(
  { state, output }: Context,
  { settings, client }: Service,
  looked: readonly Account[],
): Promise<void> {
  const named = looked.filter(({ alias }) =>
    settings.accounts.some((account) => account.alias === alias && account.selector.by !== 'id'),
  );
  // A ledger may be long, and an account that states its id cannot move.
  if (named.length === 0) return;
  const ledger = await new LedgerReader(state.ledger, client.address).read();
  for (const moved of movedAccounts(settings.accounts, named, ledger.accountIds))
    output.fail(shown`warning: ${visibleProse(movedWords(moved))}. What is shown is of account ${moved.is}.`);
}
