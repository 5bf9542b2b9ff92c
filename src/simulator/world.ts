import * as z from 'zod';
import { canonical } from '../domain/digest.ts';
import { HEADER_NAME } from '../domain/header-name.ts';
import type { Permission } from '../api/row.ts';
import { newChats } from './chat/state.ts';
import { armedFaultShape } from './fault-shape.ts';
import { modesShape, type ModeChanges } from './modes.ts';
import { setPayouts } from './payouts/lifecycle.ts';
import { newPayouts, type PayoutsSeed } from './payouts/state.ts';
import { dataShape, newData, setData, type DataSettings } from './reads/data.ts';
import { newHappenedRows } from './reads/happened.ts';
import { conflict } from './refusal.ts';
import { commitRecordShape, dispatchRecordShape, isoTime, requestRecordShape } from './records.ts';
import {
  accountStateShape,
  keyShape,
  PRIMARY_PLATFORM,
  SECONDARY_PLATFORM,
  type AccountState,
  type ApiKey,
} from './state.ts';
import { dueTimerShape } from './timers.ts';
import { newStorage, newVault, storageShape } from './vault/state.ts';
import { newWebhooks, webhooksShape } from './webhooks/state.ts';

const WORLD_VERSION = 1;
/** Beyond 2^53, and soon one digit longer. */
const FIRST_MEDIA_ID = '999999999999999970';
const FIRST_TRANSACTION_ID = '1000000000000000001';

const worldShape = z.strictObject({
  version: z.literal(WORLD_VERSION),
  /** Tells it from the worlds of other machines with the same file name. Empty in worlds from before ids. */
  id: z
    .string()
    .regex(/^[0-9a-z]*$/, 'use digits and lower-case letters only')
    .default(''),
  randomState: z.int(),
  /** The start of virtual time. The first simulator that runs the world converts it to `clockOffsetMs`. */
  pinnedMs: z.number().nullable(),
  /** Virtual time minus the clock's time. */
  clockOffsetMs: z.number(),
  /** The virtual time up to which all due events have run. */
  nowMs: z.number(),
  authHeader: z.string().regex(HEADER_NAME, 'this is not a header name'),
  modes: modesShape,
  data: dataShape.default(() => newData(DEFAULT_SEED)),
  nextCampaignId: z.string(),
  nextBroadcastId: z.string(),
  nextListId: z.string(),
  nextMediaId: z.string().default(FIRST_MEDIA_ID),
  nextTransactionId: z.string().default(FIRST_TRANSACTION_ID),
  nextSend: z.int(),
  nextRequest: z.int(),
  nextTimerOrder: z.int(),
  /** Requests refused with 429 since the world began. */
  throttled: z.int(),
  accounts: z.record(z.string(), accountStateShape),
  keys: z.array(keyShape),
  faults: z.array(armedFaultShape),
  timers: z.array(dueTimerShape),
  requests: z.array(requestRecordShape),
  commits: z.array(commitRecordShape),
  dispatches: z.array(dispatchRecordShape),
  storage: storageShape.default(newStorage),
  webhooks: webhooksShape.default(newWebhooks),
});

/** All data of the simulator as plain JSON. One file is one service. */
export interface World extends z.infer<typeof worldShape> {}

/** An account to be added to a world. The id is a string of digits. */
export interface AccountSeed {
  readonly id: string;
  readonly platform?: string | undefined;
  readonly platform_account_id?: string | undefined;
  readonly username?: string | undefined;
  readonly subscribe_price?: number | undefined;
  readonly organisation_id?: string | undefined;
  readonly custom_label?: string | null | undefined;
  readonly subscription_expiration_date?: string | undefined;
  readonly fans?: readonly string[] | undefined;
  readonly payouts?: PayoutsSeed | undefined;
}

/** A key to be added to a world. Without accounts and platform it covers the whole organisation. */
export interface KeySeed {
  readonly key: string;
  readonly permissions: readonly Permission[] | 'all';
  readonly accounts?: readonly string[] | undefined;
  readonly platform?: string | undefined;
  readonly revoked?: boolean | undefined;
}

export interface WorldOptions {
  /** Empty by default, for a world that no state has to tell from others. */
  readonly id?: string | undefined;
  readonly seed?: number | undefined;
  /** Sets the start of virtual time. Without it virtual time is the clock's. */
  readonly nowMs?: number | undefined;
  readonly accounts?: readonly AccountSeed[] | undefined;
  readonly keys?: readonly KeySeed[] | undefined;
  readonly authHeader?: string | undefined;
  readonly modes?: ModeChanges | undefined;
  readonly data?: DataSettings | undefined;
}

const DEFAULT_SEED = 1;
const DEFAULT_ACCOUNTS: readonly AccountSeed[] = [
  { id: '101', username: 'alice_x', custom_label: 'Alice' },
  { id: '102', username: 'bob_x', custom_label: 'Bob' },
  { id: '103', username: 'carol_x', custom_label: 'Carol' },
  { id: '201', username: 'dora_y', custom_label: null, platform: SECONDARY_PLATFORM },
];
/** Keys from before permissions existed have all of them (ACCOUNT-10). */
const DEFAULT_KEYS: readonly KeySeed[] = [{ key: 'sim-key', permissions: 'all' }];

