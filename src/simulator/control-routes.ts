import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { Refusal } from './answers.ts';
import type { Control } from './control.ts';
import { dataSettingsShape } from './data.ts';
import { fanActShape } from './fan-acts.ts';
import { faultShape } from './fault-shape.ts';
import type { ModeChanges } from './modes.ts';
import { editShape, seedShape } from './seed-shape.ts';
import { entryEditShape, entryInputShape } from './webhook-state.ts';
import { accountSeedShape, keySeedShape } from './world.ts';

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

/** One path of the simulator's control. The reference has the same rows. */
interface ControlPath {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the prefix. An id is that of the example. */
  readonly path: string;
  readonly does: string;
  /** An example that a new world accepts. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Carries out the parsed body. Without a result, the answer is `{"ok": true}`. */
  readonly run: (control: Control, body: unknown, id: string) => object | void;
}

/** An action with a body of this shape. */
const take =
  <Shape extends z.ZodType>(
    shape: Shape,
    run: (control: Control, body: z.output<Shape>, id: string) => object | void,
  ): ControlPath['run'] =>
  (control, body, id) =>
    run(control, shape.parse(body), id);

const PATHS: readonly ControlPath[] = [
  { method: 'GET', path: '/', does: 'this list', run: () => ({ paths: CONTROL_PATHS }) },
  {
    method: 'POST',
    path: '/clock',
    does: 'move its clock forward',
    body: { advance_sec: 3600 },
    run: take(clockShape, (control, { advance_sec }) => ({ now_ms: control.advance(advance_sec * 1000) })),
  },
  {
    method: 'POST',
    path: '/seed',
    does: 'add a campaign, a broadcast, a chat or media',
    body: {
      account_id: '101',
      kind: 'campaign',
      set: {
        name: 'Welcome',
        // The id of media may be any text (CONTENT-8).
        messages: [{ text: 'Hello', attachments: [{ id: 'm-55012', type: 'image' }] }],
      },
    },
    run: take(seedShape, (control, seed) => control.seed(seed)),
  },
  {
    method: 'POST',
    path: '/edit',
    does: 'edit an account, campaign or broadcast, as a person does',
    body: { account_id: '101', kind: 'campaign', name: 'Welcome', set: { status: 'paused' } },
    run: take(editShape, (control, edit) => control.edit(edit)),
  },
  {
    method: 'POST',
    path: '/accounts',
    does: 'add an account',
    body: { id: '777' },
    run: take(accountSeedShape, (control, seed) => control.addAccount(seed)),
  },
  {
    method: 'POST',
    path: '/keys',
    does: 'add, change or revoke a key',
    body: { key: 'viewer', permissions: ['auto_messages.view'] },
    run: take(keySeedShape, (control, seed) => control.addKey(seed)),
  },
  {
    method: 'POST',
    path: '/trigger',
    does: 'let a fan set off a trigger',
    body: { account_id: '101', trigger: 'welcome_message', fan_id: '101001' },
    run: take(triggerShape, (control, { account_id, trigger, fan_id }) => ({
      queued: control.fireTrigger(account_id, trigger, fan_id),
    })),
  },
  {
    method: 'POST',
    path: '/faults',
    does: 'break answers',
    body: { kind: 'throttle', operation: 'campaigns.list', times: 1 },
    run: take(faultShape, (control, fault) => control.addFault(fault)),
  },
  {
    method: 'DELETE',
    path: '/faults',
    does: 'stop breaking answers',
    run: (control) => control.clearFaults(),
  },
  {
    method: 'POST',
    path: '/modes',
    does: 'change how it behaves where the service is not documented',
    body: { listLagSec: 5 },
    run: take(someModes, (control, modes) => control.setModes(modes)),
  },
  {
    method: 'POST',
    path: '/data',
    does: 'set how many rows its lists have',
    body: { transactions: 1000 },
    run: take(dataSettingsShape, (control, settings) => control.setData(settings)),
  },
  {
    method: 'POST',
    path: '/fan',
    does: 'let a fan tip, subscribe, purchase, reply or read',
    body: { account_id: '101', fan_id: '101001', does: 'tip', amount: 5 },
    run: take(fanActShape, (control, act) => control.fanActs(act)),
  },
  {
    method: 'GET',
    path: '/webhooks',
    does: 'the addresses that get events',
    run: (control) => ({ items: control.webhooks() }),
  },
  {
    method: 'POST',
    path: '/webhooks',
    does: 'add an address that gets events',
    body: { url: 'http://127.0.0.1:8090/events/SECRET', accounts: ['101'], events: ['fans.tip.received'] },
    run: take(entryInputShape, (control, entry) => control.addWebhook(entry)),
  },
  {
    method: 'PATCH',
    path: '/webhooks/1',
    does: 'change the address with this id',
    body: { envelope: 'nested' },
    run: take(entryEditShape, (control, edit, id) => control.editWebhook(id, edit)),
  },
  {
    method: 'DELETE',
    path: '/webhooks/1',
    does: 'remove the address with this id',
    run: (control, _body, id) => control.removeWebhook(id),
  },
  {
    method: 'GET',
    path: '/oracle',
    does: 'count what each fan got',
    run: (control) => control.oracle(),
  },
  { method: 'GET', path: '/world', does: 'all of its data', run: (control) => control.world() },
];

/** Every path with its example, as the reference has them. */
export const CONTROL_PATHS = PATHS.map(({ run: _run, path, ...row }) => ({
  ...row,
  path: `${CONTROL_PREFIX}${path}`,
}));

/** `Control` over HTTP, for a simulator in its own process. Without authentication. */
export function controlRoutes(control: Control): Hono {
  const app = new Hono({ strict: false }).basePath(CONTROL_PREFIX);
  for (const row of PATHS)
    app.on(row.method, row.path.replace(/\/1$/, '/:id'), (c) => answer(c, row, control));
  app.notFound((c) => {
    const { method, path } = c.req;
    const message = `the simulator has no ${method} ${path}. GET ${CONTROL_PREFIX}/ lists its paths`;
    return c.json({ message }, 404);
  });
  return app;
}

/** A mistake in the input is a 400 with an explanation. */
async function answer(c: Context, { run, body }: ControlPath, control: Control): Promise<Response> {
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
