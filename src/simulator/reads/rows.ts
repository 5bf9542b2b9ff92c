import type { AccountList } from './data.ts';
import { fanOf, longId, shortId, type Ground } from './ground.ts';
import { mix, mixText } from './mix.ts';
import { amountText, instantText, nameText, word } from './words.ts';

/** Row k of a list as JSON text, which is many times faster than objects are; `at` is its instant. */
export type RowWriter = (ground: Ground, k: number, at: number) => string;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Assumed: the words for type, status and action (READ-1). */
export const ROW_WRITERS = {
  subscriptions: subscriptionText,
  tracking_links: trackingLinkText,
  trial_links: trialLinkText,
  chargebacks: chargebackText,
  transactions: transactionText,
} as const satisfies { readonly [List in AccountList]?: RowWriter };

function subscriptionText(ground: Ground, k: number, at: number): string {
  const { seed, close } = ground;
  const drawn = mix(seed, k);
  const cents = 4_99 + 100 * (drawn % 20);
  const action = word(['subscribe', 'renew', 'resubscribe'], 'gifted', mix(drawn, 1));
  const type = word(['paid', 'free', 'trial', 'promotion'], 'bundle_2', mix(drawn, 2));
  const paid = type === 'free' || type === 'trial' ? 0 : cents;
  return (
    `{"fan":{"id":"${fanOf(ground, drawn)}"},"price_gross":${amountText(paid)},` +
    `"regular_price_gross":${amountText(cents)},"action":"${action}","type":"${type}",` +
    `"subscribed_at":${instantText(at)},"expires_at":${instantText(at + 30 * DAY_MS)}${close}`
  );
}

function trackingLinkText(ground: Ground, k: number, at: number): string {
  const drawn = mix(ground.seed, k);
  const clicks = drawn % 5000;
  return (
    `{"id":"${shortId(ground, k)}","name":${nameText(drawn >>> 8)},` +
    `"subscribers":${Math.floor((clicks * (mix(drawn, 1) % 30)) / 100)},` +
    `${linkTail(ground, k, at, clicks, drawn)}`
  );
}

function trialLinkText(ground: Ground, k: number, at: number): string {
  const drawn = mix(ground.seed, k);
  const limit = mix(drawn, 1) % 3 === 0 ? 0 : 10 * (1 + (mix(drawn, 2) % 20));
  const claims = mix(drawn, 3) % (limit === 0 ? 500 : limit + 1);
  const days = 7 * (1 + (mix(drawn, 4) % 12));
  const expires = mix(drawn, 5) % 3 === 0 ? 'null' : instantText(at + days * DAY_MS);
  return (
    `{"id":"${shortId(ground, k)}","name":${nameText(drawn >>> 8)},"claims":${claims},` +
    `"claims_limit":${limit},"duration_days":${days},"expires_at":${expires},` +
    `${linkTail(ground, k, at, claims + (drawn % 900), drawn)}`
  );
}

/** What both kinds of link have. */
function linkTail(ground: Ground, k: number, at: number, clicks: number, drawn: number): string {
  return (
    `"url":"https://links.example.com/${shortId(ground, k)}","is_active":${mix(drawn, 6) % 4 !== 0},` +
    `"clicks":${clicks},"created_at":${instantText(at)}${ground.close}`
  );
}

/** Someone who came by a link; `at` is when that was collected, which is later than it happened. */
export function linkUserText(ground: Ground, k: number, at: number, linkId: string): string {
  const drawn = mix(ground.seed, k);
  const fan = fanOf(ground, drawn);
  const subscribedAt = at - (1 + (mix(drawn, 1) % 48)) * (HOUR_MS / 2);
  return (
    `{"link_id":"${linkId}","fan":{"id":"${fan}","name":${nameText(mixText(0, fan))},` +
    `"username":"u${fan}"},"subscribed_at":${instantText(subscribedAt)},` +
    `"collected_at":${instantText(at)}${ground.close}`
  );
}

/** Assumed: the range is about the chargeback, not about its transaction some days before (READ-3). */
function chargebackText(ground: Ground, k: number, at: number): string {
  const drawn = mix(ground.seed, k);
  const type = word(['message', 'subscription', 'tip', 'post'], 'stream_ticket', mix(drawn, 1));
  const status = word(['lost', 'won', 'open'], 'pre_arbitration', mix(drawn, 2));
  const transactionAt = at - (1 + (mix(drawn, 3) % 60)) * DAY_MS;
  return (
    `${moneyHead(ground, k, drawn)},"type":"${type}","status":"${status}",` +
    `"chargeback_timestamp":${instantText(at)},"transaction_timestamp":${instantText(transactionAt)}${ground.close}`
  );
}

function transactionText(ground: Ground, k: number, at: number): string {
  const drawn = mix(ground.seed, k);
  const type = word(['message', 'subscription', 'tip', 'post', 'stream'], 'gift_card', mix(drawn, 1));
  const status = word(['done', 'done', 'done', 'pending'], 'held_2', mix(drawn, 2));
  return `${moneyHead(ground, k, drawn)},"type":"${type}","status":"${status}","timestamp":${instantText(at)}${ground.close}`;
}

function moneyHead(ground: Ground, k: number, drawn: number): string {
  const amount = amountText(3_00 + (drawn % 297_00));
  return `{"id":"${longId(ground, k)}","amount":${amount},"fan":{"id":"${fanOf(ground, drawn)}"}`;
}
