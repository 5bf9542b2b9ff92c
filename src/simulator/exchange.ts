import { stringify } from 'lossless-json';
import type { Clock } from '../domain/ports.ts';
import { rowOf } from '../api/catalogue.ts';
import { authenticate, requirePermission } from './access.ts';
import { Bytes, RawJson, type Answer } from './call.ts';
import { carriedOut, type ConnectionFault } from './connection-faults.ts';
import { breakAnswer, failConnection, type Exchange, type Outcome } from './delivery.ts';
import { applyEdit, applySeed } from './edits.ts';
import type { Fault } from './fault-shape.ts';
import { effectsOf, ofKind, alterAnswer, matchFaults } from './faults.ts';
import { handlerOf } from './handlers.ts';
import { parseCall, type Arrived } from './parse-call.ts';
import { drawBelow } from './random.ts';
import { admitToRates, tooMany, type RateWindows } from './rate-windows.ts';
import { isoTime, type RequestRecord } from './records.ts';
import { setData } from './reads/data.ts';
import { errorBody, invalid, notFound, Refusal } from './refusal.ts';
import { findRoute } from './routing.ts';
import { setTimer } from './timers.ts';
import type { World } from './world.ts';

/** What is needed to answer a request. */
export interface Engine {
  readonly world: World;
  readonly clock: Clock;
  readonly windows: RateWindows;
  /** Advances virtual time to the clock. */
  catchUp(): void;
}

/** At twice this number the oldest half of the request log is dropped. */
const REQUEST_LOG_MAX = 100_000;

/** Marks every answer as the simulator's, so that the client never takes it for the service. */
const SIMULATOR_HEADER = { 'x-herald-simulator': '1' };

/** Its time was moved on, so it cannot agree with the clock of a machine. */
const MOVED_CLOCK_HEADER = { 'x-herald-simulator-clock': 'moved' };

/** Handles one request, from its arrival to what is sent back. */
export async function answerRequest(engine: Engine, request: Request): Promise<Exchange> {
  const { world } = engine;
  engine.catchUp();
  const record = openRecord(world, request);
  const faults: Fault[] = [];
  const exchange = await exchangeOf(engine, request, record, faults);
  engine.catchUp();
  if ('status' in exchange) record.status = exchange.status;
  if (!('headers' in exchange)) return exchange;
  const date = dateHeader(world, ofKind(faults, 'wrong_date')?.skew_sec);
  const marks = { ...SIMULATOR_HEADER, ...(world.clockOffsetMs === 0 ? {} : MOVED_CLOCK_HEADER) };
  return { ...exchange, headers: { ...exchange.headers, ...marks, date } };
}

/** Each server behind the address has its own clock. */
function dateHeader(world: World, faultSec: number | undefined): string {
  const clocks = world.modes.serverClocksSec;
  const skewSec = faultSec ?? clocks[clocks.length > 1 ? drawBelow(world, clocks.length) : 0] ?? 0;
  return new Date(world.nowMs + skewSec * 1000).toUTCString();
}

async function exchangeOf(
  engine: Engine,
  request: Request,
  record: RequestRecord,
  matched: Fault[],
): Promise<Exchange> {
  const { world } = engine;
  try {
    const admitted = admit(engine, request, record);
    matched.push(...admitted.faults);
    const text = await request.text();
    engine.catchUp();
    const exchange = perform(world, { ...admitted, text }, admitted.faults);
    const slow = ofKind(admitted.faults, 'slow');
    if (slow !== undefined) await engine.clock.sleep(slow.delay_ms, request.signal);
    return exchange;
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'reply', ...refusalOutcome(world, error) };
    throw error;
  }
}

/**
 * Decided on arrival, in this order: token, permission, rates. The permission is checked before the rest of the
 * request (ACCOUNT-8).
 */
function admit(
  { world, clock, windows }: Engine,
  request: Request,
  record: RequestRecord,
): Omit<Arrived, 'text'> & { faults: Fault[] } {
  const url = new URL(request.url);
  const route = findRoute(request.method, url.pathname);
  record.operation = route?.operation ?? null;
  const key = authenticate(world, request.headers.get(world.authHeader));
  if (route === undefined) throw notFound(`${request.method} ${url.pathname}`);
  requirePermission(key, rowOf(route.operation).permission);
  admitToRates(world, windows, key, route, clock.monotonicMs());
  const faults = matchFaults(world, route);
  if (faults.length > 0) record.fault = faults.map(wordOf).join(' ');
  const contentType = request.headers.get('content-type') ?? '';
  return { key, route, query: url.searchParams, contentType, request: record.request, faults };
}

