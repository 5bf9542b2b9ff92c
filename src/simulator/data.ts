import * as z from 'zod';
import { notFound, Refusal } from './answers.ts';

/** The lists with generated rows. Each belongs to one account. */
const LISTS = [
  'subscriptions',
  'tracking_links',
  'tracking_link_users',
  'trial_links',
  'trial_link_users',
  'chargebacks',
  'transactions',
] as const;
export type List = (typeof LISTS)[number];

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

export const plansShape = z.partialRecord(z.enum(LISTS), planShape);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const endless = (fromMs: number, stepMs: number): Plan => ({ fromMs, stepMs, rows: null });
/** No world starts before this, so that every new world has a past. */
const LINKS_FROM_MS = Date.UTC(2024, 0);
/** From then on there are links that bring fans. */
const PEOPLE_FROM_MS = Date.UTC(2024, 3);

/** Fixed dates, so that a world without a file shows the same rows in every run. */
export const DEFAULT_PLANS: Readonly<Record<List, Plan>> = {
  tracking_links: endless(LINKS_FROM_MS, 10 * DAY_MS),
  trial_links: endless(LINKS_FROM_MS, 15 * DAY_MS),
  tracking_link_users: endless(PEOPLE_FROM_MS, 12 * HOUR_MS),
  trial_link_users: endless(PEOPLE_FROM_MS, DAY_MS),
  subscriptions: endless(PEOPLE_FROM_MS, 12 * HOUR_MS),
  transactions: endless(PEOPLE_FROM_MS, 6 * HOUR_MS),
  chargebacks: endless(PEOPLE_FROM_MS, 5 * DAY_MS),
};

const DEFAULT_SEED = 1;
const MEMBERS_MAX = 100_000;

/** The source of all generated rows of a world. Even a million rows use no storage. */
export const dataShape = z.strictObject({
  seed: z.int().default(DEFAULT_SEED),
  members: z.int().default(12),
  plans: plansShape.default({}),
});

const count = z.int().min(0);
const instant = z.iso.datetime({ offset: true });

/** The number of rows of a list. Without `to` they end now, without `from` they begin 60 days before. */
const rowsShape = z.union([
  count,
  z.strictObject({ rows: count, from: instant.optional(), to: instant.optional() }),
]);
const rowsByList = Object.fromEntries(LISTS.map((list) => [list, rowsShape])) as Record<
  List,
  typeof rowsShape
>;

/** The size of some lists, for tests and `/__sim/data`. The others stay. */
export const dataSettingsShape = z
  .strictObject({
    /** Absent: all accounts without their own setting. */
    account_id: z.string(),
    ...rowsByList,
    members: count.max(MEMBERS_MAX),
  })
  .partial();
export interface DataSettings extends z.infer<typeof dataSettingsShape> {}

const DEFAULT_SPAN_MS = 60 * DAY_MS;

/** The parts of a world that generated rows depend on. */
interface World {
  readonly data: z.infer<typeof dataShape>;
  readonly nowMs: number;
  readonly accounts: Readonly<Record<string, { readonly data: z.infer<typeof plansShape> }>>;
}

/** Sets the size of lists, for one account or for all without their own setting. */
export function setData({ data, nowMs, accounts }: World, settings: DataSettings): void {
  const { account_id, members, ...lists } = settings;
  if (members !== undefined && account_id !== undefined)
    throw new Refusal(400, 'members belong to the organisation, not to an account');
  if (account_id !== undefined && !Object.hasOwn(accounts, account_id))
    throw notFound(`Account ${account_id}`);
  const plans = accounts[account_id ?? '']?.data ?? data.plans;
  for (const list of LISTS) {
    const setting = lists[list];
    if (setting !== undefined) plans[list] = planRows(nowMs, setting);
  }
  if (members !== undefined) data.members = members;
}

function planRows(nowMs: number, setting: z.infer<typeof rowsShape>): Plan {
  const { rows, from, to } = typeof setting === 'number' ? { rows: setting } : setting;
  if (to === undefined && nowMs === 0)
    throw new Refusal(400, 'give from and to: the time of this world has not started');
  const toMs = to === undefined ? nowMs : Date.parse(to);
  const fromMs = from === undefined ? toMs - DEFAULT_SPAN_MS : Date.parse(from);
  const stepMs = (toMs - fromMs) / Math.max(rows, 1);
  if (stepMs < 1) throw new Refusal(400, 'at most one row per millisecond fits, and from must be before to');
  return { fromMs, stepMs, rows };
}