const FANS_PER_ACCOUNT = 5;

/** A new world. The defaults work at once on a new machine. */
export function createWorld(options: WorldOptions = {}): World {
  const world: World = {
    version: WORLD_VERSION,
    id: options.id ?? '',
    randomState: (options.seed ?? DEFAULT_SEED) >>> 0,
    pinnedMs: options.nowMs ?? null,
    clockOffsetMs: 0,
    nowMs: options.nowMs ?? 0,
    authHeader: (options.authHeader ?? 'x-svc-auth-token').toLowerCase(),
    modes: modesShape.parse(options.modes ?? {}),
    data: newData((options.seed ?? DEFAULT_SEED) >>> 0),
    // Just below the next power of ten and beyond 2^53, so that soon "9…" and "10…" are in one list.
    nextCampaignId: '9999999999999970',
    nextBroadcastId: '999999999999999970',
    nextListId: '99999999999999990',
    nextMediaId: FIRST_MEDIA_ID,
    nextTransactionId: FIRST_TRANSACTION_ID,
    nextSend: 1,
    nextRequest: 1,
    nextTimerOrder: 1,
    throttled: 0,
    accounts: {},
    keys: [],
    faults: [],
    timers: [],
    requests: [],
    commits: [],
    dispatches: [],
    storage: newStorage(),
    webhooks: newWebhooks(),
  };
  for (const seed of options.accounts ?? DEFAULT_ACCOUNTS) putAccount(world, seed);
  for (const seed of options.keys ?? DEFAULT_KEYS) putKey(world, seed);
  if (options.data !== undefined) setData(world, options.data);
  return world;
}

/** An id for a new world. `random` is from 0 to 1. */
export function newWorldId(random: () => number): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

/** The last text that this process made of a world. */
let ownText: string | null = null;

/** The world as JSON text. The same state gives the same bytes. */
export function serializeWorld(world: World): string {
  ownText = `${canonical(world)}\n`;
  return ownText;
}

/** Parses a world. Throws an Error that names the damaged part. */
export function parseWorld(text: string): World {
  const advice = 'Restore the file, or remove it to start with a new world.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The world is not valid JSON, perhaps cut off. ${advice}`, { cause: error });
  }
  const parsed = worldShape.safeParse(value);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  const place =
    first === undefined ? 'somewhere' : `at ${first.path.join('.') || 'its top'}: ${first.message}`;
  throw new Error(`The world is damaged ${place}. ${advice}`);
}

/** As `parseWorld`. A text that this process made itself is not checked again, because that takes most of the time. */
export function reopenWorld(text: string): World {
  return text === ownText ? (JSON.parse(text) as World) : parseWorld(text);
}

export function putAccount(world: World, seed: AccountSeed): AccountState {
  if (Object.hasOwn(world.accounts, seed.id)) throw conflict(`account ${seed.id} exists already`);
  const username = seed.username ?? `user_${seed.id}`;
  const fans = Array.from({ length: FANS_PER_ACCOUNT }, (_, index) => `${seed.id}00${index + 1}`);
  const account: AccountState = {
    live: {
      id: seed.id,
      platform_account_id: seed.platform_account_id ?? `9${seed.id}`,
      platform: seed.platform ?? PRIMARY_PLATFORM,
      name: username,
      email: `${username}@example.com`,
      avatar: `https://media.example.com/${username}.jpg`,
      username,
      organisation_id: seed.organisation_id ?? '1',
      subscribe_price: seed.subscribe_price ?? 9.99,
      subscription_expiration_date: seed.subscription_expiration_date ?? isoTime(Date.UTC(2999, 0)),
      custom_label: seed.custom_label ?? null,
    },
    fans: [...(seed.fans ?? fans)],
    lists: {},
    campaigns: {},
    campaignOrder: [],
    broadcasts: {},
    broadcastOrder: [],
    nextRunMs: null,
    payouts: newPayouts(),
    vault: newVault(),
    chats: newChats(),
    data: {},
    happened: newHappenedRows(),
  };
  if (seed.payouts !== undefined) setPayouts(account, seed.payouts);
  world.accounts[seed.id] = account;
  return account;
}

/** Adds a key, or replaces the one with the same text. */
export function putKey(world: World, seed: KeySeed): ApiKey {
  const known = world.keys.findIndex((key) => key.key === seed.key);
  const key: ApiKey = {
    id: world.keys[known]?.id ?? String(world.keys.length + 1),
    key: seed.key,
    permissions: seed.permissions === 'all' ? 'all' : [...seed.permissions],
    accounts: seed.accounts === undefined ? null : [...seed.accounts],
    platform: seed.platform ?? null,
    revoked: seed.revoked ?? false,
  };
  if (known === -1) world.keys.push(key);
  else world.keys[known] = key;
  return key;
}

/** The account, or undefined. Ids come from requests, so inherited members must not match. */
export function findAccount(world: World, accountId: string): AccountState | undefined {
  return Object.hasOwn(world.accounts, accountId) ? world.accounts[accountId] : undefined;
}
