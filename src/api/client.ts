import { stringify } from 'lossless-json';
import type { z } from 'zod';
import type { Clock } from '../domain/ports.ts';
import type { ListStyle } from '../domain/workspace.ts';
import { CATALOGUE, rowOf, type CallInput, type CallName, type Operation, type Reply } from './catalogue.ts';
import { InvalidCallError, ServiceError } from './errors.ts';
import {
  chooseWaitMs,
  sendCall,
  type BeforeSend,
  type BuiltCall,
  type Exchange,
  type NotSent,
  type SendPorts,
  type Unconfirmed,
} from './send-call.ts';
import type { Turn } from './limiter.ts';
import type { RepeatRule, Row } from './row.ts';

export interface ClientOptions extends SendPorts {
  /** Without a query, a user or a password: the settings of the workspace are checked for them. */
  readonly baseUrl: string;
  /** How the state names a simulator; its base address unless given. */
  readonly address?: string;
  /** How lists are written in queries; repeated keys by default. */
  readonly listStyle?: ListStyle;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
}

/** Sends a checked call, repeats it as far as its row allows, and returns how it ended. */
export type Send<Reply> = (beforeSend?: BeforeSend) => Promise<Exchange<Reply>>;

export interface LooseInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  /** Query values from the service, unchanged. Our limits do not apply to them. */
  readonly handedBack?: Readonly<Record<string, string>>;
}

/** The range of the service's clock, relative to this machine's, in milliseconds. */
export interface SkewRange {
  readonly earliestMs: number;
  readonly latestMs: number;
}

export interface Client {
  /** Checks and builds one call, and sends nothing yet. Throws `InvalidCallError` for a broken bound. */
  prepare<Name extends Operation>(operation: Name, input: CallInput<Name>): Send<Reply<Name>>;
  /** Prepares a call from input that is not typed, and one that the catalogue does not have, with a row made for it. */
  prepareRow(name: CallName, row: Row, input: LooseInput): Send<unknown>;
  /** Sends a call that must succeed. Throws `ServiceError` otherwise. */
  read<Name extends Operation>(operation: Name, input: CallInput<Name>): Promise<Reply<Name>>;
  /** A client with calls that go first in the queue: for stops, and to find out what came of a request. */
  urgent(): Client;
  /** The service's clock minus ours in milliseconds, from `Date` headers; 0 while there are none. */
  skewMs(): number;
  /** The possible range of the same, for decisions that must be safe; null before the first answer. */
  skewRange(): SkewRange | null;
  readonly address: string;
  /** True once an answer has said that it comes from a simulator. */
  isSimulator(): boolean;
}

/** A client for one service and one key. All its calls share one rate budget. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl } = options;
  const { hear, skewMs, skewRange } = watchServerClock(options.clock);
  let isSimulator = false;
  const onAnswer = (response: Response, startedMs: number) => {
    hear(response, startedMs);
    isSimulator ||= response.headers.has(SIMULATOR_HEADER);
  };
  const connect = (isUrgent: boolean): Client => {
    const chooseTurn = (earlier: Exchange<unknown> | null): Turn =>
      isUrgent ? 'urgent' : earlier === null ? 'new' : 'repeated';
    const client: Client = {
      prepareRow: (name, row, input) => {
        const call = buildCall(baseUrl, name, row, input, options.listStyle);
        return (beforeSend) =>
          repeat(options, call, (earlier) =>
            sendCall(options, call, chooseTurn(earlier), () => beforeSend?.(earlier) ?? null, onAnswer),
          );
      },
      // The reply was parsed by the row's own shape, which is what `Reply<Name>` is derived from.
      prepare: <Name extends Operation>(operation: Name, input: CallInput<Name>) =>
        client.prepareRow(operation, rowOf(operation), input) as Send<Reply<Name>>,
      read: async (operation, input) => {
        const result = await client.prepare(operation, input)();
        if (result.kind === 'done') return result.reply;
        throw new ServiceError(result.problem);
      },
      urgent: () => (isUrgent ? client : connect(true)),
      skewMs,
      skewRange,
      address: options.address ?? baseUrl,
      isSimulator: () => isSimulator,
    };
    return client;
  };
  return connect(false);
}

const SIMULATOR_HEADER = 'x-herald-simulator';

/** Checks a call against its row. Throws `InvalidCallError` with every broken bound; nothing is sent then. */
function buildCall(
  baseUrl: string,
  operation: CallName,
  row: Row,
  input: LooseInput,
  listStyle: ListStyle = 'repeat',
): BuiltCall {
  const issues: string[] = [];
  const params = checkPart(row.params, input.params ?? {}, '', issues) as Record<string, string> | null;
  const query = checkPart(row.query, input.query ?? {}, '', issues) as Record<string, unknown> | null;
  const body = row.body === null ? null : checkPart(row.body, input.body, 'body', issues);
  if (row.body === null && input.body !== undefined && input.body !== null)
    issues.push('body: this call takes no body');
  if (issues.length > 0 || params === null || query === null) throw new InvalidCallError(operation, issues);
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return {
    operation,
    row,
    url: `${baseUrl.replace(/\/+$/, '')}${path}${formatQuery({ ...query, ...input.handedBack }, listStyle)}`,
    // Bigints are printed as digits.
    body: row.body === null ? null : (stringify(body) ?? 'null'),
    endpoint: { key: `endpoint:${operation}`, perSecond: row.perSecond },
    platformAccountId: params['platform_account_id'] ?? null,
  };
}

