import type { Clock } from '../domain/ports.ts';
import { isOperation } from '../api/catalogue.ts';
import { advanceTo, type CommitLate } from './advance.ts';
import type { Call } from './call.ts';
import { createControl, type Control } from './control.ts';
import { CONTROL_PREFIX, controlRoutes } from './control-routes.ts';
import { deliver, type Exchange } from './delivery.ts';
import { answerRequest, type Engine } from './exchange.ts';
import { handlerOf } from './handlers.ts';
import { settlePayouts } from './payouts/lifecycle.ts';
import { Refusal } from './refusal.ts';
import { settleVault } from './vault/lifecycle.ts';
import { STORAGE_IN_PROCESS } from './vault/state.ts';
import type { Keep, StorageRequest } from './vault/storage-ports.ts';
import { answerPut } from './vault/storage.ts';
import type { World } from './world.ts';

export interface SimulatorOptions {
  readonly clock: Clock;
  /** Called with one line for each request of the service, once it is answered. */
  readonly log?: ((line: string) => void) | undefined;
  /** Gets the bytes that come to the object store, which itself keeps none but those of small files. */
  readonly keep?: Keep | undefined;
}

/** The pretend service: one world, and the ways to talk to it. */
export interface Simulator {
  readonly world: World;
  readonly control: Control;
  /**
   * Answers in this process, as `fetch` does: a reset or refused connection rejects with a TypeError, and a fault
   * that never answers waits for the request's signal.
   */
  fetch(request: Request): Promise<Response>;
  /** The exchange before it is given a form, for a server that has a socket to break. */
  exchange(request: Request): Promise<Exchange | Response>;
  /** A request to the object store, a host of its own where the presigned addresses lead. */
  store(request: StorageRequest): Promise<Exchange>;
}

/** Runs a world. Its virtual time is the clock's from here on, moved by what was advanced and pinned. */
export function createSimulator(world: World, { clock, log, keep }: SimulatorOptions): Simulator {
  if (world.pinnedMs !== null) {
    world.clockOffsetMs = world.pinnedMs - clock.now();
    world.pinnedMs = null;
  }
  const catchUp = (): void => advanceTo(world, clock.now() + world.clockOffsetMs, commitLate);
  const engine: Engine = { world, clock, windows: new Map(), catchUp };
  const control = createControl(world, catchUp);
  const routes = controlRoutes(world, control, catchUp);
  const exchange = async (request: Request): Promise<Exchange | Response> => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(`${CONTROL_PREFIX}/`)) return routes.fetch(request);
    const result = await answerRequest(engine, request);
    log?.(`${request.method} ${pathname} ${'status' in result ? result.status : result.kind}`);
    return result;
  };
  const store = async (request: StorageRequest): Promise<Exchange> => {
    const result = await answerPut({ world, clock, catchUp, keep }, request);
    // The query is a permit, and is never written down.
    const [path] = request.url.split('?');
    log?.(`${request.method} ${path} ${'status' in result ? result.status : result.kind}`);
    return result;
  };
  catchUp();
  // What nobody has looked at matures all the same.
  for (const account of Object.values(world.accounts)) {
    settlePayouts(world, account);
    settleVault(world, account);
  }
  // Whoever serves it on a socket says where.
  world.storage.baseUrl = STORAGE_IN_PROCESS;
  return {
    world,
    control,
    exchange,
    store,
    fetch: async (request) => deliver(await exchange(request), request.signal),
  };
}

/** A request whose answer was lost long ago; if the state has moved on and refuses it, nobody hears of it. */
const commitLate: CommitLate = (world, { operation, call }) => {
  if (!isOperation(operation)) return;
  try {
    // It was parsed by this operation's row before it was put aside.
    handlerOf(operation)(world, call as unknown as Call<typeof operation>);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
};
