import { stringify } from 'lossless-json';
import * as z from 'zod';
import { CATALOGUE, OPERATIONS, rowOf, type Operation } from '../api/catalogue.ts';
import { GROUP_PER_SECOND, TOKEN_PER_SECOND } from '../api/row.ts';
import type { Clock } from '../domain/ports.ts';
import { SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { Refusal, RESET, type Answer, type Delivery, type Outcome } from './answers.ts';
import type { Call, FaultEffects, Handlers, Seeders, Timers } from './calls.ts';
import { CHAT, CHAT_SEEDS, CHAT_TIMERS } from './chat.ts';
import { type Breakage, type Fault, matchFaults, findFault } from './fault-shape.ts';
import { editSender, MESSAGING, MESSAGING_SEEDS } from './messaging.ts';
import { PAYOUT_SEEDS, PAYOUTS } from './payouts.ts';
import { READS } from './reads.ts';
import type { Seed } from './seed-shape.ts';
import { PRIMARY_PLATFORM, SECONDARY_PLATFORM, type AccountState } from './state.ts';
import { MESSAGING_TIMERS } from './states.ts';
import { UPLOAD_SEEDS, UPLOAD_TIMERS, UPLOADS } from './uploads.ts';
import { VAULT, VAULT_SEEDS } from './vault.ts';
import { covers, type ApiKey, type World, isoTime, type RequestRecord, type Timer } from './world.ts';

/** The arrivals of the last second, by window. In real time; not saved with the world. */
type Windows = Map<string, number[]>;

/** The service of one world. */
export class Service {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #windows: Windows = new Map();

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Advances virtual time to the clock. */
  catchUp(): void {
    advanceTo(this.#world, this.#clock.now() + this.#world.clockOffsetMs);
  }

  /** Handles one request, from its arrival to what is sent back. */
  async answer(request: Request): Promise<Delivery> {
    const world = this.#world;
    this.catchUp();
    const record = openRecord(world, request);
    const delivery = await this.#handle(request, record).catch((error: unknown): Delivery => {
      if (error instanceof Refusal) return { kind: 'reply', ...refuse(world, error) };
      throw error;
    });
    this.catchUp();
    if ('status' in delivery) record.status = delivery.status;
    if (!('headers' in delivery)) return delivery;
    // Each server behind the address has its own clock.
    const clocks = world.modes.serverClocksSec;
    const skewSec = clocks[clocks.length > 1 ? world.drawBelow(clocks.length) : 0] ?? 0;
    const date = new Date(world.nowMs + skewSec * 1000).toUTCString();
    const marks = { ...SIMULATOR_HEADER, ...(world.clockOffsetMs === 0 ? {} : MOVED_CLOCK_HEADER) };
    return { ...delivery, headers: { ...delivery.headers, ...marks, date } };
  }

  async #handle(request: Request, record: RequestRecord): Promise<Delivery> {
    const [world, clock] = [this.#world, this.#clock];
    const admitted = admit(world, this.#windows, clock.monotonicMs(), request, record);
    const text = await request.text();
    const slow = findFault(admitted.faults, 'slow');
    const timeoutMs = world.modes.requestTimeoutSec * 1000;
    const wait = () => clock.sleep(Math.min(slow?.delay_ms ?? 0, timeoutMs), request.signal);
    if (slow?.when === 'before_commit') await wait();
    this.catchUp();
    const delivery = perform(world, { ...admitted, text });
    if (slow?.when === 'after_commit') await wait();
    return (slow?.delay_ms ?? 0) > timeoutMs ? RESET : delivery;
  }
}

/** Runs every event that is due up to `nowMs`, in order of time. Time never goes back. */
function advanceTo(world: World, nowMs: number): void {
  for (;;) {
    const [due] = world.timers;
    if (due === undefined || due.dueMs > nowMs) break;
    world.timers.shift();
    world.nowMs = Math.max(world.nowMs, due.dueMs);
    fireTimer(world, due.timer);
  }
  world.nowMs = Math.max(world.nowMs, nowMs);
}

/** Marks every answer as the simulator's, so that the client never takes it for the service. */
const SIMULATOR_HEADER = { 'x-herald-simulator': '1' };

/** Its time was moved on, so it cannot agree with the clock of a machine. */
const MOVED_CLOCK_HEADER = { 'x-herald-simulator-clock': 'moved' };

function openRecord(world: World, request: Request): RequestRecord {
  const { pathname, search } = new URL(request.url);
  const record = {
    request: world.nextRequest++,
    at: isoTime(world.nowMs),
    method: request.method,
    path: pathname + search,
    operation: null,
    status: null,
    fault: null,
  };
  world.requests.push(record);
  return record;
}

/** In this order: token, permission, rates. The permission comes before the rest of a request (ACCOUNT-8). */
function admit(world: World, windows: Windows, arrivalMs: number, request: Request, record: RequestRecord) {
  const url = new URL(request.url);
  const route = findRoute(request.method, url.pathname);
  record.operation = route?.operation ?? null;
  const token = request.headers.get(SERVICE_DEFAULTS.authHeader);
  const key = world.keys.find((known) => known.key === token);
  // Assumed: a missing or unknown token is a 401 (ACCOUNT-7).
  if (key === undefined || key.revoked) throw new Refusal(401, 'Invalid API key', { code: 'UNAUTHORIZED' });
  if (route === undefined) throw Refusal.notFound(`${request.method} ${url.pathname}`);
  const { operation, params } = route;
  const required = CATALOGUE[operation].permission;
  // The details name the missing permission (ACCOUNT-8).
  if (key.permissions !== 'all' && !key.permissions.includes(required))
    throw new Refusal(403, 'The API key lacks a permission', {
      code: 'API_KEY_PERMISSION_DENIED',
      details: { required_permission: required },
    });
  admitToRates(world, windows, key, route, arrivalMs);
  const account_id = world.findAccount(params)?.live.id;
  const faults = matchFaults(world, 'call', { operation, account_id });
  if (faults.length > 0)
    record.fault = faults.map((one) => ('how' in one ? `${one.kind} ${one.how}` : one.kind)).join(' ');
  const throttle = findFault(faults, 'throttle');
  if (throttle !== undefined) throw tooMany(world, throttle.retry_after_sec);
  const contentType = request.headers.get('content-type') ?? '';
  return { key, route, query: url.searchParams, contentType, request: record.request, faults };
}

/** The catalogue row of a request, with decoded but unchecked path parameters. */
interface Route {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

/** A request that was admitted, with its body. */
type Arrived = Readonly<ReturnType<typeof admit>> & { readonly text: string };

/** `/a/{b}/c` becomes a regular expression with a named group for each parameter. */
const ROUTES = OPERATIONS.map((operation) => {
  const { method, path } = rowOf(operation);
  return { operation, method, pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) };
});

function findRoute(method: string, path: string): Route | undefined {
  for (const route of ROUTES) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeSegment(text)]);
    return { operation: route.operation, params: Object.fromEntries(params) };
  }
  return undefined;
}

