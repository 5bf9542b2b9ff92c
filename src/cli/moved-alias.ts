import type { Context } from './context.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import { LedgerReader } from '../ledger/reader.ts';
import type { Reduced } from '../ledger/reduction.ts';
import { movedAccounts, movedWords, refuseMoved } from '../live/moved-accounts.ts';
import type { Service } from './accounts.ts';

interface Account {
  readonly alias: string;
  /** Null where only the platform's id is known. */
  readonly accountId: string | null;
}

/** Throws where an alias stands for another account than in earlier runs, or than earlier in this one. */
export function refuseMovedSince(
  {
    workspace,
    accountIds,
  }: { readonly workspace: WorkspaceSettings; readonly accountIds: Map<string, string> },
  accounts: readonly (Account & { readonly accountId: string })[],
  ledger: Pick<Reduced, 'accountIds'>,
): void {
  refuseMoved(workspace.accounts, accounts, new Map([...ledger.accountIds, ...accountIds]));
  for (const { alias, accountId } of accounts) accountIds.set(alias, accountId);
}

/** The same for the one account that a command changes something of. */
export function refuseMovedAlias(
  { accounts }: WorkspaceSettings,
  account: Account,
  ledger: Pick<Reduced, 'accountIds'>,
): void {
  refuseMoved(accounts, [account], ledger.accountIds);
}

/** What is only read is read of the account that the name leads to now, and that is said. */
export async function warnOfMoved(
  { files, output }: Context,
  { settings, client }: Service,
  looked: readonly Account[],
): Promise<void> {
  const named = looked.filter(({ alias }) =>
    settings.accounts.some((account) => account.alias === alias && account.selector.by !== 'id'),
  );
  // A ledger may be long, and an account that states its id cannot move.
  if (named.length === 0) return;
  const ledger = await new LedgerReader(files, client.address).read();
  for (const moved of movedAccounts(settings.accounts, named, ledger.accountIds))
    output.fail(shown`warning: ${visibleProse(movedWords(moved))}. What is shown is of account ${moved.is}.`);
}
