import * as z from 'zod';
import { wireIdShape } from '../../domain/replies.ts';
import { priceShape } from '../../domain/message.ts';
import {
  accountParams,
  idParam,
  integerParam,
  markerParam,
  offsetParam,
  platformParams,
  segmentParam,
} from '../params.ts';
import { NO_PAGING, NO_QUERY, type Row } from '../row.ts';
import {
  chatMessageReply,
  fanSubscriptionReply,
  payoutBalancesReply,
  payoutRequestReply,
} from '../shapes.ts';

const messagesPath = '/api/v0/accounts/{account_id}/chats/{chat_id}/messages';
const fanPath = '/api/v0/accounts/{account_id}/fans/{fan_id}';
const statementsPath = '/proxy/v0/platforms/{platform}/accounts/{platform_account_id}/statements';

const chatParams = accountParams.extend({ chat_id: segmentParam.max(100) });
const fanParams = accountParams.extend({ fan_id: segmentParam });

/** Chat and fans; one request a second for each (LIMIT-3). */
export const CHAT_ROWS = {
  'fans.list': {
    title: 'List fans with recent chat activity',
    method: 'GET',
    path: '/api/v0/accounts/{account_id}/fans',
    permission: 'onlyfans.messages',
    perSecond: 1,
    paging: {
      style: 'none',
      items: 'fan_ids',
      identity: 'whole',
      pageLimit: { least: 1, most: 10_000 },
    },
    repeat: 'read',
    params: accountParams,
    query: z.strictObject({ limit: integerParam(1, 10_000).optional() }),
    body: null,
    success: 200,
    reply: z.looseObject({ fan_ids: z.array(wireIdShape) }),
  },
  'chat.messages': {
    title: 'Read the messages of a chat',
    method: 'GET',
    path: messagesPath,
    permission: 'onlyfans.messages',
    perSecond: 1,
    paging: { style: 'message_id', items: 'items', identity: 'id', pageLimit: { least: 1, most: 100 } },
    repeat: 'read',
    params: chatParams,
    query: z.strictObject({
      limit: integerParam(1, 100).optional(),
      message_id: idParam.optional(),
      order: z.string().min(1).optional(),
    }),
    body: null,
    success: 200,
    reply: z.looseObject({ items: z.array(chatMessageReply), has_more: z.boolean().nullish() }),
  },
  'chat.send': {
    title: 'Send a chat message (queued, not delivered, when answered)',
    method: 'POST',
    path: messagesPath,
    permission: 'onlyfans.messages',
    perSecond: 1,
    paging: NO_PAGING,
    repeat: 'once',
    params: chatParams,
    query: NO_QUERY,
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
    anySuccess: true,
    reply: z.looseObject({ send_id: z.string().nullish() }),
  },
  'fans.label': {
    title: "Set a fan's private name or note",
    method: 'PATCH',
    path: fanPath,
    permission: 'onlyfans.messages',
    perSecond: 1,
    paging: NO_PAGING,
    repeat: 'idempotent',
    params: fanParams,
    query: NO_QUERY,
    body: z
      .strictObject({ custom_name: z.string().optional(), note: z.string().optional() })
      .refine(
        (body) => body.custom_name !== undefined || body.note !== undefined,
        'give custom_name, note or both',
      ),
    success: 200,
    anySuccess: true,
    reply: z.looseObject({ success: z.boolean().nullish() }),
  },
  'fans.follow': {
    title: 'Make the account follow a fan (may cost money)',
    method: 'POST',
    path: `${fanPath}/subscribe`,
    permission: 'onlyfans.collections',
    perSecond: 1,
    paging: NO_PAGING,
    // A repeat is harmless, but two first follows must not run in parallel. The flow waits for the first one.
    repeat: 'once',
    params: fanParams,
    query: NO_QUERY,
    body: null,
    success: 200,
    anySuccess: true,
    reply: fanSubscriptionReply,
  },
} as const satisfies Record<string, Row>;

/** The largest payout request, in USD (PAYOUT-2). */
const PAYOUT_MAXIMUM_USD = 1_000_000;

const payoutRow = {
  permission: 'onlyfans.statements',
  perSecond: 15,
  group: 'payouts',
  params: platformParams,
} as const;

/** Payouts; the three share one request a second for each account of the platform (LIMIT-4). */
export const PAYOUT_ROWS = {
  'payouts.balances': {
    ...payoutRow,
    title: 'Read what can be paid out',
    method: 'GET',
    path: `${statementsPath}/balances`,
    paging: NO_PAGING,
    repeat: 'read',
    query: NO_QUERY,
    body: null,
    success: 200,
    reply: payoutBalancesReply,
  },
  'payouts.list': {
    ...payoutRow,
    title: 'List payout requests',
    method: 'GET',
    path: `${statementsPath}/payout-requests`,
    paging: { style: 'marker', items: 'list', identity: 'invoiceId', pageLimit: { least: 1, most: 100 } },
    repeat: 'read',
    query: z.strictObject({
      limit: integerParam(1, 100).optional(),
      offset: offsetParam,
      marker: markerParam.optional(),
    }),
    body: null,
    success: 200,
    reply: z.looseObject({
      list: z.array(payoutRequestReply),
      marker: z.union([z.number(), z.bigint(), z.string()]).nullish(),
    }),
  },
  'payouts.request': {
    ...payoutRow,
    title: 'Request a payout (irreversible)',
    method: 'POST',
    path: `${statementsPath}/payout-requests`,
    paging: NO_PAGING,
    repeat: 'once',
    query: NO_QUERY,
    body: z.strictObject({
      withdrawal_amount: priceShape.check(
        z.refine(
          (amount) => amount > 0 && amount <= PAYOUT_MAXIMUM_USD,
          `above 0 and at most ${PAYOUT_MAXIMUM_USD}`,
        ),
      ),
    }),
    success: 200,
    reply: z.looseObject({
      // An answer without a list does not confirm the request (PAYOUT-4).
      list: z
        .array(z.looseObject({ state: z.string().nullish(), rejectReason: z.string().nullish() }))
        .min(1),
    }),
  },
} as const satisfies Record<string, Row>;
