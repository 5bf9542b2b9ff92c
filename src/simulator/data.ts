import * as z from 'zod';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The rows of a list in time: row k is in the k-th cell of `stepMs`, counted from `fromMs`. Without `rows` the
 * list is infinite. Rows of the future are hidden.
 */
const planShape = z.strictObject({
  fromMs: z.number(),
  stepMs: z.number().min(1),
  rows: z.int().min(0).nullable(),
});
export interface Plan extends z.infer<typeof planShape> {}

/** No world starts before this, so that every new world has a past. */
const LINKS_FROM_MS = Date.UTC(2024, 0);
/** From then on there are links that bring fans. */
const FANS_FROM_MS = Date.UTC(2024, 3);

/**
 * The lists with generated rows, each of one account. They are endless and from a fixed date, so that a world without a file
 * shows the same rows in every run.
 */
export const DEFAULT_PLANS = {
  subscriptions: { fromMs: FANS_FROM_MS, stepMs: 12 * HOUR_MS, rows: null },
  tracking_links: { fromMs: LINKS_FROM_MS, stepMs: 10 * DAY_MS, rows: null },
  tracking_link_users: { fromMs: FANS_FROM_MS, stepMs: 12 * HOUR_MS, rows: null },
  trial_links: { fromMs: LINKS_FROM_MS, stepMs: 15 * DAY_MS, rows: null },
  trial_link_users: { fromMs: FANS_FROM_MS, stepMs: DAY_MS, rows: null },
  chargebacks: { fromMs: FANS_FROM_MS, stepMs: 5 * DAY_MS, rows: null },
  transactions: { fromMs: FANS_FROM_MS, stepMs: 6 * HOUR_MS, rows: null },
} as const satisfies Record<string, Plan>;
export type List = keyof typeof DEFAULT_PLANS;
export const LISTS = Object.keys(DEFAULT_PLANS) as List[];

/** The source of all generated rows of a world. Even a million rows use no storage. */
export const dataShape = z.strictObject({
  seed: z.int().default(1),
  members: z.int().default(12),
  plans: z.partialRecord(z.enum(LISTS), planShape).default({}),
});
