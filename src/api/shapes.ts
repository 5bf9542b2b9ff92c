import * as z from 'zod';
import {
  maybe,
  wireAccountIdShape,
  wireIdShape,
  wireMediaIdShape,
  wireVaultMediaIdShape,
} from '../domain/replies.ts';

/**
 * The shapes of answers, except for campaigns and broadcasts (those are in `domain/`). Unknown members are
 * accepted. Members without influence on decisions read as null when they are unexpected.
 */

const text = maybe(z.string());
const number = maybe(z.number());
const flag = maybe(z.boolean());
/** Kept unchanged, of any type. Lists show it, and no decision depends on it. */
const shown = z.unknown().optional();
const fan = maybe(z.looseObject({ id: wireIdShape, name: text, username: text }));

/** An account, as the list has it. */
export const accountReply = z.looseObject({
  id: wireAccountIdShape,
  platform_account_id: maybe(wireIdShape),
  platform: text,
  name: text,
  email: text,
  avatar: text,
  username: text,
  organisation_id: maybe(wireIdShape),
  subscribe_price: number,
  subscription_expiration_date: text,
  custom_label: text,
});
export type AccountReply = z.infer<typeof accountReply>;

/** A subscription, which has no id of its own (READ-6). */
export const subscriptionReply = z.looseObject({
  fan,
  price_gross: shown,
  regular_price_gross: shown,
  action: shown,
  type: shown,
  subscribed_at: shown,
  expires_at: shown,
});

const link = { id: wireIdShape, name: shown, url: shown, is_active: shown, clicks: shown, created_at: shown };

export const trackingLinkReply = z.looseObject({ ...link, subscribers: shown });

/** A trial link: `claims_limit` 0 means unlimited, `expires_at` null means never (READ-5). */
export const trialLinkReply = z.looseObject({
  ...link,
  claims: shown,
  claims_limit: shown,
  duration_days: shown,
  expires_at: shown,
});

export const linkUserReply = z.looseObject({
  link_id: maybe(wireIdShape),
  fan,
  subscribed_at: shown,
  collected_at: shown,
});

const money = { id: wireIdShape, amount: shown, fan, type: shown, status: shown };

export const chargebackReply = z.looseObject({
  ...money,
  chargeback_timestamp: shown,
  transaction_timestamp: shown,
});
export const transactionReply = z.looseObject({ ...money, timestamp: shown });

/** Figures of a member. Their meaning and units are unknown, so they are passed on unchanged (READ-8). */
export const memberMetricsReply = z.looseObject({
  user_id: wireIdShape,
  creator_ids: maybe(z.array(wireAccountIdShape)),
});

export const memberReply = z.looseObject({
  id: wireIdShape,
  avatar: text,
  name: text,
  email: text,
  createdAt: text,
  customName: text,
});

export const chatMessageReply = z.looseObject({
  id: wireIdShape,
  text,
  from_user: maybe(wireIdShape),
  is_sent_by_me: flag,
  created_at: text,
  media: maybe(z.array(z.looseObject({ id: wireIdShape, type: text }))),
  media_count: number,
  is_opened: flag,
  is_new: flag,
  price: number,
  is_free: flag,
  can_purchase: flag,
  can_purchase_reason: text,
  sender: maybe(z.looseObject({ type: text, user_id: maybe(wireIdShape) })),
});

/** Balances: amounts in major units of `currency` (PAYOUT-3). */
export const payoutBalancesReply = z.looseObject({
  payoutAvailable: z.number(),
  payoutPending: number,
  currency: text,
  minPayoutSumm: number,
  maxPayoutSumm: number,
  withdrawalPeriodOptions: maybe(z.array(z.looseObject({ code: text, name: text }))),
  manualPayoutPendingDays: number,
  withdrawalPeriod: text,
});

export const payoutRequestReply = z.looseObject({
  invoiceId: wireIdShape,
  createdAt: text,
  amount: number,
  currency: text,
  state: text,
  rejectReason: text,
});

export const fanSubscriptionReply = z.looseObject({
  fan,
  subscribed: flag,
  subscribed_at: text,
  expires_at: text,
  auto_renew_enabled: flag,
  price_gross: number,
});

export const vaultFolderReply = z.looseObject({
  id: wireIdShape,
  type: text,
  name: text,
  has_media: flag,
  can_update: flag,
  can_delete: flag,
  videos_count: number,
  photos_count: number,
  gifs_count: number,
  audios_count: number,
});

export const vaultMediaReply = z.looseObject({
  id: wireVaultMediaIdShape,
  type: text,
  can_view: flag,
  is_ready: flag,
  has_error: flag,
  converted_to_video: flag,
  created_at: text,
  thumbnail_url: text,
});

/** An upload: `media_id` is null until the status is `exported` (VAULT-12). */
export const uploadReply = z.looseObject({
  id: z.string().min(1),
  status: z.string().nullish(),
  media_id: maybe(wireMediaIdShape),
  metadata: maybe(
    z.looseObject({
      name: text,
      size: number,
      content_type: text,
      duration: number,
      key: text,
      e_tag: text,
      get_url: text,
    }),
  ),
  created_at: text,
  updated_at: text,
});

/** The answer to a start. Its fields tell which of the two forms it has (VAULT-5). */
export const uploadStartReply = z.looseObject({
  get_url: text,
  put_url: text,
  key: text,
  upload_id: text,
  parts: maybe(z.array(z.looseObject({ id: z.int(), put_url: z.string().min(1) }))),
});
