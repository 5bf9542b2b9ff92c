import type { AccountState } from '../state.ts';
import type { World } from '../world.ts';
import type { AccountList, Plan } from './data.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** No world starts before this, so that every new world has a past. */
const LINKS_FROM_MS = Date.UTC(2024, 0);
/** From then on there are links that bring fans. */
const PEOPLE_FROM_MS = Date.UTC(2024, 3);

/** Fixed dates, so that a world without a file shows the same rows in every run. */
const DEFAULT_PLANS: Readonly<Record<AccountList, Plan>> = {
  tracking_links: { fromMs: LINKS_FROM_MS, stepMs: 10 * DAY_MS, rows: null },
  trial_links: { fromMs: LINKS_FROM_MS, stepMs: 15 * DAY_MS, rows: null },
  tracking_link_users: { fromMs: PEOPLE_FROM_MS, stepMs: 12 * HOUR_MS, rows: null },
  trial_link_users: { fromMs: PEOPLE_FROM_MS, stepMs: DAY_MS, rows: null },
  subscriptions: { fromMs: PEOPLE_FROM_MS, stepMs: 12 * HOUR_MS, rows: null },
  transactions: { fromMs: PEOPLE_FROM_MS, stepMs: 6 * HOUR_MS, rows: null },
  chargebacks: { fromMs: PEOPLE_FROM_MS, stepMs: 5 * DAY_MS, rows: null },
};

/** The account's own plan of a list, or the world's, or the default. */
export function planOf(world: World, account: AccountState, list: AccountList): Plan {
  return account.data[list] ?? world.data.plans[list] ?? DEFAULT_PLANS[list];
}
