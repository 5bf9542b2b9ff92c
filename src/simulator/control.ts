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
import { seedPayoutRequest } from './payouts.ts';
import { dropUndefined } from './records.ts';
import {
  editShape,
  seedShape,
  type AccountEdit,
  type BroadcastSeed,
  type CampaignSeed,
  type Edit,
  type Seed,
  type SeedInput,
} from './seed-shape.ts';
import {
  entryEditShape,
  entryInputShape,
  type AccountState,
  type EntryEdit,
  type EntryInput,
} from './state.ts';
import { fireTrigger } from './states.ts';
import { seedFolder, seedMedia, seedUpload } from './vault.ts';
import { addEntry, editEntry, removeEntry } from './webhooks.ts';
import {
  accountSeedShape,
  getAccount,
  keySeedShape,
  putAccount,
  putKey,
  setPayouts,
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
  return edit.kind === 'account'
    ? editAccount(world, edit.account_id, edit.set)
    : editSender(world, edit).live;
}

/** A username may move to another account. */
function editAccount(world: World, accountId: string, set: AccountEdit): AccountState['live'] {
  return Object.assign(getAccount(world, accountId).live, dropUndefined(set));
}

/**
 * What happens to the service outside the API: time, people and faults. `catchUp` brings the world to the current time
 * before each change. What is returned is a copy.
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
    addAccount: (seed: AccountSeed): void => void putAccount(world, seed),
    seedCampaign: (account_id: string, set: CampaignSeed = {}) =>
      present(() => seedSender(world, { kind: 'campaign', account_id, set }).live),
    seedBroadcast: (account_id: string, set: BroadcastSeed = {}) =>
      present(() => seedSender(world, { kind: 'broadcast', account_id, set }).live),
    /** Adds to an account what a person or a fan would add. */
    seed: (seed: SeedInput) => present(() => applySeed(world, seedShape.parse(seed))),
    /** Changes something as a person does on the service's own screens. */
    edit: (edit: Edit) => present(() => applyEdit(world, edit)),
    editCampaign: (account_id: string, id: string, set: CampaignSeed) =>
      present(() => editSender(world, { kind: 'campaign', account_id, id, set }).live),
    editBroadcast: (account_id: string, id: string, set: BroadcastSeed) =>
      present(() => editSender(world, { kind: 'broadcast', account_id, id, set }).live),
    editAccount: (accountId: string, set: AccountEdit) => present(() => editAccount(world, accountId, set)),
    /** Adds a key, or changes or revokes the key with the same text, while the service runs. */
    addKey: (seed: KeySeed): void => putKey(world, seed),
    addFault: (fault: FaultInput): void =>
      void world.faults.push({ fault: faultShape.parse(fault), seen: 0, struck: 0 }),
    clearFaults(): void {
      world.faults = [];
    },
    setModes(modes: ModeChanges): void {
      world.modes = modesShape.parse({ ...world.modes, ...modes });
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
/** Carries out a body. Without a result, the answer is `{"ok": true}`. */
type Run = (control: Control, body: unknown, id: string) => object | void;
interface Taken {
  readonly body?: Example;
  readonly run: Run;
}

/** An action with a body of this shape. */
const take = <Shape extends z.ZodType>(
  shape: Shape,
  body: Example,
  run: (control: Control, body: z.output<Shape>, id: string) => object | void,
): Taken => ({ body, run: (control, input, id) => run(control, shape.parse(input), id) });

const CAMPAIGN_EXAMPLE = {
  account_id: '101',
  kind: 'campaign',
  // The id of media may be any text (CONTENT-8).
  set: { name: 'Welcome', messages: [{ text: 'Hello', attachments: [{ id: 'm-55012', type: 'image' }] }] },
};
const EDIT_EXAMPLE = { account_id: '101', kind: 'campaign', name: 'Welcome', set: { status: 'paused' } };
const ENTRY_EXAMPLE = {
  url: 'http://127.0.0.1:8090/events/SECRET',
  accounts: ['101'],
  events: ['fans.tip.received'],
};

/** Method, path below the prefix (an id is that of the example), and what it does, as in the reference. */
const PATHS: readonly (readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string, string, Run | Taken])[] = [
  ['GET', '/', 'this list', () => ({ paths: CONTROL_PATHS })],
  [
    'POST',
    '/clock',
    'move its clock forward',
    take(clockShape, { advance_sec: 3600 }, (control, { advance_sec }) => ({
      now_ms: control.advance(advance_sec * 1000),
    })),
  ],
  [
    'POST',
    '/seed',
    'add a campaign, a broadcast, a chat or media',
    take(seedShape, CAMPAIGN_EXAMPLE, (control, seed) => control.seed(seed)),
  ],
  [
    'POST',
    '/edit',
    'edit an account, campaign or broadcast, as a person does',
    take(editShape, EDIT_EXAMPLE, (control, edit) => control.edit(edit)),
  ],
  [
    'POST',
    '/accounts',
    'add an account',
    take(accountSeedShape, { id: '777' }, (control, seed) => control.addAccount(seed)),
  ],
  [
    'POST',
    '/keys',
    'add, change or revoke a key',
    take(keySeedShape, { key: 'viewer', permissions: ['auto_messages.view'] }, (control, seed) =>
      control.addKey(seed),
    ),
  ],
  [
    'POST',
    '/trigger',
    'let a fan set off a trigger',
    take(
      triggerShape,
      { account_id: '101', trigger: 'welcome_message', fan_id: '101001' },
      (control, { account_id, trigger, fan_id }) => ({
        queued: control.fireTrigger(account_id, trigger, fan_id),
      }),
    ),
  ],
  [
    'POST',
    '/faults',
    'break answers',
    take(faultShape, { kind: 'throttle', operation: 'campaigns.list', times: 1 }, (control, fault) =>
      control.addFault(fault),
    ),
  ],
  ['DELETE', '/faults', 'stop breaking answers', (control) => control.clearFaults()],
  [
    'POST',
    '/modes',
    'change how it behaves where the service is not documented',
    take(someModes, { listLagSec: 5 }, (control, modes) => control.setModes(modes)),
  ],
  [
    'POST',
    '/data',
    'set how many rows its lists have',
    take(dataSettingsShape, { transactions: 1000 }, (control, settings) => control.setData(settings)),
  ],
  [
    'POST',
    '/fan',
    'let a fan tip, subscribe, purchase, reply or read',
    take(fanActShape, { account_id: '101', fan_id: '101001', does: 'tip', amount: 5 }, (control, act) =>
      control.fanActs(act),
    ),
  ],
  ['GET', '/webhooks', 'the addresses that get events', (control) => ({ items: control.webhooks() })],
  [
    'POST',
    '/webhooks',
    'add an address that gets events',
    take(entryInputShape, ENTRY_EXAMPLE, (control, entry) => control.addWebhook(entry)),
  ],
  [
    'PATCH',
    '/webhooks/1',
    'change the address with this id',
    take(entryEditShape, { envelope: 'nested' }, (control, edit, id) => control.editWebhook(id, edit)),
  ],
  [
    'DELETE',
    '/webhooks/1',
    'remove the address with this id',
    (control, _body, id) => control.removeWebhook(id),
  ],
  ['GET', '/oracle', 'count what each fan got', (control) => control.oracle()],
  ['GET', '/world', 'all of its data', (control) => control.world()],
];

