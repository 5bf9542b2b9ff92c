import type { AccountState } from '../state.ts';
import type { World } from '../world.ts';
import type { AccountList, Plan } from './data.ts';
import type { HappenedRow } from './happened.ts';
import { mix, mixText } from './mix.ts';
import { planOf } from './plans.ts';

/** The source of all rows of one list of one account. */
export interface RowSource {
  readonly plan: Plan;
  readonly seed: number;
  /** The common start of the ids of a list. */
  readonly idPrefix: string;
  /** The current fans of the account. */
  readonly fans: readonly string[];
  /** The common start of the ids of former fans. */
  readonly formerPrefix: string;
  /** The end of a row, with additional members if the mode adds them. */
  readonly close: string;
  /** Rows that were not generated, oldest first. */
  readonly happened: readonly HappenedRow[];
}

export function rowSourceOf(world: World, account: AccountState, list: AccountList): RowSource {
  const accountSeed = mixText(world.data.seed, account.live.id);
  const seed = mixText(accountSeed, list);
  return {
    plan: planOf(world, account, list),
    seed,
    idPrefix: String(100_000_000 + (seed % 800_000_000)),
    fans: account.fans,
    formerPrefix: String(100_000_000_000_000 + accountSeed),
    close: world.modes.extraFields ? ',"revision":1}' : '}',
    happened: list === 'transactions' || list === 'subscriptions' ? account.happened[list] : [],
  };
}

const LONG_ID_DIGITS = 10;

/** Usually 19 digits, sometimes fewer (ACCOUNT-1: at most 19). */
export function longId({ idPrefix }: RowSource, k: number): string {
  return k % 5 === 0 ? `${idPrefix}${k}` : `${idPrefix}${String(k).padStart(LONG_ID_DIGITS, '0')}`;
}

/** A short id, as links have it. */
export function shortId({ idPrefix }: RowSource, k: number): string {
  return `${idPrefix.slice(0, 4)}${k}`;
}

const FORMER_EVERY = 4;
const FORMER_FANS = 2000;

/** A current or a former fan. Ids have up to 19 digits. */
export function fanOf({ fans, formerPrefix }: RowSource, mixed: number): string {
  const chosen = mix(mixed, 7);
  const present = chosen % FORMER_EVERY === 0 ? undefined : fans[chosen % fans.length];
  return present ?? `${formerPrefix}${mix(chosen, 8) % FORMER_FANS}`;
}