function checkPart(shape: z.ZodType, value: unknown, place: string, issues: string[]): unknown {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const path = [place, ...issue.path.map(String)].filter((part) => part !== '').join('.');
    issues.push(path === '' ? issue.message : `${path}: ${issue.message}`);
  }
  return null;
}

/** Assumed: the style of list parameters is not shown (READ-10), so `service.list_style` can change it. */
function formatQuery(query: Readonly<Record<string, unknown>>, style: ListStyle): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    const isList = Array.isArray(value);
    const items = isList ? value : [value];
    if (isList && style === 'comma') search.append(key, items.map(String).join(','));
    else
      for (const item of items)
        search.append(isList && style === 'brackets' ? `${key}[]` : key, String(item));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** The published rate of every operation, for estimates. */
export const RATES: Readonly<Record<Operation, number>> = Object.fromEntries(
  Object.entries(CATALOGUE).map(([operation, row]) => [operation, row.perSecond]),
) as Record<Operation, number>;

const LOST_ATTEMPTS = { read: 5, idempotent: 4, status: 9, unsend: 1, once: 1 } as const satisfies Record<
  RepeatRule,
  number
>;

/** A time-out costs more than a minute, and a 502 of unreadable content does not improve. */
const HOPELESS_ATTEMPTS = 2;

/** A success with an unexpected body seldom improves. */
const GARBLED_ATTEMPTS = 3;

const NOT_SENT_ATTEMPTS = 4;

const FIRST_WAIT_MS = 500;

/** The service counts over one second, so a shorter wait is useless, even if Retry-After asks for it. */
const THROTTLE_FIRST_WAIT_MS = 1_000;

/** A bucket stays closed longer than its retries wait, so that they are back in the queue first. */
const RETURN_MS = 25;

/** The longest time that a call waits because of 429s, in total. */
const THROTTLE_BUDGET_MS = 180_000;

/**
 * Repeats an exchange as far as its row allows (ERROR-4). After a 429, which was not executed, every rule waits
 * and repeats. A request that was not sent may be repeated. After a lost answer it is repeated only if a second
 * execution is harmless. Returns the last exchange. If an earlier attempt was lost, it never counts as proof that
 * nothing happened.
 */
async function repeat(
  { clock, random, rates }: ClientOptions,
  { row, endpoint }: BuiltCall,
  attempt: (earlier: Exchange<unknown> | null) => Promise<Exchange<unknown>>,
): Promise<Exchange<unknown>> {
  const counts = { unknown: 0, not_sent: 0, throttled: 0 };
  let throttledMs = 0;
  let timeOuts = 0;
  let lost: Unconfirmed | null = null;
  let result: Exchange<unknown> | null = null;
  for (;;) {
    result = await attempt(result);
    if (result.kind === 'unknown') lost = result;
    if (result.kind === 'done' || result.kind === 'refused') break;
    counts[result.kind] += 1;
    let waitMs = chooseWaitMs(random, FIRST_WAIT_MS, counts[result.kind]);
    if (result.kind === 'throttled') {
      const wanted = result.retryAfterMs ?? chooseWaitMs(random, THROTTLE_FIRST_WAIT_MS, counts.throttled);
      waitMs = Math.max(wanted, THROTTLE_FIRST_WAIT_MS);
      throttledMs += waitMs;
      const givesUp = throttledMs > THROTTLE_BUDGET_MS;
      // Others of its endpoint continue where this call gives up, but not within the second that the service counts.
      const closedMs = (givesUp ? THROTTLE_FIRST_WAIT_MS : waitMs) + RETURN_MS;
      rates.penalise(endpoint, closedMs);
      if (givesUp) break;
    } else if (counts[result.kind] >= attemptsMax(row, result)) break;
    if (result.kind === 'unknown' && result.timedOut) timeOuts += 1;
    if (timeOuts >= HOPELESS_ATTEMPTS) break;
    await clock.sleep(waitMs);
  }
  return row.repeat === 'read' ? result : addLost(lost, result);
}

