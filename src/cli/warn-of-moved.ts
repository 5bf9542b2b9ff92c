import type { AccountId } from '../domain/ids.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import { nameService, withState } from '../library/state-access.ts';
import { findMoved, describeMoved } from '../live/accounts.ts';
import type { Service } from './accounts.ts';
import type { Context } from './context.ts';
import { warningLine } from './notice.ts';

interface Account {
  readonly alias: string;
  /** Null if only the platform's id is known. */
  readonly accountId: AccountId | null;
}

/** Warns if an alias now names another account than in the state. Reads use the account of today. */
export async function warnOfMoved(
  context: Context,
  { settings, client }: Service,
  looked: readonly Account[],
): Promise<void> {
  const named = looked.filter(({ alias }) =>
    settings.accounts.some((account) => account.alias === alias && account.selector.by !== 'id'),
  );
  // An account with an id in the files cannot move.
  if (named.length === 0) return;
  const { aliases } = await withState(
    context.state.read(() => nameService(client)),
    (state) => state.known([]),
  );
  const before = new Map(aliases.map(({ alias, account_id: id }) => [alias, id]));
  for (const moved of findMoved(settings.accounts, named, before))
    context.output.fail(
      warningLine(
        'account-moved',
        shown`${visibleProse(describeMoved(moved))}. The output is about account ${moved.is}.`,
      ),
    );
}