function wordOf(fault: Fault): string {
  return fault.kind === 'connection' ? `connection:${fault.moment}` : fault.kind;
}

function perform(world: World, arrived: Arrived, faults: readonly Fault[]): Exchange {
  const { operation } = arrived.route;
  if (ofKind(faults, 'connection_refused') !== undefined) return { kind: 'refused' };
  const throttle = ofKind(faults, 'throttle');
  if (throttle !== undefined) throw tooMany(world, throttle.retry_after_sec);
  const refusal = ofKind(faults, 'refusal');
  if (refusal !== undefined) throw new Refusal(refusal.status, 'refused by a fault');
  if (ofKind(faults, 'expired_cursor') !== undefined && arrived.query.has('cursor'))
    throw invalid(world.modes, 'the cursor has expired', 'cursor');
  changeBefore(world, faults);
  const broken = ofKind(faults, 'broken_answer');
  const empty: Outcome = { status: rowOf(operation).success, headers: {}, body: '{}' };
  if (broken?.when === 'before_commit') return breakAnswer(broken.how, empty);
  const connection = ofKind(faults, 'connection');
  if (connection !== undefined) return failedExchange(world, arrived, faults, connection);
  const late = ofKind(faults, 'late_commit');
  if (late !== undefined) {
    carryOutLate(world, arrived, faults, late.after_sec);
    return breakAnswer(late.how, empty);
  }
  const outcome = carryOut(world, arrived, faults);
  return broken === undefined ? { kind: 'reply', ...outcome } : breakAnswer(broken.how, outcome);
}

function failedExchange(
  world: World,
  arrived: Arrived,
  faults: readonly Fault[],
  connection: ConnectionFault,
): Exchange {
  const executed = carriedOut(connection);
  if (executed === 'at_once') return failConnection(connection, carryOut(world, arrived, faults));
  if (executed !== 'never') carryOutLate(world, arrived, faults, executed);
  return failConnection(connection, {
    status: rowOf(arrived.route.operation).success,
    headers: {},
    body: '{}',
  });
}

function carryOutLate(world: World, arrived: Arrived, faults: readonly Fault[], afterSec: number): void {
  const { operation } = arrived.route;
  const call = { ...parseCall(world, arrived, effectsOf(faults)) };
  setTimer(world, world.nowMs + afterSec * 1000, { kind: 'late_commit', operation, call });
}

function changeBefore(world: World, faults: readonly Fault[]): void {
  const change = ofKind(faults, 'change_before');
  if (change?.edit !== undefined) applyEdit(world, change.edit);
  if (change?.seed !== undefined) applySeed(world, change.seed);
  if (change?.data !== undefined) setData(world, change.data);
}

function carryOut(world: World, arrived: Arrived, faults: readonly Fault[]): Outcome {
  const { operation } = arrived.route;
  try {
    const call = parseCall(world, arrived, effectsOf(faults));
    return successOutcome(rowOf(operation).success, alterAnswer(faults, handlerOf(operation)(world, call)));
  } catch (error) {
    if (error instanceof Refusal) return refusalOutcome(world, error);
    throw error;
  }
}

function successOutcome(status: number, answer: Answer): Outcome {
  if (answer === null) return { status, headers: {}, body: null };
  if (answer instanceof Bytes)
    return { status, headers: { 'content-type': answer.type }, body: answer.content };
  const body = answer instanceof RawJson ? answer.text : jsonText(answer);
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** A bigint is an integer in JSON. Most answers have none, and JSON.stringify is much faster. */
function jsonText(answer: object): string {
  try {
    return JSON.stringify(answer);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringify(answer) ?? 'null';
  }
}

/** A 502 is a failure unrelated to the request and has no code (ERROR-10). */
function refusalOutcome(world: World, refusal: Refusal): Outcome {
  const { type, text } = errorBody(world.modes, refusal);
  return { status: refusal.status, headers: { ...refusal.headers, 'content-type': type }, body: text };
}

function openRecord(world: World, request: Request): RequestRecord {
  const token = request.headers.get(world.authHeader);
  const { pathname, search } = new URL(request.url);
  const record: RequestRecord = {
    request: world.nextRequest++,
    at: isoTime(world.nowMs),
    method: request.method,
    path: pathname + search,
    operation: null,
    status: null,
    fault: null,
    auth_header_seen: token !== null,
    token: token === null ? null : `${token.slice(0, 3)}***`,
  };
  world.requests.push(record);
  if (world.requests.length >= 2 * REQUEST_LOG_MAX) world.requests.splice(0, REQUEST_LOG_MAX);
  return record;
}
