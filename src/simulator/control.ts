import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { Refusal } from './answers.ts';
import { seedChat, seedMessage } from './chat.ts';
import { dataSettingsShape, setData, type DataSettings } from './data.ts';
import { actAsFan, fanActShape, type FanActInput } from './fan-acts.ts';
import { faultShape, type FaultInput } from './fault-shape.ts';
import { editSender, seedSender } from './messaging.ts';
import { modesShape, type ModeChanges } from './modes.ts';
import { consultOracle } from './oracle.ts';
import { seedPayoutRequest, setPayouts } from './payouts.ts';
import { dropUndefined } from './records.ts';
import {
  editShape,
  seedShape,
  type BroadcastSeed,
  type CampaignSeed,
  type Edit,
  type Seed,
  type SeedInput,
} from './seed-shape.ts';
import type { EntryEdit, EntryInput } from './state.ts';
import { fireTrigger } from './states.ts';
import { seedFolder, seedMedia, seedUpload } from './vault.ts';
import { addEntry, editEntry, removeEntry } from './webhooks.ts';
import {
  accountSeedShape,
  getAccount,
  keySeedShape,
  putAccount,
  putKey,
  type AccountSeed,
  type KeySeed,
  type World,
} from './world.ts';

/** Adds an object to an account without the API. Returns what answers show. */
export function applySeed(world: World, seed: Seed): object {
  const account = getAccount(world, seed.account_id);
  switch (seed.kind) {
    case 'campaign':
    case 'broadcast':
      return seedSender(world, seed).live;
    case 'payout_request':
      return seedPayoutRequest(world, account, seed.set);
    case 'payouts':
      return setPayouts(account, seed.set);
    case 'chat':
      return seedChat(account, seed.set);
    case 'chat_message':
      return seedMessage(world, account, seed.set);
    case 'vault_folder':
      return seedFolder(world, account.vault, seed.set);
    case 'vault_media':
      return seedMedia(world, account.vault, seed.set);
    case 'vault_upload':
      return seedUpload(world, account.vault, seed.set);
  }
}

/** Changes live state without the API, as a person does on the service's own screens. Returns what answers show. */
export function applyEdit(world: World, edit: Edit): object {
  if (edit.kind !== 'account') return editSender(world, edit).live;
  // A username may move to another account.
  return Object.assign(getAccount(world, edit.account_id).live, dropUndefined(edit.set));
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
  return {
    /** Moves virtual time forward and runs everything that becomes due. Returns the new time. */
    advance(ms: number): number {
      if (!(ms >= 0)) throw new RangeError('time moves forward only');
      catchUp();
      world.clockOffsetMs += ms;
      catchUp();
      return world.nowMs;
    },
    /** The virtual time in epoch milliseconds. */
    now: () => present(() => world.nowMs),
    addAccount: (seed: AccountSeed): void => void putAccount(world, accountSeedShape.parse(seed)),
    seedCampaign: (account_id: string, set: CampaignSeed = {}) =>
      present(() => seedSender(world, { kind: 'campaign', account_id, set }).live),
    seedBroadcast: (account_id: string, set: BroadcastSeed = {}) =>
      present(() => seedSender(world, { kind: 'broadcast', account_id, set }).live),
    /** Adds to an account what a person or a fan would add. */
    seed: (seed: SeedInput) => present(() => applySeed(world, seedShape.parse(seed))),
    /** Changes something as a person does on the service's own screens. */
    edit: (edit: Edit) => present(() => applyEdit(world, editShape.parse(edit))),
    editCampaign: (account_id: string, id: string, set: CampaignSeed) =>
      present(() => editSender(world, { kind: 'campaign', account_id, id, set }).live),
    editBroadcast: (account_id: string, id: string, set: BroadcastSeed) =>
      present(() => editSender(world, { kind: 'broadcast', account_id, id, set }).live),
    /** Adds a key, or changes or revokes the key with the same text, while the service runs. */
    addKey: (seed: KeySeed): void => putKey(world, keySeedShape.parse(seed)),
    addFault: (fault: FaultInput): void =>
      void world.faults.push({ fault: faultShape.parse(fault), seen: 0, struck: 0 }),
    clearFaults(): void {
      world.faults = [];
    },
    setModes(modes: ModeChanges): void {
      world.modes = modesShape.parse({ ...world.modes, ...someModes.parse(modes) });
    },
    /** Sets the number of rows in the lists of traffic, revenue and team. */
    setData: (settings: DataSettings): void =>
      present(() => setData(world, dataSettingsShape.parse(settings))),
    /** A fan fires a trigger. Returns the number of campaigns that queued a send. */
    fireTrigger: (accountId: string, trigger: string, fanId: string) =>
      present(() => fireTrigger(world, accountId, trigger, fanId)),
    /** A fan tips, subscribes, buys, replies or reads. */
    fanActs: (act: FanActInput) => present(() => actAsFan(world, fanActShape.parse(act))),
    /** The addresses that get events. */
    webhooks: () => present(() => world.webhooks.entries),
    addWebhook: (entry: EntryInput) => present(() => addEntry(world, entry)),
    editWebhook: (id: string, edit: EntryEdit) => present(() => editEntry(world, id, edit)),
    removeWebhook: (id: string): void => present(() => removeEntry(world, id)),
    /** All data, as it is. */
    world: (): World => (catchUp(), world),
    /** The true state of the world. */
    oracle: () => present(() => consultOracle(world)),
  };
}
export type Control = ReturnType<typeof createControl>;

