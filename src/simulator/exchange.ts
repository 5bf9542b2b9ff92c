import { stringify } from 'lossless-json';
import type { Clock } from '../domain/ports.ts';
import { CATALOGUE, rowOf, type Operation } from '../api/catalogue.ts';
import {
  admitToRates,
  authenticate,
  findRoute,
  requirePermission,
  tooMany,
  type RateWindows,
} from './access.ts';
import { errorBody, notFound, Refusal, type Answer } from './answers.ts';
import { setData } from './data.ts';
import { breakAnswer, RESET, type Exchange, type Outcome } from './delivery.ts';
import type { Fault } from './fault-shape.ts';
import { alterAnswer, findEffects, matchFaults, ofKind, setInItems } from './faults.ts';
import { CHAT } from './chat.ts';
import { applySeed } from './control.ts';
import { editSender, MESSAGING } from './messaging.ts';
import { PAYOUTS } from './payouts.ts';
import { READS } from './reads.ts';
import { drawBelow } from './random.ts';
import { addToLog, isoTime, type RequestRecord } from './records.ts';
import { parseCall, type Arrived, type Call, type Handlers } from './requests.ts';
import { VAULT } from './vault.ts';
import { setTimer, type World } from './world.ts';

export interface Engine {
  readonly world: World;
  readonly clock: Clock;
  readonly windows: RateWindows;
  /** Advances virtual time to the clock. */
  readonly catchUp: () => void;
}

/** Marks every answer as the simulator's, so that the client never takes it for the service. */
const SIMULATOR_HEADER = { 'x-herald-simulator': '1' };

/** Its time was moved on, so it cannot agree with the clock of a machine. */
const MOVED_CLOCK_HEADER = { 'x-herald-simulator-clock': 'moved' };

/** Handles one request, from its arrival to what is sent back. */
export async function answerRequest(engine: Engine, request: Request): Promise<Exchange> {
  const { world } = engine;
  engine.catchUp();
  const record = openRecord(world, request);
  const exchange = await handle(engine, request, record).catch((error: unknown): Exchange => {
    if (error instanceof Refusal) return { kind: 'reply', ...refuse(world, error) };
    throw error;
  });
  engine.catchUp();
  if ('status' in exchange) record.status = exchange.status;
  if (!('headers' in exchange)) return exchange;
  const date = writeDate(world);
  const marks = { ...SIMULATOR_HEADER, ...(world.clockOffsetMs === 0 ? {} : MOVED_CLOCK_HEADER) };
  return { ...exchange, headers: { ...exchange.headers, ...marks, date } };
}

function openRecord(world: World, request: Request): RequestRecord {
  const { pathname, search } = new URL(request.url);
  return addToLog(world.requests, {
    request: world.nextRequest++,
    at: isoTime(world.nowMs),
    method: request.method,
    path: pathname + search,
    operation: null,
    status: null,
    fault: null,
  });
}

/** Each server behind the address has its own clock. */
function writeDate(world: World): string {
  const clocks = world.modes.serverClocksSec;
  const skewSec = clocks[clocks.length > 1 ? drawBelow(world, clocks.length) : 0] ?? 0;
  return new Date(world.nowMs + skewSec * 1000).toUTCString();
}

async function handle(engine: Engine, request: Request, record: RequestRecord): Promise<Exchange> {
  const { world, clock, catchUp } = engine;
  const { faults, ...admitted } = admit(engine, request, record);
  const text = await request.text();
  catchUp();
  const exchange = perform(world, { ...admitted, text }, faults);
  const slow = ofKind(faults, 'slow');
  if (slow === undefined) return exchange;
  const timeoutMs = world.modes.requestTimeoutSec * 1000;
  await clock.sleep(Math.min(slow.delay_ms, timeoutMs), request.signal);
  return slow.delay_ms > timeoutMs ? RESET : exchange;
}

/**
 * Decided on arrival, in this order: token, permission, rates. The permission is checked before the rest of the
 * request (ACCOUNT-8).
 */
