import { stringify } from 'lossless-json';
import { rowOf } from '../api/catalogue.ts';
import { Refusal, type Answer } from './answers.ts';
import { type Breakage, type Fault, ofKind } from './fault-shape.ts';
import { CHAT, CHAT_SEEDS } from './chat.ts';
import { editSender, MESSAGING, MESSAGING_SEEDS } from './messaging.ts';
import { PAYOUT_SEEDS, PAYOUTS } from './payouts.ts';
import { READS } from './reads.ts';
import { drawBelow } from './random.ts';
import { isoTime, type RequestRecord } from './records.ts';
import {
  admit,
  parseCall,
  type Arrived,
  type Call,
  type Engine,
  type Handlers,
  type Seeders,
} from './requests.ts';
import type { Seed } from './seed-shape.ts';
import type { AccountState } from './state.ts';
import { VAULT, VAULT_SEEDS } from './vault.ts';
import { getAccount, setTimer, type World } from './world.ts';

interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** What the client receives: an answer, a part of one, or nothing. */
export type Exchange =
  | ({ readonly kind: 'reply' } & Outcome)
  /** Only `body` is sent, although `length` bytes are announced. */
  | ({ readonly kind: 'truncated'; readonly length: number } & Outcome)
  /** The connection fails with this error. `reset` tells a server on a socket to send a reset. */
  | { readonly kind: 'failed'; readonly error: Error; readonly reset?: true }
  | { readonly kind: 'never' };

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
  // Each server behind the address has its own clock.
  const clocks = world.modes.serverClocksSec;
  const skewSec = clocks[clocks.length > 1 ? drawBelow(world, clocks.length) : 0] ?? 0;
  const date = new Date(world.nowMs + skewSec * 1000).toUTCString();
  const marks = { ...SIMULATOR_HEADER, ...(world.clockOffsetMs === 0 ? {} : MOVED_CLOCK_HEADER) };
  return { ...exchange, headers: { ...exchange.headers, ...marks, date } };
}

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

async function handle(engine: Engine, request: Request, record: RequestRecord): Promise<Exchange> {
  const { world, clock, catchUp } = engine;
  const admitted = admit(engine, request, record);
  const text = await request.text();
  const slow = ofKind(admitted.faults, 'slow');
  const timeoutMs = world.modes.requestTimeoutSec * 1000;
  const wait = () => clock.sleep(Math.min(slow?.delay_ms ?? 0, timeoutMs), request.signal);
  if (slow?.when === 'before_commit') await wait();
  catchUp();
  const exchange = perform(world, { ...admitted, text });
  if (slow?.when === 'after_commit') await wait();
  return (slow?.delay_ms ?? 0) > timeoutMs ? RESET : exchange;
}

function perform(world: World, arrived: Arrived): Exchange {
  const { faults } = arrived;
  const refusal = ofKind(faults, 'refusal');
  if (refusal !== undefined) throw new Refusal(refusal.status, 'refused by a fault');
  const change = ofKind(faults, 'change_before');
  if (change?.edit !== undefined) editSender(world, change.edit);
  if (change?.seed !== undefined) applySeed(world, change.seed);
  const broken = ofKind(faults, 'broken_answer');
  const late = ofKind(faults, 'late_commit');
  const lost = { status: rowOf(arrived.route.operation).success, headers: {}, body: '{}' };
  if (broken?.when === 'before_commit') return breakAnswer(broken.how, lost);
  if (broken === undefined && late !== undefined) {
    const call = { ...parseCall(world, arrived) };
    // Nothing takes effect after the time in which the service carries out a request.
    if (late.after_sec <= world.modes.requestTimeoutSec)
      setTimer(world, world.nowMs + late.after_sec * 1000, { kind: 'late_commit', call });
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

export const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html' };

const GATEWAY_HTML =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body>\r\n</html>\r\n';

/** An answer after a fault of the connection or the gateway. */
function breakAnswer(how: Breakage, outcome: Outcome): Exchange {
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
      return { kind: 'failed', error: makeError(how) };
  }
}

/** The error of a socket, as Node reports it. */
function makeError(text: string): Error {
  const [syscall, code] = text.split(' ');
  return Object.assign(new Error(text), { code, syscall });
}

export const RESET: Exchange = { kind: 'failed', error: makeError('read ECONNRESET'), reset: true };
export const REFUSED: Exchange = { kind: 'failed', error: makeError('connect ECONNREFUSED') };

/** Returns or throws what `fetch` would, for a caller in the same process. */
export async function deliver(exchange: Exchange, signal: AbortSignal): Promise<Response> {
  switch (exchange.kind) {
    case 'reply':
      return new Response(exchange.body, { status: exchange.status, headers: exchange.headers });
    case 'truncated':
      return new Response(brokenStream(Buffer.from(exchange.body ?? '')), {
        status: exchange.status,
        headers: { ...exchange.headers, 'content-length': String(exchange.length) },
      });
    case 'failed':
      throw new TypeError('fetch failed', { cause: exchange.error });
    case 'never':
      signal.throwIfAborted();
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
  }
}

function brokenStream(part: Uint8Array): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated', { cause: new Error('other side closed') }));
      else controller.enqueue(part);
      sent = true;
    },
  });
}

const HANDLERS = { ...READS, ...MESSAGING, ...CHAT, ...PAYOUTS, ...VAULT } satisfies Required<Handlers>;

/** Executes a parsed call on the world. A change that the service refuses throws a `Refusal`. */
export function runCall(world: World, call: Call): Answer {
  // The call was parsed with the row of its own operation.
  const handle = HANDLERS[call.operation] as (world: World, call: Call) => Answer;
  return handle(world, call);
}

export const SEEDS = {
  ...MESSAGING_SEEDS,
  ...CHAT_SEEDS,
  ...PAYOUT_SEEDS,
  ...VAULT_SEEDS,
} satisfies Required<Seeders>;

/** Adds an object to an account without the API. Returns what answers show. */
export function applySeed(world: World, { account_id, kind, set }: Seed): object {
  // The set was parsed with the shape of its kind.
  const seed = SEEDS[kind] as (world: World, account: AccountState, set: unknown) => object;
  return seed(world, getAccount(world, { account_id }), set);
}