/** Paths with this prefix belong to the simulator, not to the service. */
export const CONTROL_PREFIX = '/__sim';

/** The largest time step of one call, so that a typing error does not run for hours. */
const ADVANCE_MAX_SEC = 10 * 366 * 86_400;

const clockShape = z.strictObject({ advance_sec: z.number().min(0).max(ADVANCE_MAX_SEC) });
const triggerShape = z.strictObject({
  account_id: z.string(),
  trigger: z.string().min(1),
  fan_id: z.string().min(1),
});
/** Checked together with the other modes. */
const someModes = z.custom<ModeChanges>(
  (value) => typeof value === 'object' && value !== null,
  'an object of modes',
);

/** An example that a new world accepts. */
type Example = Readonly<Record<string, unknown>>;
/** Carries out a body, which the control checks. Without a result, the answer is `{"ok": true}`. */
type Run = (control: Control, body: never, id: string) => object | void;

const CAMPAIGN_EXAMPLE = {
  account_id: '101',
  kind: 'campaign',
  // The id of media may be any text (CONTENT-8).
  set: { name: 'Welcome', messages: [{ text: 'Hello', attachments: [{ id: 'm-55012', type: 'image' }] }] },
};
const EDIT_EXAMPLE = { account_id: '101', kind: 'campaign', name: 'Welcome', set: { status: 'paused' } };
const KEY_EXAMPLE = { key: 'viewer', permissions: ['auto_messages.view'] };
const TRIGGER_EXAMPLE = { account_id: '101', trigger: 'welcome_message', fan_id: '101001' };
const FAULT_EXAMPLE = { kind: 'throttle', operation: 'campaigns.list', times: 1 };
const FAN_EXAMPLE = { account_id: '101', fan_id: '101001', does: 'tip', amount: 5 };
const ENTRY_EXAMPLE = {
  url: 'http://127.0.0.1:8090/events/SECRET',
  accounts: ['101'],
  events: ['fans.tip.received'],
};

const advanceClock: Run = (control, body) => ({
  now_ms: control.advance(clockShape.parse(body).advance_sec * 1000),
});
const setOffTrigger: Run = (control, body) => {
  const { account_id, trigger, fan_id } = triggerShape.parse(body);
  return { queued: control.fireTrigger(account_id, trigger, fan_id) };
};
const OPEN_POINTS = 'change how it behaves where the service is not documented';
const PEOPLE_EDIT = 'edit an account, campaign or broadcast, as a person does';
const FANS_DO = 'let a fan tip, subscribe, purchase, reply or read';