/** A segment with an invalid percent-encoding stays as it is. The shape of the parameter refuses it. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const WINDOW_MS = 1000;

/**
 * Admits a request if all of its windows have space (LIMIT-1 to LIMIT-4): 25/s for a token, the row's rate for a
 * token and endpoint, 1/s for a platform account of the payout group. Windows slide: no second has more. Assumed:
 * requests refused for their rate are not counted.
 */
function admitToRates(
  world: World,
  windows: Windows,
  key: ApiKey,
  { operation, params }: Route,
  arrivalMs: number,
): void {
  if (world.modes.rates === 'none') return;
  const { perSecond, group } = rowOf(operation);
  const limits: [string, number][] = [
    [`token ${key.id}`, TOKEN_PER_SECOND],
    [`token ${key.id} ${operation}`, perSecond],
  ];
  if (group !== undefined) limits.push([`${group} ${params['platform_account_id']}`, GROUP_PER_SECOND]);
  for (const [name, limit] of limits) {
    const arrivals = (windows.get(name) ?? []).filter((arrival) => arrivalMs - arrival < WINDOW_MS);
    windows.set(name, arrivals);
    if (arrivals.length >= limit) throw tooMany(world);
  }
  for (const [name] of limits) windows.get(name)?.push(arrivalMs);
}

/** Assumed: the answer does not tell when to retry, unless a fault adds it (ERROR-3). */
function tooMany(world: World, afterSec?: number): Refusal {
  world.throttled += 1;
  const headers = afterSec === undefined ? {} : { 'retry-after': String(afterSec) };
  return new Refusal(429, 'Rate limit exceeded', { headers });
}

function perform(world: World, arrived: Arrived): Delivery {
  const { faults } = arrived;
  const refusal = findFault(faults, 'refusal');
  if (refusal !== undefined) throw new Refusal(refusal.status, 'refused by a fault');
  const change = findFault(faults, 'change_before');
  if (change?.edit !== undefined) editSender(world, change.edit);
  if (change?.seed !== undefined) applySeed(world, change.seed);
  const broken = findFault(faults, 'broken_answer');
  const late = findFault(faults, 'late_commit');
  const lost = { status: rowOf(arrived.route.operation).success, headers: {}, body: '{}' };
  if (broken?.when === 'before_commit') return breakAnswer(broken.how, lost);
  if (broken === undefined && late !== undefined) {
    const call = { ...parseCall(world, arrived) };
    // Nothing takes effect after the time in which the service carries out a request.
    if (late.after_sec <= world.modes.requestTimeoutSec)
      world.setTimer(world.nowMs + late.after_sec * 1000, { kind: 'late_commit', call });
    return breakAnswer(late.how, lost);
  }
  const outcome = carryOut(world, arrived);
  return broken === undefined ? { kind: 'reply', ...outcome } : breakAnswer(broken.how, outcome);
}

