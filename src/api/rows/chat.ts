import * as z from 'zod';
import { maybe, wireIdShape } from '../../domain/replies.ts';
import { priceShape } from '../../domain/content.ts';
import {
  accountParams,
  idParam,
  integerParam,
  markerParam,
  offsetPage,
  platformParams,
  segmentParam,
} from '../params.ts';
import { READ, WRITE, type Row } from '../row.ts';

const messagesPath = '/api/v0/accounts/{account_id}/chats/{chat_id}/messages';
const fanPath = '/api/v0/accounts/{account_id}/fans/{fan_id}';
const statementsPath = '/proxy/v0/platforms/{platform}/accounts/{platform_account_id}/statements';

const chatParams = accountParams.extend({ chat_id: segmentParam.max(100) });
const fanParams = accountParams.extend({ fan_id: segmentParam });

const chatMessageReply = z.looseObject({
  id: wireIdShape,
  text: maybe(z.string()),
  is_sent_by_me: maybe(z.boolean()),
  created_at: maybe(z.string()),
  media: maybe(z.array(z.looseObject({ id: wireIdShape, type: maybe(z.string()) }))),
  price: maybe(z.number()),
});

/** Messages of chats and private labels; one request a second for each (LIMIT-3). */
const MESSAGES = { permission: 'onlyfans.messages', perSecond: 1 } as const;

export const CHAT_ROWS = {
  'fans.list': {
    ...READ,
    ...MESSAGES,
    title: 'List the fans with recent chat activity',
    path: '/api/v0/accounts/{account_id}/fans',
    paging: { style: 'none', items: 'fan_ids', most: 10_000 },
    params: accountParams,
    query: z.strictObject({ limit: integerParam(1, 10_000).optional() }),
    reply: z.looseObject({ fan_ids: z.array(wireIdShape) }),
    list: {
      columns: 'fan_id',
      examples: ['herald fans list --account alice --format ndjson'],
    },
  },
  'chat.messages': {
    ...READ,
    ...MESSAGES,
    title: 'Show the messages of a chat',
    path: messagesPath,
    paging: { style: 'message_id', items: 'items', most: 100 },
    params: chatParams,
    query: z.strictObject({
      limit: integerParam(1, 100).optional(),
      message_id: idParam.optional(),
      order: z.string().min(1).optional(),
    }),
    reply: z.looseObject({ items: z.array(chatMessageReply), has_more: z.boolean().nullish() }),
    list: {
      argument: 'chat',
      ownRange: { of: 'messages', members: ['created_at'], newestFirst: true },
      columns: 'id created_at is_sent_by_me from_user text price media_count is_opened',
      more: 'is_new is_free can_purchase can_purchase_reason sender.type sender.user_id media',
      cells: { is_sent_by_me: 'sent by us', from_user: 'from', text: { none: '' } },
      examples: [
        'herald chat messages 9001 --account alice --from 7d',
        'herald chat messages 9001 --order asc',
      ],
    },
  },
  'chat.send': {
    ...WRITE,
    ...MESSAGES,
    title: 'Send a chat message (queued, not delivered, when answered)',
    path: messagesPath,
    repeat: 'once',
    params: chatParams,
    body: z.strictObject({
      text: z.string().nullable().optional(),
      // `chat send` checks decimals itself, unless --no-local-check leaves that to the service.
      price: z.number().min(0, 'a price must be 0 (free) or more').optional(),
      locked_text: z.boolean().optional(),
      media: z
        .array(
          z.strictObject({ id: z.string().min(1), type: z.string().min(1), is_paid: z.boolean().optional() }),
        )
        .optional(),
    }),
    success: 202,
    // A success without it proves nothing (CHAT-1).
    reply: z.looseObject({ send_id: z.string().min(1) }),
  },
  'fans.label': {
    ...WRITE,
    ...MESSAGES,
    title: "Set a fan's private name or note",
    method: 'PATCH',
    path: fanPath,
    repeat: 'idempotent',
    params: fanParams,
    body: z
      .strictObject({ custom_name: z.string().optional(), note: z.string().optional() })
      .refine(
        (body) => body.custom_name !== undefined || body.note !== undefined,
        'give custom_name, note or both',
      ),
    // A success that does not say so proves nothing: the same status comes with false.
    reply: z.looseObject({ success: z.boolean() }),
  },
  'fans.follow': {
    ...WRITE,
    title: 'Make the account follow a fan (may cost money)',
    path: `${fanPath}/subscribe`,
    permission: 'onlyfans.collections',
    perSecond: 1,
    // A repeat is harmless, but two first follows must not run in parallel. The flow waits for the first one.
    repeat: 'once',
    params: fanParams,
    reply: z.looseObject({
      subscribed: z.boolean(),
      subscribed_at: maybe(z.string()),
      expires_at: maybe(z.string()),
      price_gross: maybe(z.number()),
    }),
  },
} as const satisfies Record<string, Row>;