/** Method, path below the prefix (an id is that of the example), what it does, as in the reference, and its body. */
const PATHS: readonly (readonly [
  'GET' | 'POST' | 'PATCH' | 'DELETE',
  string,
  string,
  Example | null,
  Run,
])[] = [
  ['GET', '/', 'this list', null, () => ({ paths: CONTROL_PATHS })],
  ['POST', '/clock', 'move its clock forward', { advance_sec: 3600 }, advanceClock],
  [
    'POST',
    '/seed',
    'add a campaign, a broadcast, a chat or media',
    CAMPAIGN_EXAMPLE,
    (it, body) => it.seed(body),
  ],
  ['POST', '/edit', PEOPLE_EDIT, EDIT_EXAMPLE, (it, body) => it.edit(body)],
  ['POST', '/accounts', 'add an account', { id: '777' }, (it, body) => it.addAccount(body)],
  ['POST', '/keys', 'add, change or revoke a key', KEY_EXAMPLE, (it, body) => it.addKey(body)],
  ['POST', '/trigger', 'let a fan set off a trigger', TRIGGER_EXAMPLE, setOffTrigger],
  ['POST', '/faults', 'break answers', FAULT_EXAMPLE, (it, body) => it.addFault(body)],
  ['DELETE', '/faults', 'stop breaking answers', null, (it) => it.clearFaults()],
  ['POST', '/modes', OPEN_POINTS, { listLagSec: 5 }, (it, body) => it.setModes(body)],
  [
    'POST',
    '/data',
    'set how many rows its lists have',
    { transactions: 1000 },
    (it, body) => it.setData(body),
  ],
  ['POST', '/fan', FANS_DO, FAN_EXAMPLE, (it, body) => it.fanActs(body)],
  ['GET', '/webhooks', 'the addresses that get events', null, (it) => ({ items: it.webhooks() })],
  ['POST', '/webhooks', 'add an address that gets events', ENTRY_EXAMPLE, (it, body) => it.addWebhook(body)],
  [
    'PATCH',
    '/webhooks/1',
    'change the address with this id',
    { envelope: 'nested' },
    (it, body, id) => it.editWebhook(id, body),
  ],
  ['DELETE', '/webhooks/1', 'remove the address with this id', null, (it, _body, id) => it.removeWebhook(id)],
  ['GET', '/oracle', 'count what each fan got', null, (it) => it.oracle()],
  ['GET', '/world', 'all of its data', null, (it) => it.world()],
];

/** Every path with its example, as the reference has them. */
export const CONTROL_PATHS = PATHS.map(([method, path, does, body]) => ({
  method,
  path: `${CONTROL_PREFIX}${path}`,
  does,
  ...(body === null ? {} : { body }),
}));

/** `Control` over HTTP, for a simulator in its own process. Without authentication. */
export function controlRoutes(control: Control): Hono {
  const app = new Hono({ strict: false }).basePath(CONTROL_PREFIX);
  for (const [method, path, , example, run] of PATHS)
    app.on(method, path.replace(/\/1$/, '/:id'), (c) =>
      answer(c, example, (body) => run(control, body, c.req.param('id') ?? '')),
    );
  app.notFound((c) => {
    const { method, path } = c.req;
    const message = `the simulator has no ${method} ${path}. GET ${CONTROL_PREFIX}/ lists its paths`;
    return c.json({ message }, 404);
  });
  return app;
}

/** A mistake in the input is a 400 with an explanation. */
async function answer(
  c: Context,
  example: Example | null,
  run: (body: never) => object | void,
): Promise<Response> {
  const text = example === null ? 'null' : await c.req.text();
  try {
    return c.json(run(JSON.parse(text) as never) ?? { ok: true });
  } catch (error) {
    const message = `the body is not JSON. Send one such as ${JSON.stringify(example)}`;
    if (error instanceof z.ZodError) return c.json({ message: z.prettifyError(error) }, 400);
    if (error instanceof SyntaxError) return c.json({ message }, 400);
    if (error instanceof Refusal || error instanceof RangeError)
      return c.json({ message: error.message }, 400);
    throw error;
  }
}