function carryOut(world: World, arrived: Arrived): Outcome {
  const { success: status } = rowOf(arrived.route.operation);
  try {
    const answer = alterAnswer(arrived.faults, runCall(world, parseCall(world, arrived)));
    if (answer === null) return { status, headers: {}, body: null };
    if (answer instanceof Uint8Array) return { status, headers: BYTES_TYPE, body: answer };
    return { status, headers: JSON_TYPE, body: writeJson(answer) };
  } catch (error) {
    if (error instanceof Refusal) return refuse(world, error);
    throw error;
  }
}

/** Checks path, account, query and body, in this order. */
function parseCall(world: World, arrived: Arrived): Call {
  const { key, route, request } = arrived;
  const { operation } = route;
  const row = rowOf(operation);
  const params = check(row.params, route.params);
  requireAccess(world, key, route);
  const query = check(row.query, listValues(arrived.query));
  // Assumed: an unexpected body is refused (ERROR-13).
  if (row.body === null && arrived.text !== '') throw Refusal.invalid('this request takes no body', '');
  const body = row.body === null ? null : check(row.body, parseJson(arrived));
  const effects = findEffects(arrived.faults);
  const call = { operation, params, query, body, key, cause: { by: 'api', request }, effects };
  // The compiler cannot tell that the shapes belong to the operation.
  return call as unknown as Call;
}

/** Operations that take accounts of the other platform too (ACCOUNT-5). */
const BOTH_PLATFORMS: readonly Operation[] = ['accounts.get', 'revenue.transactions'];

/** Checks that the key covers the account in the path, and that the operation supports the account's platform. */
function requireAccess(world: World, key: ApiKey, { operation, params }: Route): void {
  const { account_id, platform, platform_account_id } = params;
  if (platform !== undefined) requirePlatform(operation, platform);
  if (account_id === undefined && platform_account_id === undefined) return;
  const account = world.findAccount(params);
  if (account === undefined && key.accounts === null) throw Refusal.notFound('Account');
  if (account === undefined || !covers(key, account))
    throw new Refusal(world.modes.scopeStatus, 'The API key has no access to this account');
  requirePlatform(operation, account.live.platform);
}

/** Assumed: 400, as for all invalid input (ERROR-12). */
function requirePlatform(operation: Operation, platform: string): void {
  if (platform === PRIMARY_PLATFORM) return;
  if (platform === SECONDARY_PLATFORM && BOTH_PLATFORMS.includes(operation)) return;
  const { title } = rowOf(operation);
  throw new Refusal(400, `${title}: not available for this platform`);
}

/** Assumed: a parameter or a member that the document does not name is refused, too (ERROR-12). */
function check(shape: z.ZodType, value: unknown): unknown {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const found = parsed.error.issues.map(({ path, message: text }) => ({
    path: path.join('.'),
    message: text,
  }));
  const summary = found.map((one) => (one.path === '' ? one.message : `${one.path}: ${one.message}`));
  throw Refusal.invalid(summary.join('; '), found);
}

/** A key that is given once has one value; several times, a list (READ-10). */
function listValues(query: URLSearchParams): Record<string, string | string[]> {
  const values = [...new Set(query.keys())].map((name) => {
    const [only = '', ...others] = query.getAll(name);
    return [name, others.length === 0 ? only : [only, ...others]] as const;
  });
  return Object.fromEntries(values);
}

/** JSON bodies need the content type for JSON (ERROR-13). */
function parseJson({ contentType, text }: Arrived): unknown {
  if (!/^application\/json\b/i.test(contentType))
    throw Refusal.invalid('the body must be application/json', 'content-type');
  try {
    return JSON.parse(text);
  } catch {
    throw Refusal.invalid('the body is not valid JSON', '');
  }
}

function findEffects(faults: readonly Fault[]): FaultEffects {
  const lag = findFault(faults, 'lag');
  return {
    partly: findFault(faults, 'partial_commit') !== undefined,
    lagMs: (lag?.lag_sec ?? 0) * 1000,
    readsLag: lag?.reads ?? false,
    repeatPage: findFault(faults, 'repeated_page') !== undefined,
  };
}

const BYTES_TYPE = { 'content-type': 'application/octet-stream' };

