import * as z from 'zod';
import { bigId, countText, dollars, offsetText, words } from './values.ts';

const NO_QUERY = z.strictObject({});

/** The largest payout request, in USD (PAYOUT-2). */
const PAYOUT_MAXIMUM_USD = 1_000_000;

/** Chat, fans and payouts (docs/service/chat.md, payouts.md). */
export const CHAT_SHAPES = {
  'fans.list': { query: z.strictObject({ limit: countText(1, 10_000).optional() }), body: null },
  'fans.label': {
    query: NO_QUERY,
    body: z
      .strictObject({ custom_name: z.string().optional(), note: z.string().optional() })
      .refine(({ custom_name, note }) => custom_name !== undefined || note !== undefined, {
        message: 'custom_name or note must be present',
      }),
  },
  'fans.follow': { query: NO_QUERY, body: null },
  'chat.messages': {
    query: z.strictObject({
      limit: countText(1, 100).optional(),
      message_id: bigId.optional(),
      order: z.enum(['asc', 'desc']).optional(),
    }),
    body: null,
  },
  'chat.send': {
    query: NO_QUERY,
    body: z.strictObject({
      text: z.string().nullable().optional(),
      price: dollars.optional(),
      locked_text: z.boolean().optional(),
      media: z.array(z.strictObject({ id: words, type: words, is_paid: z.boolean().optional() })).optional(),
    }),
  },
  'payouts.balances': { query: NO_QUERY, body: null },
  'payouts.list': {
    query: z.strictObject({
      limit: countText(1, 100).optional(),
      offset: offsetText.optional(),
      marker: z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .optional(),
    }),
    body: null,
  },
  'payouts.request': {
    query: NO_QUERY,
    body: z.strictObject({
      withdrawal_amount: dollars.refine(
        (amount) => amount > 0 && amount <= PAYOUT_MAXIMUM_USD,
        `must be above 0 and at most ${PAYOUT_MAXIMUM_USD}`,
      ),
    }),
  },
} as const;
