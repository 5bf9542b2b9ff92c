import { platformAccountOf } from '../access.ts';
import type { FaultEffects, RawJson } from '../call.ts';
import type { World } from '../world.ts';
import { rowSourceOf, shortId } from './row-source.ts';
import { pageOfRows, EVERY_ROW, type RowStep } from './pages.ts';
import { linkUserText, ROW_WRITERS } from './rows.ts';

interface ListCall<Query> {
  readonly params: { readonly platform: string; readonly platform_account_id: string };
  readonly query: Query & { readonly limit?: number | undefined; readonly cursor?: string | undefined };
  readonly effects: FaultEffects;
}

type RangeCall = ListCall<{ readonly start: string; readonly end: string }>;

/** The range is on `subscribed_at`. */
export const listSubscriptions = rangeList('subscriptions');
/** The range is on `created_at`, as it is for trial links. */
export const listTrackingLinks = rangeList('tracking_links');
export const listTrialLinks = rangeList('trial_links');
/** Assumed: the range is on `chargeback_timestamp`, the first of its two times (READ-3). */
export const listChargebacks = rangeList('chargebacks');
export const listTransactions = rangeList('transactions');

export const listTrackingLinkUsers = linkUsersList('tracking_link_users', 'tracking_links');
export const listTrialLinkUsers = linkUsersList('trial_link_users', 'trial_links');

function rangeList(list: keyof typeof ROW_WRITERS) {
  return (world: World, { params, query, effects }: RangeCall): RawJson => {
    const source = rowSourceOf(world, platformAccountOf(world, params), list);
    const { start: from, end: to } = query;
    return pageOfRows(world, source, ROW_WRITERS[list], { query, from, to, step: EVERY_ROW }, effects);
  };
}

type LinkUsersCall = ListCall<{
  readonly collected_from?: string | undefined;
  readonly collected_to?: string | undefined;
  readonly link_id?: string | undefined;
}>;

/** All fans come through the oldest links, in turn. So the fans of one link are found by arithmetic too. */
const POPULAR_LINKS = 5;

function linkUsersList(
  list: 'tracking_link_users' | 'trial_link_users',
  links: 'tracking_links' | 'trial_links',
) {
  return (world: World, { params, query, effects }: LinkUsersCall): RawJson => {
    const account = platformAccountOf(world, params);
    const linkSource = rowSourceOf(world, account, links);
    const count = Math.max(1, Math.min(POPULAR_LINKS, linkSource.plan.rows ?? POPULAR_LINKS));
    const linkIds = Array.from({ length: count }, (_, index) => shortId(linkSource, index));
    return pageOfRows(
      world,
      rowSourceOf(world, account, list),
      (source, k, at) => linkUserText(source, k, at, linkIds[k % count] ?? ''),
      { query, from: query.collected_from, to: query.collected_to, step: rowStepOf(linkIds, query.link_id) },
      effects,
    );
  };
}

/** The rows of one link; null if no fan came through it. */
function rowStepOf(linkIds: readonly string[], wanted: string | undefined): RowStep | null {
  if (wanted === undefined) return EVERY_ROW;
  const first = linkIds.indexOf(wanted);
  return first === -1 ? null : { every: linkIds.length, first };
}
