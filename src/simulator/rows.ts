import { rowOf, type Operation } from '../api/catalogue.ts';
import { makeColumns } from '../api/columns.ts';
import type { CellKind, ListColumn } from '../domain/list-column.ts';
import { DEFAULT_PLANS, type List, type Plan } from './data.ts';
import { mix, mixText, pick } from './random.ts';
import type { AccountState, HappenedRows } from './state.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;

/** The source of all rows of one list of one account. */
export interface RowSource {
  readonly plan: Plan;
  readonly seed: number;
  /** The members of a row, and how each is made. */
  readonly makers: readonly (readonly [string, Maker])[];
  /** The current fans of the account. */
  readonly fans: readonly string[];
  /** The common start of the ids of former fans. */
  readonly formerPrefix: string;
  /** The links that bring fans. All of them come through the oldest links, in turn. */
  readonly linkIds: readonly string[];
  /** Rows that were not generated, oldest first. */
  readonly happened: HappenedRows;
}

const POPULAR_LINKS = 5;

/** The operations with generated rows, and their lists. */
export const GENERATED = {
  'traffic.subscriptions': 'subscriptions',
  'traffic.tracking-links': 'tracking_links',
  'traffic.tracking-link-users': 'tracking_link_users',
  'traffic.trial-links': 'trial_links',
  'traffic.trial-link-users': 'trial_link_users',
  'revenue.chargebacks': 'chargebacks',
  'revenue.transactions': 'transactions',
} as const satisfies { readonly [Name in Operation]?: List };

export function openRows(world: World, account: AccountState, operation: keyof typeof GENERATED): RowSource {
  const list = GENERATED[operation];
  const accountSeed = mixText(world.data.seed, account.live.id);
  const findPlan = (one: List) => account.data[one] ?? world.data.plans[one] ?? DEFAULT_PLANS[one];
  const links = list === 'tracking_link_users' ? 'tracking_links' : 'trial_links';
  const count = Math.max(1, Math.min(POPULAR_LINKS, findPlan(links).rows ?? POPULAR_LINKS));
  return {
    plan: findPlan(list),
    seed: mixText(accountSeed, list),
    makers: findMakers(list, readColumns(operation)),
    fans: account.fans,
    formerPrefix: String(100_000_000_000_000 + accountSeed),
    linkIds: Array.from({ length: count }, (_, k) => shortId(mixText(accountSeed, links), k)),
    happened: list === 'transactions' || list === 'subscriptions' ? account.happened[list] : [],
  };
}

/** The columns of a list, which are the members of its rows. */
export function readColumns(operation: Operation): readonly ListColumn[] {
  const { columns = '', more = '', cells } = rowOf(operation).list ?? {};
  return makeColumns(`${columns} ${more}`.trim(), cells).filter(({ lookedUp }) => lookedUp !== true);
}

/** Each member is made as its list has it, as every list has it, or else by the kind of its column. */
function findMakers(list: List, columns: readonly ListColumn[]): RowSource['makers'] {
  const isNamed = columns.some(({ path }) => path === 'fan.name');
  return columns.flatMap(({ path, as = 'text' }): (readonly [string, Maker])[] => {
    if (path === 'fan.id') return [['fan', isNamed ? drawNamedFan : drawFan]];
    if (path.startsWith('fan.')) return [];
    return [[path, MEMBERS[`${list}.${path}`] ?? MEMBERS[path] ?? KINDS[as] ?? (() => null)]];
  });
}

/** One row to be made: its number, its time, and what is drawn for it. */
interface Drawn {
  readonly source: RowSource;
  readonly k: number;
  readonly at: number;
  readonly drawn: number;
}

/** Row k of a list. `at` is its time. */
export function makeRow(source: RowSource, k: number, at: number): Record<string, unknown> {
  const row: Drawn = { source, k, at, drawn: mix(source.seed, k) };
  const made: Record<string, unknown> = {};
  for (const [member, make] of source.makers) made[member] = make(row);
  return made;
}

type Maker = (row: Drawn) => unknown;

/** How the values of a column are made. */
const KINDS: Readonly<Partial<Record<CellKind, Maker>>> = {
  number: ({ drawn }) => drawn % 5000,
  money: ({ drawn }) => (3_00 + (drawn % 297_00)) / 100,
  flag: ({ drawn }) => mix(drawn, 6) % 4 !== 0,
  instant: ({ at }) => isoText(at),
};

/** An unknown word appears once in this many rows (READ-1). */
const NOVEL_EVERY = 61;

/** A word from a set that the document does not show. Assumed: the words (READ-1). */
const word =
  (salt: number, novel: string, ...known: readonly [string, ...string[]]): Maker =>
  ({ drawn }) => {
    const mixed = mix(drawn, salt);
    return mixed % NOVEL_EVERY === 0 ? novel : pick(known, mix(mixed, 1));
  };

const shortLink = ({ source, k }: Drawn): string => shortId(source.seed, k);
/** A fan who came through a link is collected later than the subscription. */
const beforeCollected: Maker = ({ at, drawn }) => isoText(at - (1 + (mix(drawn, 1) % 48)) * HALF_HOUR_MS);

