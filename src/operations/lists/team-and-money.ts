import type { ListColumn } from '../../domain/list-column.ts';
import type { ListDefinition } from './definition.ts';

/**
 * The meaning and units of the figures are not documented. They are shown unchanged, with the service's names
 * (READ-8).
 */
function figures(...paths: readonly string[]): readonly ListColumn[] {
  return paths.map((path) => ({ path, as: 'number' }));
}

/** The figures of a member that the table does not show. */
const FURTHER_METRICS = figures(
  'template_messages_count',
  'ai_generated_messages_count',
  'copied_messages_count',
  'media_messages_count',
  'paid_messages_count',
  'free_media_messages_count',
  'typed_messages_count',
  'unsent_messages_count',
  'posts_count',
  'deleted_posts_count',
  'total_sold_messages_count',
  'sold_posts_count',
  'total_sold_posts_count',
  'chargedback_posts_count',
  'chargedback_messages_count',
  'total_chargedback_posts_count',
  'total_chargedback_messages_count',
  'internal_templates_count',
  'words_count_sum',
  'paid_messages_price_sum',
  'purchase_interval_avg',
  'purchase_interval_min',
  'purchase_interval_max',
  'break_time',
  'total_sold_messages_price_sum',
  'sold_posts_price_sum',
  'total_tips_amount_sum',
  'chargedback_tips_amount_sum',
  'chargedback_posts_price_sum',
  'chargedback_messages_price_sum',
  'total_chargedback_tips_amount_sum',
  'total_chargedback_posts_price_sum',
  'total_chargedback_messages_price_sum',
);

/** The organisation's members, and payouts. */
export const TEAM_AND_MONEY_LISTS = {
  'team metrics': {
    operation: 'team.metrics',
    summary: "list the team members' figures in a range",
    rows: 'members',
    who: 'organisation',
    range: { from: 'from', to: 'to', of: 'figures', required: true },
    filters: ['creator', 'user', 'group', 'role'],
    columns: [
      { path: 'user_id', as: 'whole' },
      { path: 'user_name', header: 'name', none: '-', lookedUp: true },
      ...figures(
        'fans_count',
        'messages_count',
        'sold_messages_count',
        'sold_messages_price_sum',
        'tips_amount_sum',
        'reply_time_avg',
        'work_time',
      ),
    ],
    more: [{ path: 'creator_ids' }, { path: 'creators', lookedUp: true }, ...FURTHER_METRICS],
    examples: [
      'herald team metrics --from 7d',
      'herald team metrics --from 2026-11-01 --to 2026-11-30 --user 9 --user 12 --creator 101 --format csv',
    ],
  },
  'team members': {
    operation: 'team.members',
    summary: "list the organisation's members",
    rows: 'members',
    who: 'organisation',
    filters: [],
    columns: [
      { path: 'id', as: 'whole' },
      { path: 'name' },
      { path: 'customName', header: 'custom name', none: '-' },
      { path: 'email' },
      { path: 'createdAt', header: 'created', as: 'instant' },
    ],
    more: [{ path: 'avatar' }],
    examples: ['herald team members'],
  },
  'payouts balances': {
    operation: 'payouts.balances',
    summary: 'show the balance of each account',
    rows: 'balances',
    who: 'platform',
    filters: [],
    columns: [
      { path: 'payoutAvailable', header: 'available', as: 'money' },
      { path: 'payoutPending', header: 'pending', as: 'money' },
      { path: 'currency', as: 'whole' },
      { path: 'minPayoutSumm', header: 'minimum balance', as: 'money' },
      { path: 'maxPayoutSumm', header: 'maximum now', as: 'money' },
      { path: 'manualPayoutPendingDays', header: 'manual pending (days)', as: 'number' },
      { path: 'withdrawalPeriod', header: 'period' },
    ],
    more: [{ path: 'withdrawalPeriodOptions' }],
    totals: { sums: ['payoutAvailable', 'payoutPending'], by: 'currency' },
    examples: ['herald payouts balances', 'herald payouts balances --account alice --format json'],
  },
  'payouts list': {
    operation: 'payouts.list',
    summary: 'list payout requests',
    rows: 'payout requests',
    who: 'platform',
    filters: [],
    columns: [
      { path: 'invoiceId', header: 'invoice', as: 'whole' },
      { path: 'createdAt', header: 'created', as: 'instant' },
      { path: 'amount', as: 'money' },
      { path: 'currency', as: 'whole' },
      { path: 'state', as: 'whole' },
      { path: 'rejectReason', header: 'reject reason', none: '-' },
    ],
    more: [],
    examples: ['herald payouts list --account alice --limit 20'],
  },
} as const satisfies Readonly<Record<string, ListDefinition>>;
