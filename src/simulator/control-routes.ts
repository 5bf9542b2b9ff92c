import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { PERMISSIONS } from '../api/row.ts';
import type { Control } from './control.ts';
import { CONTROL_PATHS, CONTROL_PREFIX } from './control-paths.ts';
import { applyEdit, applySeed } from './edits.ts';
import { editShape, faultShape, seedShape } from './fault-shape.ts';
import type { ModeChanges } from './modes.ts';
import { payoutsSeedShape } from './payouts/state.ts';
import { dataSettingsShape } from './reads/data.ts';
import { fanActShape } from './fan-acts.ts';
import { Refusal } from './refusal.ts';
import { entryEditShape, entryInputShape } from './webhooks/state.ts';
import type { World } from './world.ts';

/** The largest time step of one call, so that a typing error does not run for hours. */
const ADVANCE_MAX_SEC = 10 * 366 * 86_400;

const clockShape = z.strictObject({ advance_sec: z.number().min(0).max(ADVANCE_MAX_SEC) });
const keyInputShape = z.strictObject({
  key: z.string().min(1),
  permissions: z.union([z.literal('all'), z.array(z.enum(PERMISSIONS))]),
  accounts: z.array(z.string()).optional(),
  platform: z.string().optional(),
  revoked: z.boolean().optional(),
});
const triggerShape = z.strictObject({
  account_id: z.string(),
  trigger: z.string().min(1),
  fan_id: z.string().min(1),
});
const accountInputShape = z.strictObject({
  id: z.string().regex(/^(0|[1-9]\d{0,18})$/),
  platform: z.string().optional(),
  platform_account_id: z.string().optional(),
  username: z.string().optional(),
  subscribe_price: z.number().min(0).optional(),
  organisation_id: z.string().optional(),
  custom_label: z.string().nullable().optional(),
  subscription_expiration_date: z.string().optional(),
  fans: z.array(z.string()).optional(),
  payouts: payoutsSeedShape.optional(),
});

/** Checked later, together with the other modes. */
const someModesShape = z.custom<ModeChanges>(
  (value) => typeof value === 'object' && value !== null,
  'an object of modes',
);

/** `Control` over HTTP, for a simulator in its own process. Without authentication. */
export function controlRoutes(world: World, control: Control, catchUp: () => void): Hono {
  const app = new Hono({ strict: false }).basePath(CONTROL_PREFIX);
  app.get('/', (c) => c.json({ paths: CONTROL_PATHS }));
  app.get('/oracle', (c) => c.json(control.oracle()));
  app.get('/world', (c) => {
    catchUp();
    return c.json(world);
  });
  app.post('/clock', (c) =>
    act(c, clockShape, ({ advance_sec }) => ({ now_ms: control.advance(advance_sec * 1000) })),
  );
  app.post('/edit', (c) => act(c, editShape, (edit) => (catchUp(), applyEdit(world, edit).live)));
  app.post('/seed', (c) => act(c, seedShape, (seed) => (catchUp(), applySeed(world, seed).live)));
  app.post('/accounts', (c) => act(c, accountInputShape, (seed) => done(control.addAccount(seed))));
  app.post('/keys', (c) => act(c, keyInputShape, (seed) => done(control.addKey(seed))));
  app.post('/modes', (c) => act(c, someModesShape, (modes) => done(control.setModes(modes))));
  app.post('/data', (c) => act(c, dataSettingsShape, (settings) => done(control.setData(settings))));
  app.post('/faults', (c) => act(c, faultShape, (fault) => done(control.addFault(fault))));
  app.delete('/faults', (c) => c.json(done(control.clearFaults())));
  app.post('/fan', (c) => act(c, fanActShape, (fan) => control.fanActs(fan)));
  app.get('/webhooks', (c) => c.json({ items: control.webhooks() }));
  app.post('/webhooks', (c) => act(c, entryInputShape, (entry) => control.addWebhook(entry)));
  app.patch('/webhooks/:id', (c) =>
    act(c, entryEditShape, (edit) => control.editWebhook(c.req.param('id'), edit)),
  );
  app.delete('/webhooks/:id', (c) => tried(c, () => done(control.removeWebhook(c.req.param('id')))));
  app.post('/trigger', (c) =>
    act(c, triggerShape, ({ account_id, trigger, fan_id }) => ({
      queued: control.fireTrigger(account_id, trigger, fan_id),
    })),
  );
  app.notFound((c) =>
    c.json(
      {
        message: `the simulator has no ${c.req.method} ${c.req.path}. GET ${CONTROL_PREFIX}/ lists its paths`,
      },
      404,
    ),
  );
  return app;
}

/** Parses the input and runs the action. A mistake in the input is a 400 with an explanation. */
async function act<Shape extends z.ZodType>(
  c: Context,
  shape: Shape,
  action: (input: z.output<Shape>) => object,
): Promise<Response> {
  const text = await c.req.text();
  return tried(c, () => action(shape.parse(JSON.parse(text))));
}

function tried(c: Context, action: () => object): Response {
  try {
    return c.json(action());
  } catch (error) {
    if (error instanceof z.ZodError) return c.json({ message: z.prettifyError(error) }, 400);
    if (error instanceof SyntaxError) return c.json({ message: notJson(c) }, 400);
    if (error instanceof Refusal || error instanceof RangeError)
      return c.json({ message: error.message }, 400);
    throw error;
  }
}

function notJson(c: Context): string {
  const example = CONTROL_PATHS.find(({ method, path }) => method === c.req.method && path === c.req.path);
  const body = example !== undefined && 'body' in example ? JSON.stringify(example.body) : '{}';
  return `the body is not JSON. Send one such as ${body}`;
}

function done(_result: void): { ok: true } {
  return { ok: true };
}
