import * as z from 'zod';
import { findChat, SUBSCRIPTION_MS } from './chat.ts';
import { applySeed, SEEDS } from './service.ts';
import { faultShape, type FaultInput } from './fault-shape.ts';
import { editSender } from './messaging.ts';
import { modesShape, type ModeChanges } from './modes.ts';
import {
  editShape,
  firedShape,
  seedShape,
  type BroadcastSeed,
  type CampaignSeed,
  type Edit,
  type Fired,
  type SeedInput,
} from './seed-shape.ts';
import {
  entryInputShape,
  type AccountState,
  type EntryInput,
  type UploadPart,
  type List,
  LISTS,
} from './state.ts';
import { fireTrigger } from './states.ts';
import { emitEvent, type EventKind } from './webhooks.ts';
import {
  accountSeedShape,
  keySeedShape,
  type AccountSeed,
  type KeySeed,
  type World,
  type WorldData,
  isoTime,
  type DispatchRecord,
} from './world.ts';
import { createHash } from 'node:crypto';

const who = { account_id: z.string(), fan_id: z.string().min(1) };

const amount = z.number().min(0).max(1_000_000);

const fanActShape = z.discriminatedUnion('does', [
  z.strictObject({ ...who, does: z.literal('tip'), amount: amount.default(5) }),
  z.strictObject({
    ...who,
    does: z.literal('subscribe'),
    /** Assumed: the words for types of subscriptions (READ-1). */
    type: z.string().min(1).default('paid'),
    /** Default: the price of the account; free and trial subscriptions cost nothing. */
    price: amount.optional(),
  }),
  z.strictObject({
    ...who,
    does: z.literal('purchase'),
    content_type: z.enum(['message', 'post']).default('message'),
    amount: amount.default(10),
  }),
]);

type FanAct = z.output<typeof fanActShape>;

/** Lets a fan act: the rows of the lists and the event belong together. Returns the payload of the event. */
function actAsFan(world: World, act: FanAct): object {
  const account = world.getAccount(act);
  const pay = (type: string, amount: number) => addTransaction(world, account, act.fan_id, amount, type);
  const tell = (kind: EventKind, members: object): object => {
    const payload = { fan: { id: act.fan_id }, ...members };
    emitEvent(world, account, kind, payload);
    return payload;
  };
  switch (act.does) {
    case 'tip':
      return tell('fans.tip.received', { amount: act.amount, ...pay('tip', act.amount) });
    case 'subscribe':
      return tell('fans.subscription.new_subscriber', subscribe(world, account, act));
    case 'purchase': {
      const { content_type, amount } = act;
      return tell('fans.ppv.purchased', { content_type, amount, ...pay(content_type, amount) });
    }
  }
}

/** A new subscriber sets off the welcome campaigns. The transaction of a paid subscription is in the list too. */
function subscribe(
  world: World,
  account: AccountState,
  { fan_id: fanId, type, price: asked }: Extract<FanAct, { does: 'subscribe' }>,
): object {
  const { nowMs } = world;
  const regular = account.live.subscribe_price;
  const price = asked ?? (type === 'free' || type === 'trial' ? 0 : regular);
  // A new fan has an empty chat.
  if (findChat(world, account, fanId) === undefined) account.chats.chats[fanId] = [];
  account.happened.subscriptions.push({
    atMs: nowMs,
    row: {
      fan: { id: fanId },
      price_gross: price,
      regular_price_gross: regular,
      action: 'subscribe',
      type,
      subscribed_at: isoTime(nowMs),
      expires_at: isoTime(nowMs + SUBSCRIPTION_MS),
    },
  });
  if (price > 0) addTransaction(world, account, fanId, price, 'subscription');
  fireTrigger(world, { account_id: account.live.id, trigger: 'welcome_message', fan_id: fanId });
  return { type, price_gross: price };
}

