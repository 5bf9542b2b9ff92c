import { accountOf } from './access.ts';
import type { AccountEdit } from './seed-shape.ts';
import type { AccountState } from './state.ts';
import type { World } from './world.ts';

/** Changes an account as a person does. A username may move to another account. */
export function editAccount(world: World, accountId: string, set: AccountEdit): AccountState {
  const account = accountOf(world, accountId);
  const given = Object.entries(set).filter(([, value]) => value !== undefined);
  Object.assign(account.live, Object.fromEntries(given));
  return account;
}
