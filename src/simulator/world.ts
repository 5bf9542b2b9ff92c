import * as z from 'zod';
import { canonical } from '../domain/digest.ts';
import { PERMISSIONS } from '../api/catalogue.ts';
import { Refusal } from './answers.ts';
import { armedFaultShape } from './fault-shape.ts';
import { modesShape, type ModeChanges } from './modes.ts';
import { mix } from './random.ts';
import {
  accountShape,
  liveAccountShape,
  PRIMARY_PLATFORM,
  SECONDARY_PLATFORM,
  storageShape,
  webhooksShape,
  type AccountState,
  type Sender,
  dataShape,
} from './state.ts';

const WORLD_VERSION = 1;

const permissions = z.union([z.literal('all'), z.array(z.enum(PERMISSIONS))]);

/** A key and its scope (ACCOUNT-9). Without `accounts` and `platform` it covers the whole organisation. */
const keyShape = z.strictObject({
  id: z.string(),
  /** It is sent in a header. */
  key: z.string().regex(/^[!-~]+$/, 'use visible ASCII characters only'),
  permissions,
  accounts: z.array(z.string()).nullable(),
  platform: z.string().nullable(),
  revoked: z.boolean(),
});
export interface ApiKey extends z.infer<typeof keyShape> {}

/** The cause of a change: an API request, a person outside the API, or the service's own timers. */
const causeShape = z.strictObject({
  by: z.enum(['api', 'control', 'service']),
  request: z.int().nullable(),
});
export interface Cause extends z.infer<typeof causeShape> {}

export const BY_SERVICE: Cause = { by: 'service', request: null };
export const BY_CONTROL: Cause = { by: 'control', request: null };