/** Only some payloads name their transaction; the document does not show it (EVENT-5). */
function addTransaction(
  world: World,
  account: AccountState,
  fanId: string,
  sum: number,
  type: string,
): { readonly transaction_id?: string } {
  const id = world.takeId('nextTransactionId');
  const row = { id, amount: sum, fan: { id: fanId }, type, status: 'done', timestamp: isoTime(world.nowMs) };
  account.happened.transactions.push({ atMs: world.nowMs, row });
  return world.modes.webhookNames === 'full' ? { transaction_id: id } : {};
}

/** The set rows of a list lie in the days before they were set. */
const SPAN_MS = 60 * 86_400_000;
/** At most one row per millisecond fits. */
const rowCount = z.int().min(0).max(SPAN_MS);
const rowsByList = Object.fromEntries(LISTS.map((list) => [list, rowCount])) as Record<List, typeof rowCount>;

/** The number of rows of some lists, for tests and `/__sim/data`. The others stay. */
const dataSettingsShape = z.strictObject({ ...rowsByList, members: z.int().min(0).max(100_000) }).partial();

/** Sets the number of rows of lists. */
function setData({ data, nowMs }: World, settings: z.infer<typeof dataSettingsShape>): void {
  data.members = settings.members ?? data.members;
  for (const list of LISTS) {
    const rows = settings[list];
    if (rows === undefined) continue;
    data.plans[list] = { fromMs: nowMs - SPAN_MS, stepMs: SPAN_MS / Math.max(rows, 1), rows };
  }
}

function addEntry({ webhooks }: World, input: EntryInput): object {
  const entry = { id: String(webhooks.nextEntry++), failures: 0, ...entryInputShape.parse(input) };
  webhooks.entries.push(entry);
  return entry;
}

/**
 * What happens to the service outside the API: time, people and faults. `catchUp` brings the world to the current time
 * before each change. Every input is checked, and what is returned is a copy.
 */
export function createControl(world: World, catchUp: () => void) {
  const present = <Result>(act: () => Result): Result => {
    catchUp();
    return structuredClone(act());
  };
  const advance = (ms: number): number => {
    catchUp();
    world.clockOffsetMs += ms;
    catchUp();
    return world.nowMs;
  };
  return {
    /** Moves virtual time forward and runs everything that becomes due. Returns the new time. */
    advance,
    moveClock: (input: unknown) => ({ now_ms: advance(clockShape.parse(input).advance_sec * 1000) }),
    now: () => present(() => world.nowMs),
    addAccount: (seed: AccountSeed): void => world.putAccount(accountSeedShape.parse(seed)),
    seedCampaign: (account_id: string, set: CampaignSeed = {}) =>
      present(() => SEEDS.campaign(world, world.getAccount({ account_id }), set)),
    seedBroadcast: (account_id: string, set: BroadcastSeed = {}) =>
      present(() => SEEDS.broadcast(world, world.getAccount({ account_id }), set)),
    /** Adds to an account what a person or a fan would add. */
    seed: (seed: SeedInput) => present(() => applySeed(world, seedShape.parse(seed))),
    /** Changes something as a person does on the service's own screens. */
    edit: (edit: Edit) => present(() => editSender(world, editShape.parse(edit)).live),
    editCampaign: (account_id: string, id: string, set: CampaignSeed) =>
      present(() => editSender(world, { kind: 'campaign', account_id, id, set }).live),
    editBroadcast: (account_id: string, id: string, set: BroadcastSeed) =>
      present(() => editSender(world, { kind: 'broadcast', account_id, id, set }).live),
    /** Adds a key, or changes or revokes the key with the same text, while the service runs. */
    addKey: (seed: KeySeed): void => world.putKey(keySeedShape.parse(seed)),
    addFault: (fault: FaultInput): void =>
      void world.faults.push({ fault: faultShape.parse(fault), seen: 0, struck: 0 }),
    clearFaults(): void {
      world.faults = [];
    },
    setModes(modes: ModeChanges): void {
      world.modes = modesShape.parse({ ...world.modes, ...z.looseObject({}).parse(modes) });
    },
    /** Sets the number of rows in the lists of traffic, revenue and team. */
    setData: (settings: z.infer<typeof dataSettingsShape>): void =>
      present(() => setData(world, dataSettingsShape.parse(settings))),
    /** A fan fires a trigger. Returns the number of campaigns that queued a send. */
    fireTrigger: (fired: Fired) => ({
      queued: present(() => fireTrigger(world, firedShape.parse(fired))),
    }),
    fanActs: (act: z.input<typeof fanActShape>) => present(() => actAsFan(world, fanActShape.parse(act))),
    addWebhook: (entry: EntryInput) => present(() => addEntry(world, entry)),
    clearWebhooks(): void {
      world.webhooks.entries = [];
    },
    world: () => present((): WorldData => world),
    oracle: () => present(() => consultOracle(world)),
  };
}

