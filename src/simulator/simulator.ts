import type { Clock } from '../domain/ports.ts';
import { Refusal } from './answers.ts';
import { answerControl, CONTROL_PREFIX, createControl } from './control.ts';
import { answerRequest, deliver, runCall, type Exchange } from './exchange.ts';
import type { Timer } from './records.ts';
import type { Call } from './requests.ts';
import { STORAGE_IN_PROCESS } from './state.ts';
import { advanceSender } from './states.ts';
import { answerPut, type StorageRequest } from './storage.ts';
import { moveUpload } from './vault.ts';
import { createCourier, type PostEvent, emitEvent } from './webhooks.ts';
import { findAccount, type World } from './world.ts';

interface SimulatorOptions {
  readonly clock: Clock;
  /** Called with one line for each request of the service, once it is answered. */
  readonly log?: ((line: string) => void) | undefined;
  /** Replaces the sockets on which events are sent. */
  readonly post?: PostEvent | undefined;
}

/** One world, and the ways to talk to it. From now on its virtual time is the clock plus an offset. */
export function createSimulator(world: World, { clock, log, post }: SimulatorOptions) {
  const catchUp = (): void => advanceTo(world, clock.now() + world.clockOffsetMs);
  const engine = { world, clock, windows: new Map(), catchUp };
  const control = createControl(world, catchUp);
  const courier = createCourier(world, clock, catchUp, post);
  // The query of the object store contains the permission to write, so no query is logged.
  const logged = (method: string, path: string, result: Exchange): Exchange => {
    const end = result.kind === 'failed' ? result.error.message : 'no answer';
    log?.(`${method} ${path} ${'status' in result ? result.status : end}`);
    return result;
  };
  const exchange = async (request: Request): Promise<Exchange> => {
    const { pathname } = new URL(request.url);
    if (!`${pathname}/`.startsWith(`${CONTROL_PREFIX}/`))
      return logged(request.method, pathname, await answerRequest(engine, request));
    const answer = await answerControl(control, request);
    courier.wake();
    return answer;
  };
  const store = async (request: StorageRequest): Promise<Exchange> => {
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

/** Runs every event that is due up to `nowMs`, in order of time. Time never goes back. */
function advanceTo(world: World, nowMs: number): void {
  for (;;) {
    const [due] = world.timers;
    if (due === undefined || due.dueMs > nowMs) break;
    world.timers.shift();
    world.nowMs = Math.max(world.nowMs, due.dueMs);
    fire(world, due.timer);
  }
  world.nowMs = Math.max(world.nowMs, nowMs);
}

function fire(world: World, timer: Timer): void {
  if (timer.kind === 'late_commit') return commitLate(world, timer.call);
  const account = findAccount(world, timer);
  if (account === undefined) return;
  if (timer.kind === 'messaging') advanceSender(world, account, timer);
  else if (timer.kind === 'upload_move') moveUpload(world, account, timer);
  // A key wrote it, so `user_id` is null (EVENT-5). Assumed: the event has the `send_id` (EVENT-3).
  else
    emitEvent(world, account, 'firewall.message_guard.violation.svc_api', {
      user_id: null,
      svc_api_token_id: BigInt(timer.key),
      send_id: timer.id,
      chat_id: timer.chat_id,
    });
}

/** Executes a request with a lost answer. If the changed state refuses it, the refusal is dropped. */
function commitLate(world: World, call: Readonly<Record<string, unknown>>): void {
  try {
    // It was parsed when it arrived.
    runCall(world, call as unknown as Call);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
