import type { Clock } from '../domain/ports.ts';
import { deliver, type Delivery } from './answers.ts';
import { answerControl, CONTROL_PREFIX, createControl } from './control.ts';
import { createService } from './service.ts';
import { STORAGE_IN_PROCESS } from './state.ts';
import { answerPut, type StorageRequest } from './uploads.ts';
import { createCourier, type PostEvent } from './webhooks.ts';
import type { World } from './world.ts';

interface SimulatorOptions {
  readonly clock: Clock;
  /** Called with one line for each request of the service, once it is answered. */
  readonly log?: ((line: string) => void) | undefined;
  /** Replaces the sockets on which events are sent. */
  readonly post?: PostEvent | undefined;
}

/** One world, and the ways to talk to it. From now on its virtual time is the clock plus an offset. */
export function createSimulator(world: World, { clock, log, post }: SimulatorOptions) {
  const { catchUp, answer } = createService(world, clock);
  const control = createControl(world, catchUp);
  const courier = createCourier(world, clock, catchUp, post);
  // The query of the object store contains the permission to write, so no query is logged.
  const logged = (method: string, path: string, result: Delivery): Delivery => {
    const end = result.kind === 'failed' ? result.error : 'no answer';
    log?.(`${method} ${path} ${'status' in result ? result.status : end}`);
    return result;
  };
  const exchange = async (request: Request): Promise<Delivery> => {
    const { pathname } = new URL(request.url);
    if (!`${pathname}/`.startsWith(`${CONTROL_PREFIX}/`))
      return logged(request.method, pathname, await answer(request));
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