/** The members of one list, or of every list, that say more than their kind. */
const MEMBERS: Readonly<Record<string, Maker>> = {
  id: ({ source, k }) => longId(source.seed, k),
  'tracking_links.id': shortLink,
  'trial_links.id': shortLink,
  name: ({ drawn }) => drawName(drawn >>> 8),
  url: (row) => `https://links.example.com/${shortLink(row)}`,
  link_id: ({ source, k }) => source.linkIds[k % source.linkIds.length],
  action: word(1, 'gifted', 'subscribe', 'renew', 'resubscribe'),
  'subscriptions.type': word(2, 'bundle_2', 'paid', 'free', 'trial', 'promotion'),
  'subscriptions.expires_at': ({ at }) => isoText(at + 30 * DAY_MS),
  claims_limit: ({ drawn }) => 10 * (mix(drawn, 2) % 20),
  'trial_links.expires_at': ({ at, drawn }) => (drawn % 3 === 0 ? null : isoText(at + 30 * DAY_MS)),
  'tracking_link_users.subscribed_at': beforeCollected,
  'trial_link_users.subscribed_at': beforeCollected,
  // Assumed: the range is on the chargeback, not on its transaction some days before (READ-3).
  transaction_timestamp: ({ at, drawn }) => isoText(at - (1 + (mix(drawn, 3) % 60)) * DAY_MS),
  'chargebacks.type': word(1, 'stream_ticket', 'message', 'subscription', 'tip', 'post'),
  'chargebacks.status': word(2, 'pre_arbitration', 'lost', 'won', 'open'),
  'transactions.type': word(1, 'gift_card', 'message', 'subscription', 'tip', 'post', 'stream'),
  'transactions.status': word(2, 'held_2', 'done', 'done', 'done', 'pending'),
};

/** The common start of the ids of a list. */
const idPrefix = (seed: number): string => String(100_000_000 + (seed % 800_000_000));

const LONG_ID_DIGITS = 10;

/** Usually 19 digits, sometimes fewer (ACCOUNT-1: at most 19). */
function longId(seed: number, k: number): string {
  return `${idPrefix(seed)}${k % 5 === 0 ? k : String(k).padStart(LONG_ID_DIGITS, '0')}`;
}

/** A short id, as links have it. */
function shortId(seed: number, k: number): string {
  return `${idPrefix(seed).slice(0, 4)}${k}`;
}

const FORMER_EVERY = 4;
const FORMER_FANS = 2000;

/** A current or a former fan. Ids have up to 19 digits. */
function drawFan({ source: { fans, formerPrefix }, drawn }: Drawn): { readonly id: string } {
  const chosen = mix(drawn, 7);
  const present = chosen % FORMER_EVERY === 0 ? undefined : fans[chosen % fans.length];
  return { id: present ?? `${formerPrefix}${mix(chosen, 8) % FORMER_FANS}` };
}

/** A user of a link. */
function drawNamedFan(row: Drawn): object {
  const { id } = drawFan(row);
  return { id, name: drawName(mixText(0, id)), username: `u${id}` };
}

/**
 * Names as people have them. Some are wide or run from right to left; some would be formulas in a spreadsheet,
 * break a line, or steer a terminal, wherever they are printed without care.
 */
const NAMES: readonly [string, ...string[]] = [
  'Maya Lind',
  'Tom Okafor',
  'Priya Raman',
  'Jonas Weber',
  'Zoë Müller',
  'Ann "Annie" O\'Brien, Jr.',
  '李小龍',
  'さくら 🌸',
  'مريم حداد',
  '👩‍👩‍👧 family',
  'e\u0301toile',
  '=1+1',
  '+49 170 5550100',
  '-2+3',
  '@SUM(A1:A9)',
  'Line\nbreak',
  'Tab\tand\rreturn',
  '\u001b[31mred\u001b[0m',
  ' spaces around ',
  'a;b|c',
];

export function drawName(mixed: number): string {
  return pick(NAMES, mixed);
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}

/** The time of row k: inside its cell and never on the edges, so that rows stay in order. */
export function rowTime({ plan, seed }: Pick<RowSource, 'plan' | 'seed'>, k: number): number {
  const start = cellStart(plan, k);
  const freeMs = cellStart(plan, k + 1) - start - 1;
  return freeMs <= 0 ? start : start + 1 + (mix(seed, k) % freeMs);
}

/** The first row at or after a time, by arithmetic: the cost does not grow with the number of rows. */
export function firstRowFrom(source: Pick<RowSource, 'plan' | 'seed'>, ms: number): number {
  const { fromMs, stepMs, rows } = source.plan;
  const last = rows ?? Number.POSITIVE_INFINITY;
  if (ms <= fromMs) return 0;
  // One cell early, because of rounding.
  let k = Math.max(0, Math.floor((ms - fromMs) / stepMs) - 1);
  while (k < last && rowTime(source, k) < ms) k += 1;
  return Math.min(k, last);
}

function cellStart({ fromMs, stepMs }: Plan, k: number): number {
  return fromMs + Math.floor(k * stepMs);
}