export type Control = ReturnType<typeof createControl>;

/** The largest time step of one call, so that a typing error does not run for hours. */
const ADVANCE_MAX_SEC = 10 * 366 * 86_400;

const clockShape = z.strictObject({ advance_sec: z.number().min(0).max(ADVANCE_MAX_SEC) });

/** The true state, for tests. Clients never use it. */
function consultOracle(world: World) {
  const { requests, throttled, commits, dispatches, accounts, storage, webhooks } = world;
  const byAccount = <Truth>(read: (account: AccountState) => Truth): Record<string, Truth> =>
    Object.fromEntries(Object.entries(accounts).map(([id, account]) => [id, read(account)]));
  return {
    now: isoTime(world.nowMs),
    requests,
    throttled,
    commits,
    dispatches,
    dispatch_counts: countDispatches(dispatches),
    /** The requests, oldest first. More than were asked for means that money was sent twice. */
    payouts: byAccount(({ payouts }) => ({ committed: payouts.requests })),
    chats: byAccount(tellChats),
    vaults: byAccount(tellVault),
    storage,
    webhooks,
  };
}

export type Oracle = ReturnType<typeof consultOracle>;

/** How often a fan received the same content. Twice is a double send. */
function countDispatches(dispatches: readonly DispatchRecord[]) {
  const counts = new Map<
    string,
    Pick<DispatchRecord, 'account_id' | 'fan_id' | 'text'> & { count: number }
  >();
  for (const { account_id, fan_id, content, text } of dispatches) {
    const key = `${account_id} ${fan_id} ${content}`;
    const { count } = counts.get(key) ?? { count: 0 };
    counts.set(key, { account_id, fan_id, text, count: count + 1 });
  }
  return [...counts.values()];
}

/** The sends of the API by chat, oldest first: more than were asked for is a double send. Each follow was charged. */
function tellChats({ chats: { chats, labels, follows } }: AccountState) {
  const sends = Object.entries(chats).map(
    ([chatId, chat]) => [chatId, chat.filter(({ send_id }) => send_id !== null)] as const,
  );
  return { sends: Object.fromEntries(sends.filter(([, own]) => own.length > 0)), labels, follows };
}

export type ChatTruth = ReturnType<typeof tellChats>;

/** Two uploaded media with the same sha256 are a double upload; two records of a key, a repeated export. */
function tellVault({ vault: { uploads, records } }: AccountState) {
  const exported = records.flatMap(({ id, key, media_id }) => {
    const upload = uploads[key];
    if (media_id === null || upload === undefined) return [];
    const { file, parts } = upload;
    const { name, size } = file;
    return [{ media_id, upload: id, key, name, size, sha256: digestParts(parts), parts }];
  });
  return { exported, records };
}

export type VaultTruth = ReturnType<typeof tellVault>;

/** Of the whole; null if the parts are too large to be stored. Then compare the digests of the parts. */
function digestParts(parts: readonly UploadPart[]): string | null {
  if (parts.length === 1) return parts[0]?.stored?.sha256 ?? null;
  const hash = createHash('sha256');
  for (const { stored } of parts) {
    if (stored === null || stored.bytes === null) return null;
    hash.update(Buffer.from(stored.bytes, 'base64'));
  }
  return hash.digest('hex');
}