/** What the faults make of an answer, which always has a member that the document does not name (READ-1). */
function alterAnswer(faults: readonly Fault[], answer: Answer): Answer {
  if (answer === null || answer instanceof Uint8Array) return answer;
  const isNamed = 'items' in answer || 'users' in answer || 'id' in answer;
  return faults.reduce(alterOnce, isNamed ? setInItems(answer, { revision: 1 }) : answer);
}

function alterOnce(answer: object, fault: Fault): object {
  if (fault.kind === 'odd_reply')
    return fault.whole ? { ...answer, ...fault.set } : setInItems(answer, fault.set);
  if (!('has_more' in answer)) return answer;
  if (fault.kind === 'empty_page') return { ...answer, items: [], has_more: true };
  return fault.kind === 'repeated_page' ? { ...answer, has_more: true } : answer;
}

const LISTS = ['items', 'accounts', 'users'];

/** Adds members to every item of a list, elsewhere to the answer itself. */
function setInItems(answer: object, set: Readonly<Record<string, unknown>>): object {
  for (const [member, value] of Object.entries(answer))
    if (LISTS.includes(member) && Array.isArray(value))
      return { ...answer, [member]: value.map((item: object) => ({ ...item, ...set })) };
  return { ...answer, ...set };
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

/** An error in the format of the world's mode (ERROR-11). A 502 has no code (ERROR-10). */
function refuse({ modes }: World, { status, message, code, details, headers }: Refusal): Outcome {
  const answer = (type: string, body: string): Outcome => ({
    status,
    headers: { ...headers, 'content-type': type },
    body,
  });
  if (modes.errorBody === 'text') return answer('text/plain; charset=utf-8', message);
  if (modes.errorBody === 'html')
    return answer('text/html; charset=utf-8', `<html><body><h1>${message}</h1></body></html>`);
  const plain = { code: code ?? undefined, message, details };
  return answer('application/json', JSON.stringify(modes.errorBody === 'nested' ? { error: plain } : plain));
}

const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html' };

const GATEWAY_HTML =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body>\r\n</html>\r\n';

/** An answer after a fault of the connection or the gateway. */
function breakAnswer(how: Breakage, outcome: Outcome): Delivery {
  // A 204 has no body, so the unreadable or truncated answer is a 200.
  const status = outcome.status === 204 ? 200 : outcome.status;
  const whole = outcome.body ?? '{}';
  switch (how) {
    case 'timeout':
      return { kind: 'never' };
    case 'reset':
      return RESET;
    case '500':
      return { kind: 'reply', status: 500, headers: JSON_TYPE, body: '{"message":"Internal server error"}' };
    case '502':
      return { kind: 'reply', status: 502, headers: HTML_TYPE, body: GATEWAY_HTML };
    case 'truncated':
      return {
        kind: 'truncated',
        status,
        headers: { ...JSON_TYPE, ...outcome.headers },
        body: whole.slice(0, Math.ceil(whole.length / 2)),
        length: Buffer.byteLength(whole),
      };
    case 'unreadable':
      return { kind: 'reply', status, headers: HTML_TYPE, body: '<html><body>OK</body></html>' };
    default:
      return { kind: 'failed', error: how };
  }
}

const HANDLERS = {
  ...READS,
  ...MESSAGING,
  ...CHAT,
  ...PAYOUTS,
  ...VAULT,
  ...UPLOADS,
} satisfies Required<Handlers>;

/** Executes a parsed call on the world. A change that the service refuses throws a `Refusal`. */
function runCall(world: World, call: Call): Answer {
  // The call was parsed with the row of its own operation.
  const handle = HANDLERS[call.operation] as (world: World, call: Call) => Answer;
  return handle(world, call);
}

const TIMERS = { ...MESSAGING_TIMERS, ...CHAT_TIMERS, ...UPLOAD_TIMERS } satisfies Required<Timers>;

/** Does what is due at a virtual time. Nothing happens in an account that is gone. */
function fireTimer(world: World, timer: Timer): void {
  if (timer.kind === 'late_commit') return commitLate(world, timer.call);
  const account = world.findAccount(timer);
  // Each kind of timer has the function of its own kind.
  const fire = TIMERS[timer.kind] as (world: World, account: AccountState, timer: Timer) => void;
  if (account !== undefined) fire(world, account, timer);
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

export const SEEDS = {
  ...MESSAGING_SEEDS,
  ...CHAT_SEEDS,
  ...PAYOUT_SEEDS,
  ...VAULT_SEEDS,
  ...UPLOAD_SEEDS,
} satisfies Required<Seeders>;

/** Adds an object to an account without the API. Returns what answers show. */
export function applySeed(world: World, { account_id, kind, set }: Seed): object {
  // The set was parsed with the shape of its kind.
  const seed = SEEDS[kind] as (world: World, account: AccountState, set: unknown) => object;
  return seed(world, world.getAccount({ account_id }), set);
}
