import { rowOf, type Operation } from '../api/catalogue.ts';
import { makeColumns } from '../api/columns.ts';
import { compareIds } from '../domain/ids.ts';
import type { CellKind } from '../domain/list-column.ts';
import { Refusal } from './answers.ts';
import { listPage, type PagedCall } from './paging.ts';
import { mix, mixText, pick } from './random.ts';
import type { Call, Handlers } from './calls.ts';
import { type AccountState, DEFAULT_PLANS, type List, type Plan } from './state.ts';
import { covers, type World, isoTime } from './world.ts';

/** Assumed: accounts with a lapsed subscription are hidden by default (ACCOUNT-4). */
function listAccounts(world: World, call: Call<'accounts.list'>): object {
  const accounts = Object.values(world.accounts)
    .filter((account) => covers(call.key, account))
    .filter(
      ({ live }) =>
        call.query.withExpiredSubscriptions === true ||
        Date.parse(live.subscription_expiration_date) > world.nowMs,
    )
    .sort((left, right) => compareIds(left.live.id, right.live.id));
  return listPage(call, accounts, readAccount, ({ live }) => live.id);
}

/** `id` is an integer in JSON and may be longer than a JavaScript number holds (ACCOUNT-1). */
function readAccount({ live }: AccountState): object {
  return { ...live, id: BigInt(live.id) };
}

/** The call of a list in a range; that of users may be of one link. */
type RangeCall = PagedCall &
  Pick<Call<'traffic.subscriptions' | 'traffic.tracking-link-users'>, 'params' | 'query'>;

/**
 * Answers one page of a list with generated rows. Assumed: newest first, and a range includes both ends (READ-2,
 * READ-11). New rows come before the first page and do not shift the others.
 */
function listRows(list: List) {
  return (world: World, call: RangeCall): object => {
    const { query } = call;
    const [from, to, link] =
      'start' in query ? [query.start, query.end] : [query.collected_from, query.collected_to, query.link_id];
    const fromMs = from === undefined ? 0 : Date.parse(from);
    const toMs = to === undefined ? world.nowMs : Date.parse(to);
    if (fromMs > toMs) throw Refusal.invalid('the range ends before it begins', 'end');
    const rows = openRows(world, world.getAccount(call.params), call.operation, list).filter(
      ({ atMs, linkId }) => atMs >= fromMs && atMs <= toMs && (link === undefined || linkId === link),
    );
    return listPage(
      call,
      rows.toReversed(),
      ({ make }) => make(),
      ({ key }) => key,
    );
  };
}

/**
 * One row for each member that passes all filters. Assumed (READ-8): metrics cover the whole organisation,
 * regardless of the key's accounts. An unknown id matches no member. Groups and roles are numbered from 1, and
 * the figures are the same for every range.
 */
function listMetrics(world: World, call: Call<'team.metrics'>): object {
  const { user_ids, creator_ids, account_group_id = '', role_id = '', from, to } = call.query;
  if (Date.parse(from) > Date.parse(to)) throw Refusal.invalid('the range ends before it begins', 'to');
  const rows = numberMembers(world).flatMap((member) => {
    const memberSeed = mix(world.data.seed, member);
    // About half of the accounts.
    const creators = Object.keys(world.accounts).filter((id) => mixText(memberSeed, id) % 2 === 0);
    const made = makeMember(world, call.operation, member);
    const row = { ...made, creator_ids: creators.map(BigInt) };
    const isMeant =
      (user_ids?.includes(String(made['user_id'])) ?? true) &&
      (creator_ids === undefined || creators.some((id) => creator_ids.includes(id))) &&
      ['', String(1 + (member % 3))].includes(account_group_id) &&
      ['', String(1 + (member % 2))].includes(role_id);
    return isMeant ? [row] : [];
  });
  return listPage(call, rows, (row) => row);
}

/** The numbers of all members, the newest first. */
function numberMembers({ data }: World): number[] {
  return Array.from({ length: data.members }, (_, index) => data.members - index);
}

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;

/** One row of a list, made only if a page shows it. */
interface TimedRow {
  readonly atMs: number;
  /** Names it among the rows of its list. */
  readonly key: string;
  /** The link that brought the fan. */
  readonly linkId: string;
  readonly make: () => object;
}

const POPULAR_LINKS = 5;