/** Every path with its example, as the reference has them. */
export const CONTROL_PATHS = PATHS.map(([method, path, does, taken]) => ({
  method,
  path: `${CONTROL_PREFIX}${path}`,
  does,
  ...('body' in taken ? { body: taken.body } : {}),
}));

/** `Control` over HTTP, for a simulator in its own process. Without authentication. */
export function controlRoutes(control: Control): Hono {
  const app = new Hono({ strict: false }).basePath(CONTROL_PREFIX);
  for (const [method, path, , taken] of PATHS) {
    const row = 'run' in taken ? taken : { run: taken };
    app.on(method, path.replace(/\/1$/, '/:id'), (c) => answer(c, row, control));
  }
  app.notFound((c) => {
    const { method, path } = c.req;
    const message = `the simulator has no ${method} ${path}. GET ${CONTROL_PREFIX}/ lists its paths`;
    return c.json({ message }, 404);
  });
  return app;
}

/** A mistake in the input is a 400 with an explanation. */
async function answer(c: Context, { run, body }: Taken, control: Control): Promise<Response> {
  const text = body === undefined ? null : await c.req.text();
  try {
    const input: unknown = text === null ? null : JSON.parse(text);
    return c.json(run(control, input, c.req.param('id') ?? '') ?? { ok: true });
  } catch (error) {
    const example = `the body is not JSON. Send one such as ${JSON.stringify(body ?? {})}`;
    if (error instanceof z.ZodError) return c.json({ message: z.prettifyError(error) }, 400);
    if (error instanceof SyntaxError) return c.json({ message: example }, 400);
    if (error instanceof Refusal || error instanceof RangeError)
      return c.json({ message: error.message }, 400);
    throw error;
  }
}
