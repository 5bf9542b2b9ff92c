import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { isoTime } from '../records.ts';
import { invalid, notFound } from '../refusal.ts';
import type { AccountState } from '../state.ts';
import type { World } from '../world.ts';
import { openChat, visiblePlaces } from './history.ts';
import type { Follow } from './state.ts';

const LIMIT_DEFAULT = 10_000;

/** Assumed: every fan with a message in the chat is listed (CHAT-13). */
export function listFans(world: World, { params, query }: Call<'fans.list'>): object {
  const account = accountOf(world, params.account_id);
  const ids = [...new Set([...account.fans, ...Object.keys(account.chats.chats)])];
  const active = ids.filter((id) => {
    const open = openChat(world, account, id);
    return open !== undefined && visiblePlaces(open, world.nowMs).length > 0;
  });
  return { fan_ids: active.slice(0, query.limit ?? LIMIT_DEFAULT) };
}

/** Assumed: the bounds are not shown (CHAT-8). In characters. */
const LABEL_MAX = 1000;

/** A missing field keeps its value (CHAT-7). */
export function labelFan(world: World, { params, body }: Call<'fans.label'>): object {
  const account = fanOf(world, params);
  for (const [name, value] of Object.entries(body))
    if (Array.from(value ?? '').length > LABEL_MAX)
      throw invalid(world.modes, `at most ${LABEL_MAX} characters`, name);
  const known = account.chats.labels[params.fan_id] ?? { custom_name: '', note: '' };
  account.chats.labels[params.fan_id] = {
    custom_name: body.custom_name ?? known.custom_name,
    note: body.note ?? known.note,
  };
  return { success: true };
}

/** Assumed: the duration of a paid subscription (CHAT-12). */
const SUBSCRIPTION_MS = 30 * 86_400_000;

/** An active subscription is returned unchanged and costs nothing (CHAT-10). */
export function followFan(world: World, { params, cause }: Call<'fans.follow'>): object {
  const account = fanOf(world, params);
  const { follows } = account.chats;
  const known = follows.find((follow) => follow.fan_id === params.fan_id && isInForce(world, follow));
  if (known !== undefined) return readFollow(known);
  const price = world.modes.followPriceUsd;
  const follow: Follow = {
    fan_id: params.fan_id,
    subscribedMs: world.nowMs,
    expiresMs: price === 0 ? null : world.nowMs + SUBSCRIPTION_MS,
    price,
    cause,
  };
  follows.push(follow);
  return readFollow(follow);
}

function isInForce({ nowMs }: World, { expiresMs }: Follow): boolean {
  return expiresMs === null || expiresMs > nowMs;
}

function readFollow({ fan_id: id, subscribedMs, expiresMs, price }: Follow): object {
  return {
    fan: { id },
    subscribed: true,
    subscribed_at: isoTime(subscribedMs),
    expires_at: expiresMs === null ? null : isoTime(expiresMs),
    auto_renew_enabled: price > 0,
    price_gross: price,
  };
}

function fanOf(
  world: World,
  { account_id, fan_id }: { readonly account_id: string; readonly fan_id: string },
): AccountState {
  const account = accountOf(world, account_id);
  if (openChat(world, account, fan_id) === undefined) throw notFound(`Fan ${fan_id}`);
  return account;
}
