import type { ResolvedAccount } from '../domain/resource.ts';
import type { Inspection, Opened } from './source.ts';

/** The accounts with ids that are known: those that were looked up, and those that the file names by their ids. */
export function knownAccounts(
  { workspace }: Pick<Opened, 'workspace'>,
  { accounts }: Pick<Inspection, 'accounts'>,
): readonly ResolvedAccount[] {
  const named = workspace.accounts.flatMap(({ alias, selector: { by, value } }) =>
    by === 'id' ? [{ alias, accountId: value }] : [],
  );
  return [...named, ...accounts];
}