/** All rows of a list of an account that have happened, oldest first. All fans come through the oldest links, in turn. */
function openRows(
  world: World,
  account: AccountState,
  operation: Operation,
  list: List,
): readonly TimedRow[] {
  const accountSeed = mixText(world.data.seed, account.live.id);
  const seed = mixText(accountSeed, list);
  const findPlan = (one: List) => world.data.plans[one] ?? DEFAULT_PLANS[one];
  const links = list === 'tracking_link_users' ? 'tracking_links' : 'trial_links';
  const linkCount = Math.max(1, Math.min(POPULAR_LINKS, findPlan(links).rows ?? POPULAR_LINKS));
  const linkSeed = mixText(accountSeed, links);
  const makers = findMakers(operation, list);
  const generated = findTimes(findPlan(list), seed, world.nowMs).map((atMs, k): TimedRow => {
    const linkId = shortId(linkSeed, k % linkCount);
    const make = () => {
      const drawn = mix(seed, k);
      const chosen = mix(drawn, 7);
      const present = chosen % FORMER_EVERY === 0 ? undefined : account.fans[chosen % account.fans.length];
      const fanId = present ?? `${100_000_000_000_000 + accountSeed}${mix(chosen, 8) % FORMER_FANS}`;
      return makeRow(makers, { seed, k, atMs, drawn, fanId, linkId });
    };
    return { atMs, key: String(k), linkId, make };
  });
  if (list !== 'transactions' && list !== 'subscriptions') return generated;
  const happened = account.happened[list].map(({ atMs, row }, index): TimedRow => {
    return { atMs, key: `happened-${index}`, linkId: '', make: () => row };
  });
  return [...generated, ...happened].sort((left, right) => left.atMs - right.atMs);
}

/** The times of the rows up to now, each inside its own cell, so that rows stay in order. */
function findTimes({ fromMs, stepMs, rows }: Plan, seed: number, nowMs: number): number[] {
  const cells = Math.min(rows ?? Number.POSITIVE_INFINITY, Math.max(0, Math.ceil((nowMs - fromMs) / stepMs)));
  const times = Array.from(
    { length: cells },
    (_, k) => fromMs + Math.floor(k * stepMs) + (mix(seed, k) % Math.floor(stepMs)),
  );
  return times.filter((atMs) => atMs <= nowMs);
}

/** A member of the organisation, or the member's figures. One joins every day. */
function makeMember(
  world: World,
  operation: 'team.members' | 'team.metrics',
  k: number,
): Record<string, unknown> {
  const seed = mixText(world.data.seed, 'members');
  const atMs = Date.UTC(2022, 0) + k * DAY_MS;
  const row = { seed, k, atMs, drawn: mix(seed, k), fanId: '', linkId: '' };
  return makeRow(findMakers(operation, 'members'), row);
}

interface Drawn {
  readonly seed: number;
  readonly k: number;
  readonly atMs: number;
  readonly drawn: number;
  readonly fanId: string;
  readonly linkId: string;
}

type Maker = (row: Drawn, member: string) => unknown;

/** The members of a row, which are the columns of its operation in the catalogue, and how each is made. */
type Makers = readonly (readonly [member: string, Maker])[];

/** Each member is made as its list has it, as every list has it, or else by the kind of its column. */
function findMakers(operation: Operation, list: string): Makers {
  const { columns = '', more = '', cells } = rowOf(operation).list ?? {};
  const shown = makeColumns(`${columns} ${more}`.trim(), cells).filter(({ lookedUp }) => lookedUp !== true);
  const isNamed = shown.some(({ path }) => path === 'fan.name');
  return shown.flatMap(({ path, as = 'text' }): Makers => {
    if (path === 'fan.id') return [['fan', isNamed ? nameFan : ({ fanId: id }) => ({ id })]];
    if (path.startsWith('fan.')) return [];
    return [[path, MEMBERS[`${list}.${path}`] ?? MEMBERS[path] ?? KINDS[as] ?? (() => null)]];
  });
}

function makeRow(makers: Makers, row: Drawn): Record<string, unknown> {
  return Object.fromEntries(makers.map(([member, make]) => [member, make(row, member)]));
}

