import { compareIds } from '../domain/ids.ts';
import { digest } from '../domain/digest.ts';
import { covers } from './access.ts';
import { invalid } from './answers.ts';
import { listPage, readCursor, writeCursor } from './paging.ts';
import { mix, mixText } from './random.ts';
import type { Call } from './requests.ts';
import {
  readColumns,
  drawName,
  firstRowFrom,
  makeRow,
  type GENERATED,
  openRows,
  rowTime,
  type RowSource,
} from './rows.ts';
import { isoTime } from './records.ts';
import type { AccountState } from './state.ts';
import { getAccount, requirePlatformAccount, type World } from './world.ts';

/** The default page size of a list with a cursor (READ-9). Assumed: it is that of accounts too (ACCOUNT-4). */
const LIMIT_DEFAULT = 100;

const bindCursor = (query: unknown): string => digest(query).slice(0, 16);

/** Assumed: accounts with a lapsed subscription are hidden by default (ACCOUNT-4). */
export function listAccounts(world: World, { key, query, effects }: Call<'accounts.list'>): object {
  const { cursor, limit = LIMIT_DEFAULT, withExpiredSubscriptions: withExpired = false } = query;
  const bound = bindCursor(['accounts', withExpired]);
  const [after = '-1', empty = '0'] = cursor === undefined ? [] : readCursor(world, bound, cursor);
  if (effects.emptyPage) return { accounts: [], nextCursor: writeCursor(bound, [after, Number(empty) + 1]) };
  const accounts = Object.values(world.accounts)
    .filter((account) => covers(key, account) && (withExpired || !hasLapsed(world, account)))
    .filter(({ live }) => after === '-1' || compareIds(live.id, after) > 0)
    .sort((left, right) => compareIds(left.live.id, right.live.id));
  const page = accounts.slice(0, limit);
  const last = page.at(-1);
  const next = page.length < accounts.length && last ? writeCursor(bound, [last.live.id, 0]) : undefined;
  const nextCursor = effects.repeatPage ? (cursor ?? next) : next;
  return { accounts: page.map(readAccount), ...(nextCursor === undefined ? {} : { nextCursor }) };
}

export function readOneAccount(world: World, { params }: Call<'accounts.get'>): object {
  return { account: readAccount(getAccount(world, params.account_id)) };
}

function hasLapsed(world: World, { live }: AccountState): boolean {
  return Date.parse(live.subscription_expiration_date) <= world.nowMs;
}

/** `id` is an integer in JSON and may be longer than a JavaScript number holds (ACCOUNT-1). */
function readAccount({ live }: AccountState): object {
  return { ...live, id: BigInt(live.id) };
}

/** Every n-th row of a list in a range, with `low` as the oldest and `top` as the newest. */
interface Range {
  readonly low: number;
  readonly top: number;
  readonly every: number;
}

interface RangeQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly start?: string;
  readonly end?: string;
  readonly collected_from?: string | undefined;
  readonly collected_to?: string | undefined;
  readonly link_id?: string | undefined;
}

/**
 * One page of a list with generated rows. Assumed: newest first (READ-11). The cost depends on the rows shown, not on
 * all rows. New rows come before the first page and do not shift the others.
 */
export function listRows(world: World, call: Call<keyof typeof GENERATED>): object {
  const source = openRows(world, requirePlatformAccount(world, call.params), call.operation);
  const { cursor: asked, limit = LIMIT_DEFAULT, ...fixed }: RangeQuery = call.query;
  const times = readTimes(world, fixed);
  const { low, top, every } = findRange(world, source, times, fixed.link_id);
  const bound = bindCursor([source.seed, limit, fixed]);
  const place = asked === undefined ? [] : readCursor(world, bound, asked).map(Number);
  let [next = top, , happened = 0] = place;
  const { effects } = call;
  if (effects.emptyPage)
    return { items: [], cursor: writeCursor(bound, [next, (place[1] ?? 0) + 1, happened]) };
  const others = source.happened
    .filter(({ atMs }) => atMs >= times.fromMs && atMs < times.beforeMs && atMs <= world.nowMs)
    .toReversed();
  const items: object[] = [];
  while (items.length < limit) {
    const other = others[happened];
    const atMs = next >= low ? rowTime(source, next) : Number.NEGATIVE_INFINITY;
    if (other !== undefined && other.atMs >= atMs) {
      items.push(other.row);
      happened += 1;
    } else if (next >= low) {
      items.push(makeRow(source, next, atMs));
      next -= every;
    } else break;
  }
  const hasMore = next >= low || happened < others.length;
  const following = hasMore ? writeCursor(bound, [next, 0, happened]) : undefined;
  const cursor = effects.repeatPage ? (asked ?? following) : following;
  // The last page has no cursor (LIST-1).
  return cursor === undefined ? { items } : { items, cursor };
}

