import type { AccountState } from '../state.ts';
import type { World } from '../world.ts';
import type { AccountList, Plan } from './data.ts';
import { mix, mixText } from './mix.ts';
import { planOf } from './plans.ts';

/** What every row of one list of one account is derived from. */
export interface Ground {
  readonly plan: Plan;
  readonly seed: number;
  /** Ids of an account's list begin alike. */
  readonly idPrefix: string;
  /** The fans who are with the account now. */
  readonly fans: readonly string[];
  /** Ids of fans who have left begin alike. */
  readonly formerPrefix: string;
  /** Closes a row, with members that no document names where the world has them. */
  readonly close: string;
}

export function groundOf(world: World, account: AccountState, list: AccountList): Ground {
  const accountSeed = mixText(world.data.seed, account.live.id);
  const seed = mixText(accountSeed, list);
  return {
    plan: planOf(world, account, list),
    seed,
    idPrefix: String(100_000_000 + (seed % 800_000_000)),
    fans: account.fans,
    formerPrefix: String(100_000_000_000_000 + accountSeed),
    close: world.modes.extraFields ? ',"revision":1}' : '}',
  };
}

const LONG_ID_DIGITS = 10;

/** 19 digits mostly and fewer now and then (ACCOUNT-1: at most 19). */
export function longId({ idPrefix }: Ground, k: number): string {
  return k % 5 === 0 ? `${idPrefix}${k}` : `${idPrefix}${String(k).padStart(LONG_ID_DIGITS, '0')}`;
}

/** A handful of digits, as links have it. */
export function shortId({ idPrefix }: Ground, k: number): string {
  return `${idPrefix.slice(0, 4)}${k}`;
}

const FORMER_EVERY = 4;
const FORMER_FANS = 2000;

/** A fan of the account, or one of those who have left it; their ids have up to 19 digits. */
export function fanOf({ fans, formerPrefix }: Ground, mixed: number): string {
  const chosen = mix(mixed, 7);
  const present = chosen % FORMER_EVERY === 0 ? undefined : fans[chosen % fans.length];
  return present ?? `${formerPrefix}${mix(chosen, 8) % FORMER_FANS}`;
}