const requestRecordShape = z.strictObject({
  request: z.int(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  operation: z.string().nullable(),
  /** null while it is not answered, and if it never is. */
  status: z.int().nullable(),
  fault: z.string().nullable(),
});
export interface RequestRecord extends z.infer<typeof requestRecordShape> {}

const kind = z.enum(['campaign', 'broadcast']);

/** One change of live state. */
const commitRecordShape = z.strictObject({
  at: z.string(),
  cause: causeShape,
  account_id: z.string(),
  kind,
  id: z.string(),
  name: z.string().nullable(),
  change: z.enum(['create', 'status', 'unsend', 'edit']),
  status: z.string().nullable(),
});
export interface CommitRecord extends z.infer<typeof commitRecordShape> {}

/** One message, or sequence, that went out to one fan. */
const dispatchRecordShape = z.strictObject({
  at: z.string(),
  account_id: z.string(),
  fan_id: z.string(),
  kind,
  id: z.string(),
  /** Fingerprint of the messages. Two objects with the same words have the same content. */
  content: z.string(),
  text: z.string().nullable(),
  taken_back: z.boolean(),
});
export interface DispatchRecord extends z.infer<typeof dispatchRecordShape> {}

const object = { account_id: z.string(), id: z.string() };

/** Events that happen by themselves at a virtual time. A timer without a reason does nothing. */
const timerShape = z.discriminatedUnion('kind', [
  /** Something may happen to a campaign or a broadcast. */
  z.strictObject({ kind: z.literal('messaging'), of: kind, ...object }),
  /** An exported upload reaches its next state. */
  z.strictObject({ kind: z.literal('upload_move'), ...object }),
  /** The message guard stops a queued chat message; `id` is its `send_id`. */
  z.strictObject({ kind: z.literal('chat_blocked'), ...object, chat_id: z.string(), key: z.string() }),
  /** A request with a lost answer that is executed later. */
  z.strictObject({ kind: z.literal('late_commit'), call: z.record(z.string(), z.unknown()) }),
]);
export type Timer = z.infer<typeof timerShape>;
export type TimerOf<Kind extends Timer['kind']> = Extract<Timer, { kind: Kind }>;

const dueTimerShape = z.strictObject({ dueMs: z.number(), timer: timerShape });

const worldShape = z.strictObject({
  version: z.literal(WORLD_VERSION),
  /** Tells it from the worlds of other machines with the same file name. */
  id: z
    .string()
    .regex(/^[0-9a-z]*$/, 'use digits and lower-case letters only')
    .default(''),
  randomState: z.int(),
  /** Virtual time minus the clock's time. */
  clockOffsetMs: z.number().default(0),
  /** The virtual time up to which all due events have run. */
  nowMs: z.number().default(0),
  modes: modesShape,
  data: dataShape.prefault({}),
  // Just below the next power of ten and beyond 2^53, so that soon "9…" and "10…" are in one list.
  nextCampaignId: z.string().default('9999999999999970'),
  nextBroadcastId: z.string().default('999999999999999970'),
  nextListId: z.string().default('99999999999999990'),
  nextMediaId: z.string().default('999999999999999970'),
  nextTransactionId: z.string().default('1000000000000000001'),
  nextRequest: z.int().default(1),
  /** Requests refused with 429 since the world began. */
  throttled: z.int().default(0),
  accounts: z.record(z.string(), accountShape),
  keys: z.array(keyShape),
  faults: z.array(armedFaultShape).default([]),
  timers: z.array(dueTimerShape).default([]),
  requests: z.array(requestRecordShape).default([]),
  commits: z.array(commitRecordShape).default([]),
  dispatches: z.array(dispatchRecordShape).default([]),
  storage: storageShape.prefault({}),
  webhooks: webhooksShape.prefault({}),
});

/** All data of the simulator as plain JSON. */
export interface WorldData extends z.infer<typeof worldShape> {}

/** An account to be added to a world. The id is a string of digits. */
export const accountSeedShape = liveAccountShape
  .partial()
  .required({ id: true })
  .extend({
    fans: z.array(z.string()).readonly().optional(),
  });
export type AccountSeed = Readonly<z.infer<typeof accountSeedShape>>;

/** A key to be added to a world. Without accounts and platform it covers the whole organisation. */
export const keySeedShape = keyShape
  .omit({ id: true })
  .partial({ platform: true, revoked: true })
  .extend({ permissions: permissions.readonly(), accounts: z.array(z.string()).readonly().nullish() });
export type KeySeed = Readonly<z.infer<typeof keySeedShape>>;

/** Its members are those of the data. */
class DataHolder {
  constructor(data: object) {
    Object.assign(this, data);
  }
}
// The compiler does not see them.
const WorldMembers = DataHolder as new (data: WorldData) => WorldData;

const FANS_PER_ACCOUNT = 5;

/** The largest step from one id to the next. Ids grow, but not by one. */
const MAX_STEP = 9;

/** The data of the simulator, and what every part of it does with them. One file is one service. */
export class World extends WorldMembers {
  putAccount({ fans, ...given }: AccountSeed): void {
    const { id, username = `user_${id}` } = given;
    if (Object.hasOwn(this.accounts, id)) throw Refusal.conflict(`account ${id} exists already`);
    this.accounts[id] = accountShape.parse({
      live: {
        platform_account_id: `9${id}`,
        platform: PRIMARY_PLATFORM,
        name: username,
        email: `${username}@example.com`,
        avatar: `https://media.example.com/${username}.jpg`,
        username,
        organisation_id: '1',
        subscribe_price: 9.99,
        subscription_expiration_date: isoTime(Date.UTC(2999, 0)),
        custom_label: null,
        ...dropUndefined(given),
      },
      fans: [...(fans ?? Array.from({ length: FANS_PER_ACCOUNT }, (_, index) => `${id}00${index + 1}`))],
    });
  }

  /** Adds a key, or replaces the one with the same text. */
  putKey(seed: KeySeed): void {
    const known = this.keys.findIndex((key) => key.key === seed.key);
    const key = keyShape.parse({
      id: this.keys[known]?.id ?? String(this.keys.length + 1),
      accounts: null,
      platform: null,
      revoked: false,
      ...dropUndefined(seed),
    });
    if (known === -1) this.keys.push(key);
    else this.keys[known] = key;
  }

  /** The account, or undefined. Ids come from requests, so inherited members must not match. */
  findAccount({ account_id: id, platform, platform_account_id }: AccountPath): AccountState | undefined {
    if (id !== undefined) return Object.hasOwn(this.accounts, id) ? this.accounts[id] : undefined;
    return Object.values(this.accounts).find(
      ({ live }) => live.platform === platform && live.platform_account_id === platform_account_id,
    );
  }

  /** The account that a path or a person names. */
  getAccount(path: AccountPath): AccountState {
    const account = this.findAccount(path);
    if (account === undefined)
      throw Refusal.notFound(path.account_id === undefined ? 'Account' : `Account ${path.account_id}`);
    return account;
  }

  recordCommit(cause: Cause, { kind, live }: Sender, change: CommitRecord['change']): void {
    const { account_id, id, name, status } = live;
    this.commits.push({ at: isoTime(this.nowMs), cause, account_id, kind, id, name, change, status });
  }

  /** Adds a timer in the order of their times. Of two with the same time, the one set first runs first. */
  setTimer(dueMs: number, timer: Timer): void {
    const later = this.timers.findLastIndex((one) => one.dueMs <= dueMs) + 1;
    this.timers.splice(later, 0, { dueMs, timer });
  }

  /** A whole number from 0 to `below` - 1. Every draw changes the state of the world, so that runs can be repeated. */
  drawBelow(below: number): number {
    this.randomState = (this.randomState + 0x6d2b79f5) >>> 0;
    return Math.floor((mix(this.randomState, 1) / 2 ** 32) * below);
  }

  drawUuid(): string {
    return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => this.drawBelow(16).toString(16));
  }

  /** A new id: growing, beyond 2^53, and soon one digit longer (ACCOUNT-1). */
  takeId(counter: Counter): string {
    const id = this[counter];
    this[counter] = String(BigInt(id) + BigInt(1 + this.drawBelow(MAX_STEP)));
    return id;
  }
}

