import { compareIds } from '../domain/ids.ts';
import { covers } from './access.ts';
import { invalid } from './answers.ts';
import { listPage } from './paging.ts';
import { mix, mixText } from './random.ts';
import type { Call } from './requests.ts';
import { makeMember, openRows, type GENERATED } from './rows.ts';
import type { AccountState } from './state.ts';
import { getAccount, type World } from './world.ts';

/** Assumed: accounts with a lapsed subscription are hidden by default (ACCOUNT-4). */
export function listAccounts(world: World, call: Call<'accounts.list'>): object {
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

export function readOneAccount(world: World, { params }: Call<'accounts.get'>): object {
  return { account: readAccount(getAccount(world, params)) };
}

/** `id` is an integer in JSON and may be longer than a JavaScript number holds (ACCOUNT-1). */
function readAccount({ live }: AccountState): object {
  return { ...live, id: BigInt(live.id) };
}

interface RangeQuery {
  readonly start?: string;
  readonly end?: string;
  readonly collected_from?: string | undefined;
  readonly collected_to?: string | undefined;
  readonly link_id?: string | undefined;
}

/**
 * One page of a list with generated rows. Assumed: newest first, and a range includes both ends (READ-2, READ-11). New
 * rows come before the first page and do not shift the others.
 */
export function listRows(world: World, call: Call<keyof typeof GENERATED>): object {
  const { start, end, collected_from = start, collected_to = end, link_id }: RangeQuery = call.query;
  const fromMs = collected_from === undefined ? 0 : Date.parse(collected_from);
  const toMs = collected_to === undefined ? world.nowMs : Date.parse(collected_to);
  if (fromMs > toMs) throw invalid('the range ends before it begins', 'end');
  const rows = openRows(world, getAccount(world, call.params), call.operation).filter(
    ({ atMs, linkId }) => atMs >= fromMs && atMs <= toMs && (link_id === undefined || linkId === link_id),
  );
  return listPage(
    call,
    rows.toReversed(),
    ({ make }) => make(),
    ({ key }) => key,
  );
}

/** Newest first, so that new members between two pages shift the rows (LIST-2). */
export function listMembers(world: World, call: Call<'team.members'>): object {
  return listPage(call, numberMembers(world), (member) => makeMember(world, call.operation, member));
}

/**
 * One row for each member that passes all filters. Assumed (READ-8): metrics cover the whole organisation,
 * regardless of the key's accounts. An unknown id matches no member. Groups and roles are numbered from 1, and
 * the figures are the same for every range.
 */
export function listMetrics(world: World, call: Call<'team.metrics'>): object {
  const { user_ids, creator_ids, account_group_id = '', role_id = '', from, to } = call.query;
  if (Date.parse(from) > Date.parse(to)) throw invalid('the range ends before it begins', 'to');
  const rows = numberMembers(world).flatMap((member) => {
    const creators = findCreators(world, member);
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

/** The accounts of a member: about half of them. */
function findCreators({ accounts, data }: World, member: number): string[] {
  const seed = mix(data.seed, member);
  return Object.keys(accounts).filter((id) => mixText(seed, id) % 2 === 0);
}