/** The most attempts that may end like this one. */
function attemptsMax({ repeat, mayBeUnreadable }: Row, result: Unconfirmed | NotSent): number {
  if (result.kind === 'not_sent') return result.withheld ? 1 : NOT_SENT_ATTEMPTS;
  const allowed = LOST_ATTEMPTS[repeat];
  const status = result.problem.status ?? 0;
  if (status >= 300 && status < 400) return 1;
  if (status === 502 && mayBeUnreadable === true) return Math.min(allowed, HOPELESS_ATTEMPTS);
  return status >= 200 && status < 300 ? Math.min(allowed, GARBLED_ATTEMPTS) : allowed;
}

/**
 * | an earlier attempt \ the last one | done | unknown | refused, throttled, not sent             |
 * |-----------------------------------|------|---------|-------------------------------------------|
 * | all were heard, or never left     | done | unknown | as it is: the service did not act         |
 * | one was lost                      | done | unknown | unknown: the lost one may yet be executed |
 */
function addLost(lost: Unconfirmed | null, last: Exchange<unknown>): Exchange<unknown> {
  if (lost === null || last.kind === 'done' || last.kind === 'unknown') return last;
  const what = `${lost.problem.what}; then ${last.problem.what}`;
  return { ...lost, problem: { ...last.problem, what, hint: lost.problem.hint } };
}

/** The server writes `Date` at some moment of the exchange. A longer exchange is too inexact, unless it is the only one. */
const PROMPT_MS = 5_000;

const MOVED_CLOCK_HEADER = 'x-herald-simulator-clock';

/** The required format of `Date`. Other formats may be in any time zone. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * What the latest prompt answer tells of the service's clock. A gateway may have a wrong one, and so may this machine. At
 * least one of the two is not behind, so decisions must hold on both: the range has both, and is not narrowed by votes.
 */
function watchServerClock(clock: Clock) {
  /** `skewMs` is the service's clock minus ours, `apartMs` our wall clock minus the monotonic one at that moment. */
  let last: { readonly skewMs: number; readonly apartMs: number } | null = null;
  /** True once a simulator said that its time was moved on. Then this machine's clock says nothing about it. */
  let isMoved = false;
  const readApartMs = () => clock.now() - clock.monotonicMs();
  return {
    /** Takes the head of an answer. `startedMs` is the send time on the monotonic clock. */
    hear: ({ headers }: Response, startedMs: number): void => {
      isMoved ||= headers.get(MOVED_CLOCK_HEADER) === 'moved';
      const date = headers.get('date') ?? '';
      const serverMs = HTTP_DATE.test(date) ? Date.parse(date) : Number.NaN;
      const tookMs = clock.monotonicMs() - startedMs;
      // A cached answer has the time of the original.
      if (Number.isNaN(serverMs) || Number(headers.get('age') ?? 0) !== 0) return;
      if (tookMs > PROMPT_MS && last !== null) return;
      // `Date` has whole seconds, and was written at some moment of the exchange.
      const skewMs = Math.round(serverMs + 500 - (clock.now() - tookMs / 2));
      last = { skewMs, apartMs: readApartMs() };
    },
    skewMs: (): number => last?.skewMs ?? 0,
    skewRange: (): SkewRange | null => {
      if (last === null) return null;
      const { skewMs, apartMs } = last;
      // If our wall clock was set since then, the monotonic one is right; if the machine slept, the wall clock.
      const skews = [skewMs, skewMs + apartMs - readApartMs(), ...(isMoved ? [] : [0])];
      return { earliestMs: Math.min(...skews), latestMs: Math.max(...skews) };
    },
  };
}