/** Balances: amounts in major units of `currency` (PAYOUT-3). */
const payoutBalancesReply = z.looseObject({
  payoutAvailable: z.number(),
  payoutPending: maybe(z.number()),
  currency: maybe(z.string()),
  minPayoutSumm: maybe(z.number()),
  maxPayoutSumm: maybe(z.number()),
});

const payoutRequestReply = z.looseObject({
  invoiceId: wireIdShape,
  createdAt: maybe(z.string()),
  amount: maybe(z.number()),
  currency: maybe(z.string()),
  state: maybe(z.string()),
  rejectReason: maybe(z.string()),
});

/** The largest payout request, in USD (PAYOUT-2). */
const PAYOUT_MAXIMUM_USD = 1_000_000;

const PAYOUTS = {
  permission: 'onlyfans.statements',
  group: 'payouts',
  params: platformParams,
} as const;

/** Payouts; the three share one request a second for each account of the platform (LIMIT-4). */
export const PAYOUT_ROWS = {
  'payouts.balances': {
    ...READ,
    ...PAYOUTS,
    title: 'Show the balance of each account',
    path: `${statementsPath}/balances`,
    reply: payoutBalancesReply,
    // One answer for each account, shown as a row.
    list: {
      columns: `payoutAvailable payoutPending currency minPayoutSumm maxPayoutSumm manualPayoutPendingDays
        withdrawalPeriod`,
      more: 'withdrawalPeriodOptions',
      cells: {
        payoutAvailable: 'available',
        payoutPending: 'pending',
        minPayoutSumm: 'minimum balance',
        maxPayoutSumm: 'maximum now',
        manualPayoutPendingDays: 'manual pending (days)',
        withdrawalPeriod: 'period',
      },
      examples: ['herald payouts balances', 'herald payouts balances --account alice --format json'],
    },
  },
  'payouts.list': {
    ...READ,
    ...PAYOUTS,
    title: 'List payout requests',
    path: `${statementsPath}/payout-requests`,
    paging: { style: 'marker', items: 'list', identity: 'invoiceId', most: 100 },
    query: z.strictObject({ ...offsetPage(100), marker: markerParam.optional() }),
    reply: z.looseObject({
      list: z.array(payoutRequestReply),
      marker: z.union([z.number(), z.bigint(), z.string()]).nullish(),
    }),
    list: {
      columns: 'invoiceId createdAt amount currency state rejectReason',
      cells: { rejectReason: { none: '-' } },
      examples: ['herald payouts list --account alice --limit 20'],
    },
  },
  'payouts.request': {
    ...WRITE,
    ...PAYOUTS,
    title: 'Request a payout (irreversible)',
    path: `${statementsPath}/payout-requests`,
    repeat: 'once',
    body: z.strictObject({
      withdrawal_amount: priceShape.check(
        z.refine(
          (amount) => amount > 0 && amount <= PAYOUT_MAXIMUM_USD,
          `above 0 and at most ${PAYOUT_MAXIMUM_USD}`,
        ),
      ),
    }),
    reply: z.looseObject({
      // An answer without a list does not confirm the request (PAYOUT-4).
      list: z
        .array(z.looseObject({ state: z.string().nullish(), rejectReason: z.string().nullish() }))
        .min(1),
    }),
  },
} as const satisfies Record<string, Row>;