type Counter = 'nextCampaignId' | 'nextBroadcastId' | 'nextListId' | 'nextMediaId' | 'nextTransactionId';

/** Names an account by its id, or by its platform and the id there. */
interface AccountPath {
  readonly account_id?: string | undefined;
  readonly platform?: string | undefined;
  readonly platform_account_id?: string | undefined;
}

export interface WorldOptions {
  /** Empty by default, for a world that no state has to tell from others. */
  readonly id?: string | undefined;
  readonly seed?: number | undefined;
  readonly accounts?: readonly AccountSeed[] | undefined;
  readonly keys?: readonly KeySeed[] | undefined;
  readonly modes?: ModeChanges | undefined;
}

const DEFAULT_ACCOUNTS: readonly AccountSeed[] = [
  { id: '101', username: 'alice_x', custom_label: 'Alice' },
  { id: '102', username: 'bob_x', custom_label: 'Bob' },
  { id: '103', username: 'carol_x', custom_label: 'Carol' },
  { id: '201', username: 'dora_y', custom_label: null, platform: SECONDARY_PLATFORM },
];
/** Keys from before permissions existed have all of them (ACCOUNT-10). */
const DEFAULT_KEYS: readonly KeySeed[] = [{ key: 'sim-key', permissions: 'all' }];

/** A new world. The defaults work at once on a new machine. */
export function createWorld(options: WorldOptions = {}): World {
  const seed = (options.seed ?? 1) >>> 0;
  const data = worldShape.parse({
    version: WORLD_VERSION,
    id: options.id,
    randomState: seed,
    modes: options.modes ?? {},
    data: { seed },
    accounts: {},
    keys: [],
  });
  const world = new World(data);
  for (const account of options.accounts ?? DEFAULT_ACCOUNTS) world.putAccount(account);
  for (const key of options.keys ?? DEFAULT_KEYS) world.putKey(key);
  return world;
}

/** The last text that this process made of a world. */
let ownText: string | null = null;

/** The world as JSON text. The same state gives the same bytes. */
export function serializeWorld(world: WorldData): string {
  ownText = `${canonical(world)}\n`;
  return ownText;
}

/** Parses a world. Throws an Error that names the damaged part. */
export function parseWorld(text: string): World {
  // To check what this process made itself takes most of the time.
  if (text === ownText) return new World(JSON.parse(text) as WorldData);
  const advice = 'Restore the file, or remove it to start with a new world.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The world is not valid JSON, perhaps cut off. ${advice}`, { cause: error });
  }
  const parsed = worldShape.safeParse(value);
  if (parsed.success) return new World(parsed.data);
  const [first] = parsed.error.issues;
  const place =
    first === undefined ? 'somewhere' : `at ${first.path.join('.') || 'its top'}: ${first.message}`;
  throw new Error(`The world is damaged ${place}. ${advice}`);
}

/** A key covers chosen accounts, or a platform (later accounts too), or all (ACCOUNT-9). */
export function covers(key: ApiKey, { live }: AccountState): boolean {
  if (key.accounts !== null) return key.accounts.includes(live.id);
  return key.platform === null || key.platform === live.platform;
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function dropUndefined<Value extends object>(
  value: Value,
): { [Member in keyof Value]: Exclude<Value[Member], undefined> } {
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  // The compiler does not follow the members through the entries.
  return Object.fromEntries(given) as { [Member in keyof Value]: Exclude<Value[Member], undefined> };
}