/** A range includes both ends, unless a mode excludes the later one (READ-2). */
function readTimes({ modes }: World, query: RangeQuery): { fromMs: number; beforeMs: number } {
  const from = query.start ?? query.collected_from;
  const to = query.end ?? query.collected_to;
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  if (fromMs > toMs) throw invalid(modes, 'the range ends before it begins', 'end');
  return { fromMs, beforeMs: modes.rangeEnds === 'inclusive' ? toMs + 1 : toMs };
}

/** The rows of a range without future ones; of one link, every n-th. */
function findRange(
  { nowMs }: World,
  source: RowSource,
  { fromMs, beforeMs }: { readonly fromMs: number; readonly beforeMs: number },
  linkId: string | undefined,
): Range {
  const low = firstRowFrom(source, fromMs);
  const last = firstRowFrom(source, Math.min(beforeMs, nowMs + 1)) - 1;
  if (linkId === undefined) return { low, top: last, every: 1 };
  const every = source.linkIds.length;
  const first = source.linkIds.indexOf(linkId);
  if (first === -1) return { low, top: low - 1, every };
  return { low, top: first + Math.floor((last - first) / every) * every, every };
}

const DAY_MS = 86_400_000;

/** Newest first, so that new members between two pages shift the rows (LIST-2). */
export function listMembers(world: World, call: Call<'team.members'>): object {
  return listPage(call, numberMembers(world), (member) => readMember(world, member));
}

/**
 * One row for each member that passes all filters. Assumed (READ-8): metrics cover the whole organisation,
 * regardless of the key's accounts. An unknown id matches no member.
 */
export function listMetrics(world: World, call: Call<'team.metrics'>): object {
  const { user_ids, creator_ids, account_group_id, role_id, from, to } = call.query;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days < 0) throw invalid(world.modes, 'the range ends before it begins', 'to');
  const members = numberMembers(world).filter(
    (member) =>
      (user_ids === undefined || user_ids.includes(memberId(member))) &&
      (creator_ids === undefined || creatorIds(world, member).some((id) => creator_ids.includes(id))) &&
      // Assumed: account groups and roles are numbered from 1. The API does not list them (READ-8).
      (account_group_id === undefined ||
        account_group_id === String(1 + (mix(memberSeed(world, member), 1) % 3))) &&
      (role_id === undefined || role_id === String(1 + (mix(memberSeed(world, member), 2) % 2))),
  );
  return listPage(call, members, (member) => readMetrics(world, member, days));
}

/** The numbers of all members, the newest first. */
function numberMembers({ data }: World): number[] {
  return Array.from({ length: data.members }, (_, index) => data.members - index);
}

const HUGE_ID_EVERY = 4;

/** An integer in JSON that is sometimes longer than a JavaScript number holds. */
function memberId(member: number): string {
  const digits = String(member);
  return member % HUGE_ID_EVERY === 0 ? `9007199254${digits.padStart(9, '0')}` : `70${digits}`;
}

function memberSeed({ data }: World, member: number): number {
  return mix(mixText(data.seed, 'members'), member);
}

/** The accounts of a member: about half of them. */
function creatorIds(world: World, member: number): string[] {
  const seed = memberSeed(world, member);
  return Object.keys(world.accounts).filter((id) => mixText(seed, id) % 2 === 0);
}

const FIRST_JOINED_MS = Date.UTC(2022, 0);

function readMember(world: World, member: number): object {
  const drawn = memberSeed(world, member);
  const id = memberId(member);
  return {
    id: BigInt(id),
    avatar: `https://media.example.com/members/${id}.jpg`,
    name: drawName(drawn),
    email: `member${member}@example.com`,
    createdAt: isoTime(FIRST_JOINED_MS + member * DAY_MS),
    customName: drawn % 3 === 0 ? '' : drawName(drawn >>> 8),
  };
}

/** Meaning and units are unknown, so the figures are arbitrary (READ-8). */
const METRICS = readColumns('team.metrics').flatMap(({ path, as }) => (as === 'number' ? [path] : []));

function readMetrics(world: World, member: number, days: number): object {
  const seed = memberSeed(world, member);
  const figure = (metric: string): number => {
    const drawn = mixText(seed, metric) % 20_000;
    return metric.includes('_count') ? Math.floor((drawn % 40) * days) : Number((drawn * days).toFixed(2));
  };
  return {
    user_id: BigInt(memberId(member)),
    creator_ids: creatorIds(world, member).map(BigInt),
    ...Object.fromEntries(METRICS.map((metric) => [metric, figure(metric)])),
  };
}
