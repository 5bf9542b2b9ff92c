import type { AccountList } from './data.ts';
import { fanOf, longId, shortId, type RowSource } from './row-source.ts';
import { mix, mixText } from './mix.ts';
import { amountText, instantText, nameText, word } from './words.ts';

/** Writes row k of a list as JSON text, which is many times faster than an object. `at` is its time. */
export type RowWriter = (source: RowSource, k: number, at: number) => string;

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

function subscriptionText(source: RowSource, k: number, at: number): string {
  const { seed, close } = source;
  const drawn = mix(seed, k);
  const cents = 4_99 + 100 * (drawn % 20);
  const action = word(['subscribe', 'renew', 'resubscribe'], 'gifted', mix(drawn, 1));
  const type = word(['paid', 'free', 'trial', 'promotion'], 'bundle_2', mix(drawn, 2));
  const paid = type === 'free' || type === 'trial' ? 0 : cents;
  return (
    `{"fan":{"id":"${fanOf(source, drawn)}"},"price_gross":${amountText(paid)},` +
    `"regular_price_gross":${amountText(cents)},"action":"${action}","type":"${type}",` +
    `"subscribed_at":${instantText(at)},"expires_at":${instantText(at + 30 * DAY_MS)}${close}`
  );
}

function trackingLinkText(source: RowSource, k: number, at: number): string {
  const drawn = mix(source.seed, k);
  const clicks = drawn % 5000;
  return (
    `{"id":"${shortId(source, k)}","name":${nameText(drawn >>> 8)},` +
    `"subscribers":${Math.floor((clicks * (mix(drawn, 1) % 30)) / 100)},` +
    `${linkTail(source, k, at, clicks, drawn)}`
  );
}

function trialLinkText(source: RowSource, k: number, at: number): string {
  const drawn = mix(source.seed, k);
  const limit = mix(drawn, 1) % 3 === 0 ? 0 : 10 * (1 + (mix(drawn, 2) % 20));
  const claims = mix(drawn, 3) % (limit === 0 ? 500 : limit + 1);
  const days = 7 * (1 + (mix(drawn, 4) % 12));
  const expires = mix(drawn, 5) % 3 === 0 ? 'null' : instantText(at + days * DAY_MS);
  return (
    `{"id":"${shortId(source, k)}","name":${nameText(drawn >>> 8)},"claims":${claims},` +
    `"claims_limit":${limit},"duration_days":${days},"expires_at":${expires},` +
    `${linkTail(source, k, at, claims + (drawn % 900), drawn)}`
  );
}

/** The common part of both kinds of links. */
function linkTail(source: RowSource, k: number, at: number, clicks: number, drawn: number): string {
  return (
    `"url":"https://links.example.com/${shortId(source, k)}","is_active":${mix(drawn, 6) % 4 !== 0},` +
    `"clicks":${clicks},"created_at":${instantText(at)}${source.close}`
  );
}

/** A fan who came through a link. `at` is the time of collection, which is later than the subscription. */
export function linkUserText(source: RowSource, k: number, at: number, linkId: string): string {
  const drawn = mix(source.seed, k);
  const fan = fanOf(source, drawn);
  const subscribedAt = at - (1 + (mix(drawn, 1) % 48)) * (HOUR_MS / 2);
  return (
    `{"link_id":"${linkId}","fan":{"id":"${fan}","name":${nameText(mixText(0, fan))},` +
    `"username":"u${fan}"},"subscribed_at":${instantText(subscribedAt)},` +
    `"collected_at":${instantText(at)}${source.close}`
  );
}

/** Assumed: the range is on the chargeback, not on its transaction some days before (READ-3). */
function chargebackText(source: RowSource, k: number, at: number): string {
  const drawn = mix(source.seed, k);
  const type = word(['message', 'subscription', 'tip', 'post'], 'stream_ticket', mix(drawn, 1));
  const status = word(['lost', 'won', 'open'], 'pre_arbitration', mix(drawn, 2));
  const transactionAt = at - (1 + (mix(drawn, 3) % 60)) * DAY_MS;
  return (
    `${moneyHead(source, k, drawn)},"type":"${type}","status":"${status}",` +
    `"chargeback_timestamp":${instantText(at)},"transaction_timestamp":${instantText(transactionAt)}${source.close}`
  );
}

function transactionText(source: RowSource, k: number, at: number): string {
  const drawn = mix(source.seed, k);
  const type = word(['message', 'subscription', 'tip', 'post', 'stream'], 'gift_card', mix(drawn, 1));
  const status = word(['done', 'done', 'done', 'pending'], 'held_2', mix(drawn, 2));
  return `${moneyHead(source, k, drawn)},"type":"${type}","status":"${status}","timestamp":${instantText(at)}${source.close}`;
}

function moneyHead(source: RowSource, k: number, drawn: number): string {
  const amount = amountText(3_00 + (drawn % 297_00));
  return `{"id":"${longId(source, k)}","amount":${amount},"fan":{"id":"${fanOf(source, drawn)}"}`;
}
