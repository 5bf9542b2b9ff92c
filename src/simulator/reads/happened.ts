import * as z from 'zod';
import { amountText, instantText } from './words.ts';

/** A row that something caused while the world ran. The other rows are generated. */
const happenedRowShape = z.strictObject({
  atMs: z.number(),
  /** Its members as JSON text, without the brackets. */
  text: z.string(),
});
export interface HappenedRow extends z.infer<typeof happenedRowShape> {}

/** By list, oldest first. */
export const happenedRowsShape = z.strictObject({
  transactions: z.array(happenedRowShape).default([]),
  subscriptions: z.array(happenedRowShape).default([]),
});
type HappenedRows = z.infer<typeof happenedRowsShape>;

export function newHappenedRows(): HappenedRows {
  return { transactions: [], subscriptions: [] };
}

interface Transaction {
  readonly id: string;
  readonly fanId: string;
  readonly cents: number;
  readonly type: string;
}

export function transactionRow(atMs: number, { id, fanId, cents, type }: Transaction): HappenedRow {
  const text =
    `"id":"${id}","amount":${amountText(cents)},"fan":{"id":${JSON.stringify(fanId)}},` +
    `"type":"${type}","status":"done","timestamp":${instantText(atMs)}`;
  return { atMs, text };
}

const SUBSCRIPTION_MS = 30 * 86_400_000;

interface Subscription {
  readonly fanId: string;
  readonly cents: number;
  readonly regularCents: number;
  readonly type: string;
}

export function subscriptionRow(
  atMs: number,
  { fanId, cents, regularCents, type }: Subscription,
): HappenedRow {
  const text =
    `"fan":{"id":${JSON.stringify(fanId)}},"price_gross":${amountText(cents)},` +
    `"regular_price_gross":${amountText(regularCents)},"action":"subscribe","type":${JSON.stringify(type)},` +
    `"subscribed_at":${instantText(atMs)},"expires_at":${instantText(atMs + SUBSCRIPTION_MS)}`;
  return { atMs, text };
}
