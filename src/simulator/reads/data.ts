import * as z from 'zod';
import { notFound, Refusal } from '../refusal.ts';

/** The lists with generated rows. All but the members belong to one account. */
const ACCOUNT_LISTS = [
  'subscriptions',
  'tracking_links',
  'tracking_link_users',
  'trial_links',
  'trial_link_users',
  'chargebacks',
  'transactions',
] as const;
export type AccountList = (typeof ACCOUNT_LISTS)[number];

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

const plansShape = z.partialRecord(z.enum(ACCOUNT_LISTS), planShape);

/** The settings of one account that differ from the default plans. */
export const accountDataShape = plansShape.default({});

const DEFAULT_MEMBERS = 12;
const MEMBERS_MAX = 100_000;

/** The source of all generated rows of a world. Even a million rows use no storage. */
export const dataShape = z.strictObject({ seed: z.int(), members: z.int(), plans: plansShape });
export interface Data extends z.infer<typeof dataShape> {}

export function newData(seed: number): Data {
  return { seed, members: DEFAULT_MEMBERS, plans: {} };
}

const count = z.int().min(0);
const instant = z.iso.datetime({ offset: true });

/** The number of rows of a list. Without `to` they end now, without `from` they begin 60 days before. */
const rowsShape = z.union([
  count,
  z.strictObject({ rows: count, from: instant.optional(), to: instant.optional() }),
]);

const rowsByList = {
  subscriptions: rowsShape.optional(),
  tracking_links: rowsShape.optional(),
  tracking_link_users: rowsShape.optional(),
  trial_links: rowsShape.optional(),
  trial_link_users: rowsShape.optional(),
  chargebacks: rowsShape.optional(),
  transactions: rowsShape.optional(),
} as const satisfies Readonly<Record<AccountList, z.ZodType>>;

/** The size of some lists, for tests and `/__sim/data`. The others stay. */
export const dataSettingsShape = z.strictObject({
  /** Absent: all accounts without their own setting. */
  account_id: z.string().optional(),
  ...rowsByList,
  members: count.max(MEMBERS_MAX).optional(),
});
export interface DataSettings extends z.infer<typeof dataSettingsShape> {}

const DAY_MS = 86_400_000;
const DEFAULT_SPAN_MS = 60 * DAY_MS;

/** The parts of a world that generated rows depend on. */
interface World {
  readonly data: Data;
  readonly nowMs: number;
  readonly accounts: Readonly<Record<string, { readonly data: Data['plans'] }>>;
}

/** Sets the size of lists, for one account or for all without their own setting. */
export function setData({ data, nowMs, accounts }: World, settings: DataSettings): void {
  const { account_id, members, ...lists } = settings;
  if (members !== undefined && account_id !== undefined)
    throw new Refusal(400, 'members belong to the organisation, not to an account');
  const plans = account_id === undefined ? data.plans : accounts[account_id]?.data;
  if (plans === undefined) throw notFound(`Account ${account_id}`);
  for (const list of ACCOUNT_LISTS) {
    const setting = lists[list];
    if (setting !== undefined) plans[list] = planOf(nowMs, setting);
  }
  if (members !== undefined) data.members = members;
}

function planOf(nowMs: number, setting: z.infer<typeof rowsShape>): Plan {
  const { rows, from, to } = typeof setting === 'number' ? { rows: setting } : setting;
  if (to === undefined && nowMs === 0)
    throw new Refusal(400, 'give from and to: the time of this world has not started');
  const toMs = to === undefined ? nowMs : Date.parse(to);
  const fromMs = from === undefined ? toMs - DEFAULT_SPAN_MS : Date.parse(from);
  const stepMs = (toMs - fromMs) / Math.max(rows, 1);
  if (stepMs < 1) throw new Refusal(400, 'at most one row per millisecond fits, and from must be before to');
  return { fromMs, stepMs, rows };
}