const KINDS: Readonly<Partial<Record<CellKind, Maker>>> = {
  number: ({ drawn }, member) => {
    const figure = mixText(drawn, member) % 5000;
    return /_(?:sum|avg|min|max)$/.test(member) ? figure / 100 : figure;
  },
  money: ({ drawn }) => (3_00 + (drawn % 297_00)) / 100,
  flag: ({ drawn }) => mix(drawn, 6) % 4 !== 0,
  instant: ({ atMs }) => isoTime(atMs),
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

const ownLinkId: Maker = ({ seed, k }) => shortId(seed, k);
/** A fan who came through a link is collected later than the subscription. */
const beforeCollected: Maker = ({ atMs, drawn }) => isoTime(atMs - (1 + (mix(drawn, 1) % 48)) * HALF_HOUR_MS);

/** An integer in JSON that is sometimes longer than a JavaScript number holds. */
const memberId: Maker = ({ k }) => BigInt(k % 4 === 0 ? `9007199254${String(k).padStart(9, '0')}` : `70${k}`);

/** The members of one list, or of every list, that say more than their kind. */
const MEMBERS: Readonly<Record<string, Maker>> = {
  // Usually 19 digits, sometimes fewer (ACCOUNT-1: at most 19).
  id: ({ seed, k }) => `${idPrefix(seed)}${k % 5 === 0 ? k : String(k).padStart(10, '0')}`,
  'tracking_links.id': ownLinkId,
  'trial_links.id': ownLinkId,
  name: ({ drawn }) => pick(NAMES, drawn >>> 8),
  url: ({ seed, k }) => `https://links.example.com/${shortId(seed, k)}`,
  link_id: ({ linkId }) => linkId,
  action: word(1, 'gifted', 'subscribe', 'renew', 'resubscribe'),
  'subscriptions.type': word(2, 'bundle_2', 'paid', 'free', 'trial', 'promotion'),
  'subscriptions.expires_at': ({ atMs }) => isoTime(atMs + 30 * DAY_MS),
  claims_limit: ({ drawn }) => 10 * (mix(drawn, 2) % 20),
  'trial_links.expires_at': ({ atMs, drawn }) => (drawn % 3 === 0 ? null : isoTime(atMs + 30 * DAY_MS)),
  'tracking_link_users.subscribed_at': beforeCollected,
  'trial_link_users.subscribed_at': beforeCollected,
  // Assumed: the range is on the chargeback, not on its transaction some days before (READ-3).
  transaction_timestamp: ({ atMs, drawn }) => isoTime(atMs - (1 + (mix(drawn, 3) % 60)) * DAY_MS),
  'chargebacks.type': word(1, 'stream_ticket', 'message', 'subscription', 'tip', 'post'),
  'chargebacks.status': word(2, 'pre_arbitration', 'lost', 'won', 'open'),
  'transactions.type': word(1, 'gift_card', 'message', 'subscription', 'tip', 'post', 'stream'),
  'transactions.status': word(2, 'held_2', 'done', 'done', 'done', 'pending'),
  'members.id': memberId,
  'members.user_id': memberId,
  'members.customName': ({ drawn }) => (drawn % 3 === 0 ? '' : pick(NAMES, drawn)),
  email: ({ k }) => `member${k}@example.com`,
  avatar: ({ k }) => `https://media.example.com/members/${k}.jpg`,
};

const idPrefix = (seed: number): string => String(100_000_000 + (seed % 800_000_000));

function shortId(seed: number, k: number): string {
  return `${idPrefix(seed).slice(0, 4)}${k}`;
}

const FORMER_EVERY = 4;
const FORMER_FANS = 2000;

const nameFan: Maker = ({ fanId: id }) => ({ id, name: pick(NAMES, mixText(0, id)), username: `u${id}` });

/**
 * Names as people have them. Some are wide or run from right to left; some would be formulas in a spreadsheet,
 * break a line, or steer a terminal, wherever they are printed without care.
 */
const NAMES: readonly [string, ...string[]] = [
  'Maya Lind',
  'Tom Okafor',
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

export const READS = {
  'accounts.list': listAccounts,
  'accounts.get': (world, { params }) => ({ account: readAccount(world.getAccount(params)) }),
  'team.metrics': listMetrics,
  // Newest first, so that new members between two pages shift the rows (LIST-2).
  'team.members': (world, call) =>
    listPage(call, numberMembers(world), (member) => makeMember(world, call.operation, member)),
  'traffic.subscriptions': listRows('subscriptions'),
  'traffic.tracking-links': listRows('tracking_links'),
  'traffic.tracking-link-users': listRows('tracking_link_users'),
  'traffic.trial-links': listRows('trial_links'),
  'traffic.trial-link-users': listRows('trial_link_users'),
  'revenue.chargebacks': listRows('chargebacks'),
  'revenue.transactions': listRows('transactions'),
} as const satisfies Handlers;
