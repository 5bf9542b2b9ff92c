import * as z from 'zod';
import { causeShape } from '../cause.ts';

const payoutRequestShape = z.strictObject({
  invoiceId: z.string(),
  createdMs: z.number(),
  cents: z.int(),
  currency: z.string(),
  /** Any word, also one that the document does not name. */
  state: z.string(),
  rejectReason: z.string(),
  /** The time of its automatic approval; null if none is due. */
  approvedMs: z.number().nullable(),
  cause: causeShape,
});
export interface PayoutRequest extends z.infer<typeof payoutRequestShape> {}

/** The earnings and payouts of one account. Amounts are whole cents, so that sums are never rounded. */
export const payoutsShape = z.strictObject({
  availableCents: z.int(),
  pendingCents: z.int(),
  /** The time at which all pending earnings become available; null before the first run of the world. */
  maturesMs: z.number().nullable(),
  currency: z.string(),
  minimumCents: z.int(),
  maximumCents: z.int(),
  /** The number of days for which a manual payout stays `new`. */
  pendingDays: z.int(),
  period: z.string(),
  /** Oldest first. */
  requests: z.array(payoutRequestShape),
  /** The number of requests in each snapshot. The index is the marker. */
  markers: z.array(z.int()),
});
export interface Payouts extends z.infer<typeof payoutsShape> {}

const amount = z.number().min(0);
const instant = z.iso.datetime({ offset: true });

/** Payout settings of an account, in major units as in the API. Missing ones stay. */
export const payoutsSeedShape = z.strictObject({
  available: amount.optional(),
  pending: amount.optional(),
  pending_matures_at: instant.optional(),
  currency: z.string().optional(),
  minimum: amount.optional(),
  maximum: amount.optional(),
  pending_days: z.int().min(0).optional(),
  period: z.string().optional(),
});
export interface PayoutsSeed extends z.infer<typeof payoutsSeedShape> {}

/** A payout request that a person made without the API. */
export const payoutRequestSeedShape = z.strictObject({
  amount: amount.optional(),
  currency: z.string().optional(),
  state: z.string().optional(),
  reject_reason: z.string().optional(),
  created_at: instant.optional(),
  invoice_id: z.string().optional(),
});
export interface PayoutRequestSeed extends z.infer<typeof payoutRequestSeedShape> {}

/** Payouts of an account that can pay out at once. */
export function newPayouts(): Payouts {
  return {
    availableCents: 1_234_56,
    pendingCents: 345_67,
    maturesMs: null,
    currency: 'USD',
    minimumCents: 20_00,
    maximumCents: 5_000_00,
    pendingDays: 3,
    period: 'manual',
    requests: [],
    markers: [],
  };
}

export function toCents(amount: number): number {
  return Math.round(amount * 100);
}
