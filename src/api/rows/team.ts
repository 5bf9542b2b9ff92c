import * as z from 'zod';
import { maybe, wireAccountIdShape, wireIdShape } from '../../domain/replies.ts';
import { idParam, idsParam, instantParam, integerParam } from '../params.ts';
import { READ, type Row } from '../row.ts';

export const TEAM_ROWS = {
  'team.metrics': {
    ...READ,
    title: "List the team members' figures in a range",
    path: '/api/v0/users/metrics',
    permission: 'team_metrics.view',
    paging: { style: 'offset', items: 'items', identity: 'user_id', most: 100 },
    params: z.strictObject({}),
    query: z.strictObject({
      from: instantParam,
      to: instantParam,
      creator_ids: idsParam,
      user_ids: idsParam,
      account_group_id: idParam.optional(),
      role_id: idParam.optional(),
      offset: integerParam(0),
      limit: integerParam(1, 100),
    }),
    reply: z.looseObject({
      items: z.array(
        z.looseObject({ user_id: wireIdShape, creator_ids: maybe(z.array(wireAccountIdShape)) }),
      ),
    }),
    list: {
      range: { from: 'from', to: 'to', of: 'figures', required: true },
      columns: `user_id user_name fans_count messages_count sold_messages_count sold_messages_price_sum tips_amount_sum
        reply_time_avg work_time`,
      // Meaning and units of figures are not documented, so they are shown unchanged (READ-8).
      more: `creator_ids template_messages_count ai_generated_messages_count copied_messages_count
        media_messages_count paid_messages_count free_media_messages_count typed_messages_count unsent_messages_count
        posts_count deleted_posts_count total_sold_messages_count sold_posts_count total_sold_posts_count
        chargedback_posts_count chargedback_messages_count total_chargedback_posts_count
        total_chargedback_messages_count internal_templates_count words_count_sum paid_messages_price_sum
        purchase_interval_avg purchase_interval_min purchase_interval_max break_time total_sold_messages_price_sum
        sold_posts_price_sum total_tips_amount_sum chargedback_tips_amount_sum chargedback_posts_price_sum
        chargedback_messages_price_sum total_chargedback_tips_amount_sum total_chargedback_posts_price_sum
        total_chargedback_messages_price_sum`,
      cells: { user_name: { header: 'name', none: '-', lookedUp: true } },
      examples: [
        'herald team metrics --from 7d',
        'herald team metrics --from 2026-11-01 --to 2026-11-30 --user 9 --user 12 --creator 101 --format csv',
      ],
    },
  },
  'team.members': {
    ...READ,
    title: "List the organisation's members",
    path: '/api/v0/members',
    permission: 'team_metrics.view',
    paging: { style: 'offset', items: 'users', most: 50 },
    params: z.strictObject({}),
    query: z.strictObject({ limit: integerParam(1, 50), offset: integerParam(0) }),
    reply: z.looseObject({
      users: z.array(
        z.looseObject({ id: wireIdShape, name: maybe(z.string()), customName: maybe(z.string()) }),
      ),
    }),
    list: {
      columns: 'id name customName email createdAt',
      more: 'avatar',
      cells: { customName: { none: '-' } },
      examples: ['herald team members'],
    },
  },
} as const satisfies Record<string, Row>;
