import type { Context } from '../context.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { lastAccountIds } from '../ledger/account-ids.ts';
import { readLedger } from '../ledger/ledger.ts';
import type { LedgerLine } from '../ledger/lines.ts';
import { movedAccounts, movedWords, refuseMoved } from '../live/moved-accounts.ts';
import { visibleProse } from '../render/visible.ts';
import type { Service } from './service.ts';

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
  lines: readonly LedgerLine[],
): void {
  refuseMoved(workspace.accounts, accounts, new Map([...lastAccountIds(lines), ...accountIds]));
  for (const { alias, accountId } of accounts) accountIds.set(alias, accountId);
}

/** The same for the one account that a command changes something of. */
export function refuseMovedAlias(
  { accounts }: WorkspaceSettings,
  account: Account,
  lines: readonly LedgerLine[],
): void {
  refuseMoved(accounts, [account], lastAccountIds(lines));
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
  const { lines } = await readLedger(files, client.address);
  for (const moved of movedAccounts(settings.accounts, named, lastAccountIds(lines)))
    output.fail(`warning: ${visibleProse(movedWords(moved))}. What is shown is of account ${moved.is}.`);
}