function admit({ world, clock, windows }: Engine, request: Request, record: RequestRecord) {
  const url = new URL(request.url);
  const route = findRoute(request.method, url.pathname);
  record.operation = route?.operation ?? null;
  const key = authenticate(world, request.headers.get(world.authHeader));
  if (route === undefined) throw notFound(`${request.method} ${url.pathname}`);
  requirePermission(key, CATALOGUE[route.operation].permission);
  admitToRates(world, windows, key, route, clock.monotonicMs());
  const faults: readonly Fault[] = matchFaults(world, route);
  if (faults.length > 0)
    record.fault = faults.map((one) => ('how' in one ? `${one.kind} ${one.how}` : one.kind)).join(' ');
  const contentType = request.headers.get('content-type') ?? '';
  return { key, route, query: url.searchParams, contentType, request: record.request, faults };
}

function perform(world: World, arrived: Arrived, faults: readonly Fault[]): Exchange {
  const throttle = ofKind(faults, 'throttle');
  if (throttle !== undefined) throw tooMany(world, throttle.retry_after_sec);
  const refusal = ofKind(faults, 'refusal');
  if (refusal !== undefined) throw new Refusal(refusal.status, 'refused by a fault');
  const change = ofKind(faults, 'change_before');
  if (change?.edit !== undefined) editSender(world, change.edit);
  if (change?.seed !== undefined) applySeed(world, change.seed);
  if (change?.data !== undefined) setData(world, change.data);
  const broken = ofKind(faults, 'broken_answer');
  const late = ofKind(faults, 'late_commit');
  const lost = { status: rowOf(arrived.route.operation).success, headers: {}, body: '{}' };
  if (broken?.when === 'before_commit') return breakAnswer(broken.how, lost);
  if (broken === undefined && late !== undefined) {
    carryOutLater(world, arrived, faults, late.after_sec);
    return breakAnswer(late.how, lost);
  }
  const outcome = carryOut(world, arrived, faults);
  return broken === undefined ? { kind: 'reply', ...outcome } : breakAnswer(broken.how, outcome);
}

/** Nothing takes effect after the time in which the service carries out a request. */
function carryOutLater(world: World, arrived: Arrived, faults: readonly Fault[], afterSec: number): void {
  const call = { ...parseCall(world, arrived, findEffects(faults)) };
  if (afterSec > world.modes.requestTimeoutSec) return;
  setTimer(world, world.nowMs + afterSec * 1000, { kind: 'late_commit', call });
}

function carryOut(world: World, arrived: Arrived, faults: readonly Fault[]): Outcome {
  const { success: status } = rowOf(arrived.route.operation);
  try {
    const call = parseCall(world, arrived, findEffects(faults));
    const answer = alterAnswer(faults, addUnnamed(runCall(world, call)));
    if (answer === null) return { status, headers: {}, body: null };
    if (answer instanceof Uint8Array) return { status, headers: BYTES_TYPE, body: answer };
    return { status, headers: { 'content-type': 'application/json' }, body: writeJson(answer) };
  } catch (error) {
    if (error instanceof Refusal) return refuse(world, error);
    throw error;
  }
}

const BYTES_TYPE = { 'content-type': 'application/octet-stream' };

/** Adds members that the document does not name to objects and to the items of lists (READ-1). */
function addUnnamed(answer: Answer): Answer {
  if (answer === null) return answer;
  const isNamed = 'items' in answer || 'users' in answer || 'id' in answer;
  return isNamed ? setInItems(answer, { revision: 1 }) : answer;
}

/** A bigint is an integer in JSON. Most answers have none, and JSON.stringify is much faster. */
function writeJson(answer: object): string {
  try {
    return JSON.stringify(answer);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringify(answer) ?? 'null';
  }
}

function refuse(world: World, refusal: Refusal): Outcome {
  const { type, text } = errorBody(world.modes, refusal);
  return { status: refusal.status, headers: { ...refusal.headers, 'content-type': type }, body: text };
}

const HANDLERS = { ...READS, ...MESSAGING, ...CHAT, ...PAYOUTS, ...VAULT } satisfies Required<Handlers>;

/** Executes a parsed call on the world. A change that the service refuses throws a `Refusal`. */
export function runCall(world: World, call: Call): Answer {
  // The call was parsed with the row of its own operation.
  const handle = HANDLERS[call.operation] as (world: World, call: Call) => Answer;
  return handle(world, call);
}
