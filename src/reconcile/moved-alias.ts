import type { AccountId } from '../domain/ids.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import type { Reduced } from '../ledger/reduced.ts';
import { refuseMoved } from '../live/moved-accounts.ts';

interface Account {
  readonly alias: string;
  /** Null if only the platform's id is known. */
  readonly accountId: AccountId | null;
}

/** Throws if an alias names another account than in earlier runs, or than earlier in this one. */
export function refuseMovedSince(
  {
    workspace,
    accountIds,
  }: { readonly workspace: WorkspaceSettings; readonly accountIds: Map<string, string> },
  accounts: readonly (Account & { readonly accountId: AccountId })[],
  ledger: Pick<Reduced, 'accountIds'>,
): void {
  refuseMoved(workspace.accounts, accounts, new Map([...ledger.accountIds, ...accountIds]));
  for (const { alias, accountId } of accounts) accountIds.set(alias, accountId);
}

/** The same, for the account of a command. */
export function refuseMovedAlias(
  { accounts }: WorkspaceSettings,
  account: Account,
  ledger: Pick<Reduced, 'accountIds'>,
): void {
  refuseMoved(accounts, [account], ledger.accountIds);
}
