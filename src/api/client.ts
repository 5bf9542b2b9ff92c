import type { Clock, Fetch } from '../domain/ports.ts';
import type { ListStyle } from '../domain/workspace.ts';
import type { ServerInfo } from '../domain/service-identity.ts';
import type { RateBudget } from './limiter.ts';
import { CATALOGUE, rowOf, type CallInput, type CallName, type Operation, type Reply } from './catalogue.ts';
import type { Row } from './row.ts';
import { ServiceError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { ApiKey } from './key.ts';
import { endpointBucket, exchange, type RequestPorts, type BeforeSend } from './request.ts';
import { repeat } from './retry.ts';
import { ServerClock, type SkewRange } from './server-clock.ts';
import { buildCall, checkedBaseUrl, type LooseInput } from './url.ts';

export interface ClientOptions {
  readonly baseUrl: string;
  /** How the state names a simulator; its base address unless given. */
  readonly address?: string;
  readonly key: ApiKey;
  readonly authHeader: string;
  /** How lists are written in queries; repeated keys by default. */
  readonly listStyle?: ListStyle;
  readonly timeoutMs: number;
  /** Permission to send. Clients that use the same one keep to the rates together. */
  readonly rates: RateBudget;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** One line for each request that was sent, without secrets. */
  readonly log: (line: string) => void;
  /** Receives messages for the user while a command runs. */
  readonly warn: (sentence: string) => void;
}

/** Sends a checked call, repeats it as far as its row allows, and returns how it ended. */
export type Send<Reply> = (beforeSend?: BeforeSend) => Promise<Exchange<Reply>>;

export interface Client {
  /**
   * Checks and builds one call, and sends nothing yet.
   * Throws `InvalidCallError` when the input breaks a bound.
   */
  prepare<Name extends Operation>(operation: Name, input: CallInput<Name>): Send<Reply<Name>>;
  /**
   * Makes one call, repeats it as far as its row allows, and returns how it ended. Throws `InvalidCallError` for
   * invalid input, before anything is sent. Asks `beforeSend` right before every send.
   */
  call<Name extends Operation>(
    operation: Name,
    input: CallInput<Name>,
    beforeSend?: BeforeSend,
  ): Promise<Exchange<Reply<Name>>>;
  /** Prepares a call from input that is not typed, and one that the catalogue does not have, with a row made for it. */
  prepareRow(name: CallName, row: Row, input: LooseInput): Send<unknown>;
  /** The same client, whose calls go first in the queue: for stops, and to find out what came of a request. */
  urgent(): Client;
  /** A call that must succeed. Throws `ServiceError` otherwise. */
  read<Name extends Operation>(
    operation: Name,
    input: CallInput<Name>,
    beforeSend?: BeforeSend,
  ): Promise<Reply<Name>>;
  /** The service's clock minus ours in milliseconds, from `Date` headers; 0 while there are none. */
  skewMs(): number;
  /** The possible range of the same, for decisions that must be safe; null before the first answer. */
  skewRange(): SkewRange | null;
  /** Shows a message to the user, each only once. */
  readonly warnOnce: (sentence: string) => void;
  /** How the state names a simulator. */
  readonly address: string;
  /** Facts about the server from its answers. */
  serverInfo(): ServerInfo;
}

/**
 * A client for one service and one key. All its calls share one rate budget.
 * Throws when the base address or the header's name could never make a request.
 */
export function createClient(options: ClientOptions): Client {
  const { clock, rates } = options;
  const baseUrl = checkedBaseUrl(options.baseUrl);
  checkHeaderName(options.authHeader);
  const serverClock = new ServerClock(clock);
  let isSimulator = false;
  const warned = new Set<string>();

  const onAnswer = (response: Response, startedMs: number) => {
    serverClock.hear(response, startedMs);
    isSimulator ||= response.headers.has(SIMULATOR_HEADER);
  };
  const ports: RequestPorts = { ...options, onAnswer };

  const prepareRow = (isUrgent: boolean, name: CallName, row: Row, input: LooseInput): Send<unknown> => {
    const call = buildCall(baseUrl, name, row, input, options.listStyle);
    return (beforeSend) => {
      const penalise = (ms: number) => rates.penalise(endpointBucket(name, row.perSecond), ms);
      const turn = rates.reserveOrder(isUrgent);
      let earlier: Exchange<unknown> | null = null;
      return repeat({ clock, random: options.random, penalise }, row, async () => {
        earlier = await exchange(ports, call, turn, () => beforeSend?.(earlier) ?? null);
        return earlier;
      });
    };
  };

  const connect = (isUrgent: boolean): Client => {
    const prepare = <Name extends Operation>(operation: Name, input: CallInput<Name>) =>
      // The reply was parsed by the row's own shape, which is what `Reply<Name>` is derived from.
      prepareRow(isUrgent, operation, rowOf(operation), input) as Send<Reply<Name>>;
    const call = async <Name extends Operation>(
      operation: Name,
      input: CallInput<Name>,
      check?: BeforeSend,
    ) => prepare(operation, input)(check);
    const client: Client = {
      prepare,
      prepareRow: (name, row, input) => prepareRow(isUrgent, name, row, input),
      call,
      urgent: () => (isUrgent ? client : connect(true)),
      read: async (operation, input, beforeSend) => {
        const result = await call(operation, input, beforeSend);
        if (result.kind === 'done') return result.reply;
        throw new ServiceError(result.problem);
      },
      skewMs: () => serverClock.skewMs() ?? 0,
      skewRange: () => serverClock.skewRange(),
      warnOnce: (sentence) => {
        if (!warned.has(sentence)) options.warn(sentence);
        warned.add(sentence);
      },
      address: options.address ?? baseUrl,
      serverInfo: () => ({ skewMs: serverClock.skewMs(), isSimulator }),
    };
    return client;
  };
  return connect(false);
}

/** A simulator sends this header. */
const SIMULATOR_HEADER = 'x-herald-simulator';

/** The published rate of every operation, for estimates. */
export const RATES: Readonly<Record<Operation, number>> = Object.fromEntries(
  Object.entries(CATALOGUE).map(([operation, row]) => [operation, row.perSecond]),
) as Record<Operation, number>;

/** Throws for a name that no header may have. */
function checkHeaderName(name: string): void {
  new Headers().set(name, '');
}
