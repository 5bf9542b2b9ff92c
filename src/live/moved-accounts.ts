import { formatCommand } from '../domain/command-line.ts';
import type { AccountId } from '../domain/ids.ts';
import type { WorkspaceAccount } from '../domain/workspace.ts';

/** An alias that means another account than in earlier runs. */
export interface MovedAccount {
  readonly account: WorkspaceAccount;
  readonly was: string;
  readonly is: string;
}

/** An account that was looked up; its id is null where only the platform's is known. */
interface LookedUp {
  readonly alias: string;
  readonly accountId: AccountId | null;
}

/**
 * Aliases with a username, label or platform id that now belongs to another account than in earlier runs, because
 * names can move between accounts. `known` has the id of each alias's last use. An alias that states the account
 * id is safe.
 */
export function movedAccounts(
  accounts: readonly WorkspaceAccount[],
  lookedUp: readonly LookedUp[],
  known: ReadonlyMap<string, string>,
): readonly MovedAccount[] {
  return lookedUp.flatMap(({ alias, accountId: is }) => {
    const account = accounts.find((one) => one.alias === alias);
    const was = known.get(alias);
    if (account === undefined || account.selector.by === 'id' || is === null) return [];
    return was === undefined || was === is ? [] : [{ account, was, is }];
  });
}

/** `"alice" (username "creator_0") was account 101 in earlier runs and is account 102 now` */
export function movedWords({ account: { alias, selector }, was, is }: MovedAccount): string {
  return `"${alias}" (${selector.by} "${selector.value}") was account ${was} in earlier runs and is account ${is} now`;
}

/** Money and messages must not go to another account only because a name has moved. */
export class MovedAccountsError extends Error {
  override readonly name = 'MovedAccountsError';
  readonly moved: readonly MovedAccount[];
  readonly hint: string;
  constructor(moved: readonly MovedAccount[]) {
    super(`${moved.map(movedWords).join('. ')}.`);
    this.moved = moved;
    this.hint = [
      `Nothing was sent. To see both: ${formatCommand('accounts', 'list')}. Then write the id of the right account in herald.yaml:`,
      ...moved.map(wayOut),
    ].join('\n');
  }
}

/** The lines to write in `herald.yaml`. */
export function wayOut({ account: { alias, source }, was, is }: MovedAccount): string {
  const place = `${source.file}:${source.line}`;
  return `${place}: ${alias}: { id: "${was}" } for the earlier account, or ${alias}: { id: "${is}" } for the other one.`;
}

/** Throws `MovedAccountsError` where an alias stands for another account than in earlier runs. */
export function refuseMoved(
  accounts: readonly WorkspaceAccount[],
  lookedUp: readonly LookedUp[],
  known: ReadonlyMap<string, string>,
): void {
  const moved = movedAccounts(accounts, lookedUp, known);
  if (moved.length > 0) throw new MovedAccountsError(moved);
}
