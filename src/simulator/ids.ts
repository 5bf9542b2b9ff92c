import { drawBelow } from './random.ts';
import type { AccountState } from './state.ts';
import type { World } from './world.ts';

/** The largest step from one id to the next. Ids grow, but not by one. */
const MAX_STEP = 9;

type Counter = 'nextCampaignId' | 'nextBroadcastId' | 'nextListId' | 'nextMediaId' | 'nextTransactionId';

/** A new id: growing, beyond 2^53, and soon one digit longer (ACCOUNT-1). */
export function takeId(world: World, counter: Counter): string {
  const id = world[counter];
  world[counter] = String(BigInt(id) + BigInt(1 + drawBelow(world, MAX_STEP)));
  return id;
}

/** The id of a fan list. The same name means the same list of the account. */
export function listId(world: World, account: AccountState, name: string): string {
  const known = Object.hasOwn(account.lists, name) ? account.lists[name] : undefined;
  if (known !== undefined) return known;
  const id = takeId(world, 'nextListId');
  account.lists[name] = id;
  return id;
}
