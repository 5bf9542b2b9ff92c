import * as z from 'zod';
import type { Clock } from '../domain/ports.ts';
import { deliver, type Delivery, Refusal } from './answers.ts';
import { type Control, createControl } from './control.ts';
import { Service } from './service.ts';
import { STORAGE_IN_PROCESS } from './state.ts';
import { answerPut, type StorageRequest } from './uploads.ts';
import { Courier, type PostEvent } from './webhooks.ts';
import { World, type WorldData } from './world.ts';

interface SimulatorOptions {
  readonly clock: Clock;
  /** Called with one line for each request of the service, once it is answered. */
  readonly log?: ((line: string) => void) | undefined;
  /** Replaces the sockets on which events are sent. */
  readonly post?: PostEvent | undefined;
}

/** One world, and the ways to talk to it. From now on its virtual time is the clock plus an offset. */
export function createSimulator(data: WorldData, { clock, log, post }: SimulatorOptions) {
  // A plain copy of a world has its data alone.
  const world = data instanceof World ? data : new World(data);
  const service = new Service(world, clock);
  const catchUp = () => service.catchUp();
  const control = createControl(world, catchUp);
  const courier = new Courier(world, clock, catchUp, post);
  // The query of the object store contains the permission to write, so no query is logged.
  const logged = (method: string, path: string, result: Delivery): Delivery => {
    const end = result.kind === 'failed' ? result.error : 'no answer';
    log?.(`${method} ${path} ${'status' in result ? result.status : end}`);
    return result;
  };
  const exchange = async (request: Request): Promise<Delivery> => {
    const { pathname } = new URL(request.url);
    if (!`${pathname}/`.startsWith(`${CONTROL_PREFIX}/`))
      return logged(request.method, pathname, await service.answer(request));
    const controlled = await answerControl(control, request);
    courier.wake();
    return controlled;
  };
  const store = async (request: StorageRequest): Promise<Delivery> => {
    catchUp();
    const [path = ''] = request.url.split('?');
    return logged(request.method, path, await answerPut(world, clock, request));
  };
  catchUp();
  // A server on a socket replaces this.
  world.storage.baseUrl = STORAGE_IN_PROCESS;
  return {
    world,
    control,
    /** The raw exchange, for a server with real sockets. */
    exchange,
    /** A request to the object store, which has its own host in the presigned URLs. */
    store,
    courier,
    /**
     * Answers in this process like `fetch`. A reset or refused connection rejects with a TypeError. A fault without
     * an answer waits for the request's signal.
     */
    fetch: async (request: Request) => deliver(await exchange(request), request.signal),
  };
}

export type Simulator = ReturnType<typeof createSimulator>;

/** Paths with this prefix belong to the simulator, not to the service. */
export const CONTROL_PREFIX = '/__sim';

type Example = Readonly<Record<string, unknown>>;

const CAMPAIGN: Example = {
  account_id: '101',
  kind: 'campaign',
  // The id of media may be any text (CONTENT-8).
  set: { name: 'Welcome', messages: [{ text: 'Hello', attachments: [{ id: 'm-55012', type: 'image' }] }] },
};

const CAMPAIGN_EDIT: Example = {
  account_id: '101',
  kind: 'campaign',
  name: 'Welcome',
  set: { status: 'paused' },
};

const KEY: Example = { key: 'viewer', permissions: ['auto_messages.view'] };

const TRIGGER: Example = { account_id: '101', trigger: 'welcome_message', fan_id: '101001' };

const THROTTLE: Example = { kind: 'throttle', operation: 'campaigns.list', times: 1 };

const TIP: Example = { account_id: '101', fan_id: '101001', does: 'tip', amount: 5 };

const ADDRESS: Example = { url: 'http://127.0.0.1:8090/events/SECRET', accounts: ['101'] };

const EDITS = 'edit a campaign or broadcast, as a person does';

const OPEN_POINTS = 'change how it behaves where the service is not documented';

/**
 * Method and path below the prefix, what it does, as in the reference, an example of its body, and the control that
 * carries out a body and checks it. Without a result, the answer is `{"ok": true}`.
 */
const PATHS: readonly (readonly [at: string, does: string, Example | null, keyof Control])[] = [
  ['POST /clock', 'move its clock forward', { advance_sec: 3600 }, 'moveClock'],
  ['POST /seed', 'add a campaign, a broadcast, a chat or media', CAMPAIGN, 'seed'],
  ['POST /edit', EDITS, CAMPAIGN_EDIT, 'edit'],
  ['POST /accounts', 'add an account', { id: '777' }, 'addAccount'],
  ['POST /keys', 'add, change or revoke a key', KEY, 'addKey'],
  ['POST /trigger', 'let a fan set off a trigger', TRIGGER, 'fireTrigger'],
  ['POST /faults', 'break answers', THROTTLE, 'addFault'],
  ['DELETE /faults', 'stop breaking answers', null, 'clearFaults'],
  ['POST /modes', OPEN_POINTS, { scopeStatus: 404 }, 'setModes'],
  ['POST /data', 'set how many rows its lists have', { transactions: 1000 }, 'setData'],
  ['POST /fan', 'let a fan tip, subscribe or purchase', TIP, 'fanActs'],
  ['POST /webhooks', 'add an address that gets events', ADDRESS, 'addWebhook'],
  ['DELETE /webhooks', 'send no more events', null, 'clearWebhooks'],
  ['GET /oracle', 'count what each fan got', null, 'oracle'],
  ['GET /world', 'all of its data', null, 'world'],
];

export const CONTROL_PATHS = PATHS.map(([at, does, body]) => {
  const [method = '', path = ''] = at.split(' ');
  return { method, path: `${CONTROL_PREFIX}${path}`, does, ...(body === null ? {} : { body }) };
});

/** `Control` over HTTP, without authentication. A mistake in the input is a 400 with an explanation. */
async function answerControl(control: Control, request: Request): Promise<Delivery> {
  const path = new URL(request.url).pathname.slice(CONTROL_PREFIX.length);
  if (request.method === 'GET' && /^\/?$/.test(path)) return answerJson({ paths: CONTROL_PATHS });
  const found = PATHS.find(([at]) => at === `${request.method} ${path}`);
  const refuse = (message: string, status = 400) => answerJson({ message }, status);
  if (found === undefined)
    return refuse(
      `the simulator has no ${request.method} ${CONTROL_PREFIX}${path}. GET ${CONTROL_PREFIX}/ lists its paths`,
      404,
    );
  const [, , example, name] = found;
  const text = example === null ? 'null' : await request.text();
  // The control checks the body.
  const run = control[name] as (body: unknown) => object | undefined;
  try {
    return answerJson(run(JSON.parse(text)) ?? { ok: true });
  } catch (error) {
    if (error instanceof z.ZodError) return refuse(z.prettifyError(error));
    if (error instanceof SyntaxError)
      return refuse(`the body is not JSON. Send one such as ${JSON.stringify(example)}`);
    if (error instanceof Refusal) return refuse(error.message);
    throw error;
  }
}

function answerJson(value: object, status = 200): Delivery {
  const headers = { 'content-type': 'application/json' };
  return { kind: 'reply', status, headers, body: JSON.stringify(value) };
}
