import type { Clock } from '../domain/ports.ts';
import { isOperation } from '../api/catalogue.ts';
import { advanceTo, type CommitLate } from './advance.ts';
import type { Call } from './call.ts';
import { createControl, type Control } from './control.ts';
import { CONTROL_PREFIX } from './control-paths.ts';
import { controlRoutes } from './control-routes.ts';
import { deliver, type Exchange } from './delivery.ts';
import { answerRequest, type Engine } from './exchange.ts';
import { handlerOf } from './handlers.ts';
import { advancePayouts } from './payouts/lifecycle.ts';
import { Refusal } from './refusal.ts';
import { advanceVault } from './vault/lifecycle.ts';
import { STORAGE_IN_PROCESS } from './vault/state.ts';
import type { Keep, StorageRequest } from './vault/storage-ports.ts';
import { answerPut } from './vault/storage.ts';
import { courierOf, type Courier, type PostEvent } from './webhooks/courier.ts';
import { postOverSocket } from './webhooks/post.ts';
import type { World } from './world.ts';

export interface SimulatorOptions {
  readonly clock: Clock;
  /** Called with one line for each request of the service, once it is answered. */
  readonly log?: ((line: string) => void) | undefined;
  /** Receives the bytes of the object store, which stores only small files. */
  readonly keep?: Keep | undefined;
  /** Replaces the sockets on which events are sent. */
  readonly post?: PostEvent | undefined;
}

/** The simulator: one world, and the ways to talk to it. */
export interface Simulator {
  readonly world: World;
  readonly control: Control;
  /**
   * Answers in this process like `fetch`. A reset or refused connection rejects with a TypeError. A fault without
   * an answer waits for the request's signal.
   */
  fetch(request: Request): Promise<Response>;
  /** The raw exchange, for a server with real sockets. */
  exchange(request: Request): Promise<Exchange | Response>;
  /** A request to the object store, which has its own host in the presigned URLs. */
  store(request: StorageRequest): Promise<Exchange>;
  /** Sends events to the addresses of the world. */
  readonly courier: Courier;
}

/** Runs a world. From now on, its virtual time follows the clock plus an offset. */
export function createSimulator(
  world: World,
  { clock, log, keep, post = postOverSocket }: SimulatorOptions,
): Simulator {
  if (world.pinnedMs !== null) {
    world.clockOffsetMs = world.pinnedMs - clock.now();
    world.pinnedMs = null;
  }
  const catchUp = (): void => advanceTo(world, clock.now() + world.clockOffsetMs, commitLate);
  const engine: Engine = { world, clock, windows: new Map(), catchUp };
  const control = createControl(world, catchUp);
  let routes: ReturnType<typeof controlRoutes> | null = null;
  const courier = courierOf(world, { clock, catchUp, post });
  const exchange = async (request: Request): Promise<Exchange | Response> => {
    const { pathname } = new URL(request.url);
    if (`${pathname}/`.startsWith(`${CONTROL_PREFIX}/`)) {
      // Few simulators are ever asked, so the routes wait for the first who is.
      routes ??= controlRoutes(world, control, catchUp);
      const answer = await routes.fetch(request);
      courier.wake();
      return answer;
    }
    const result = await answerRequest(engine, request);
    log?.(`${request.method} ${pathname} ${'status' in result ? result.status : result.kind}`);
    return result;
  };
  const store = async (request: StorageRequest): Promise<Exchange> => {
    const result = await answerPut({ world, clock, catchUp, keep }, request);
    // The query contains the permission to write, so do not log it.
    const [path] = request.url.split('?');
    log?.(`${request.method} ${path} ${'status' in result ? result.status : result.kind}`);
    return result;
  };
  catchUp();
  // Advance payouts and vaults too, even if they are never read.
  for (const account of Object.values(world.accounts)) {
    advancePayouts(world, account);
    advanceVault(world, account);
  }
  // A server on a socket replaces this.
  world.storage.baseUrl = STORAGE_IN_PROCESS;
  return {
    world,
    control,
    exchange,
    store,
    courier,
    fetch: async (request) => deliver(await exchange(request), request.signal),
  };
}

/** Executes a request with a lost answer. If the changed state refuses it, the refusal is dropped. */
const commitLate: CommitLate = (world, { operation, call }) => {
  if (!isOperation(operation)) return;
  try {
    // It was parsed with this operation's row.
    handlerOf(operation)(world, call as unknown as Call<typeof operation>);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
};
