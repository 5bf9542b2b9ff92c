import type { Clock, Fetch } from '../domain/ports.ts';
import type { RateBudget } from '../domain/rate-budget.ts';
import { CATALOGUE, rowOf, type CallInput, type Operation, type Reply } from './catalogue.ts';
import { ServiceError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { ApiKey } from './key.ts';
import { endpointBucket, exchange, type RequestPorts, type Withhold } from './request.ts';
import { repeat } from './retry.ts';
import { ServerClock, type SkewRange } from './server-clock.ts';
import { buildCall, checkedBaseUrl, type LooseInput } from './url.ts';

export interface ClientOptions {
  readonly baseUrl: string;
  /** How the ledger names this service; its base address unless given. */
  readonly address?: string;
  readonly key: ApiKey;
  readonly authHeader: string;
  readonly timeoutMs: number;
  /** Permission to send. Clients that use the same one keep to the rates together. */
  readonly rates: RateBudget;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** One line for each request that was sent, without secrets. */
  readonly log: (line: string) => void;
  /** Hears, as a sentence, what a person should know while a command goes on. */
  readonly warn: (sentence: string) => void;
}

/** Sends a call that passed its bounds, as far as its row lets it be repeated, and says how it ended. */
export type Send<Reply> = (withhold?: Withhold) => Promise<Exchange<Reply>>;

export interface Client {
  /**
   * Checks and builds one call, and sends nothing yet.
   * Throws `InvalidCallError` when the input breaks a bound.
   */
  prepare<Name extends Operation>(operation: Name, input: CallInput<Name>): Send<Reply<Name>>;
  /**
   * Makes one call as far as its row lets it be repeated, and says how it ended.
   * Throws `InvalidCallError` when the input breaks a bound; nothing was sent then.
   * `withhold` is asked right before every send.
   */
  call<Name extends Operation>(
    operation: Name,
    input: CallInput<Name>,
    withhold?: Withhold,
  ): Promise<Exchange<Reply<Name>>>;
  /** The same for input that is not typed: `herald api`. */
  prepareLoosely(operation: Operation, input: LooseInput): Send<unknown>;
  callLoosely(operation: Operation, input: LooseInput): Promise<Exchange<unknown>>;
  /** A call that must end well: throws `ServiceError` otherwise. */
  read<Name extends Operation>(
    operation: Name,
    input: CallInput<Name>,
    withhold?: Withhold,
  ): Promise<Reply<Name>>;
  /** The best guess at the server's clock minus ours in milliseconds, as `Date` headers tell it; 0 while none did. */
  skewMs(): number;
  /** Between what it may be, for decisions that must be safe; null while no answer told anything. */
  skewRange(): SkewRange | null;
  /** Whether one more answer could tell what the answers so far do not agree on. */
  isClockInDoubt(): boolean;
  /** Passes a sentence on to whoever runs the command; each one once. */
  readonly warnOnce: (sentence: string) => void;
  /** How the ledger names this service. */
  readonly address: string;
  /** What the answers so far told of the server: its clock, null while nothing reliable is known, and whether it pretends. */
  told(): { readonly skewMs: number | null; readonly isSimulator: boolean };
}

/**
 * A client for one service and one key. All its calls share one rate budget.
 * Throws when the base address or the header's name could never make a request.
 */
export function createClient(options: ClientOptions): Client {
  const { clock, rates } = options;
  const baseUrl = checkedBaseUrl(options.baseUrl);
  // Throws for a name that no header may have.
  new Headers().set(options.authHeader, '');
  const serverClock = new ServerClock(clock);
  let isSimulator = false;
  const warned = new Set<string>();

  const onAnswer = (response: Response, startedMs: number) => {
    serverClock.hear(response, startedMs);
    isSimulator ||= response.headers.has(SIMULATOR_HEADER);
  };
  const ports: RequestPorts = { ...options, onAnswer };

  const prepareLoosely = (operation: Operation, input: LooseInput): Send<unknown> => {
    const row = rowOf(operation);
    const call = buildCall(baseUrl, operation, row, input);
    return (withhold) => {
      const penalise = (ms: number) => rates.penalise(endpointBucket(operation, row.perSecond), ms);
      const turn = rates.takeTurn();
      let earlier: Exchange<unknown> | null = null;
      return repeat({ clock, random: options.random, penalise }, row, async () => {
        earlier = await exchange(ports, call, turn, () => withhold?.(earlier) ?? null);
        return earlier;
      });
    };
  };

  const prepare = <Name extends Operation>(operation: Name, input: CallInput<Name>) =>
    // The reply was parsed by the row's own shape, which is what `Reply<Name>` is derived from.
    prepareLoosely(operation, input) as Send<Reply<Name>>;

  const call = async <Name extends Operation>(operation: Name, input: CallInput<Name>, withhold?: Withhold) =>
    prepare(operation, input)(withhold);

  return {
    prepare,
    prepareLoosely,
    call,
    callLoosely: async (operation, input) => prepareLoosely(operation, input)(),
    read: async (operation, input, withhold) => {
      const result = await call(operation, input, withhold);
      if (result.kind === 'done') return result.reply;
      throw new ServiceError(result.problem);
    },
    skewMs: () => serverClock.likelySkewMs(),
    skewRange: () => serverClock.skewRange(),
    isClockInDoubt: () => serverClock.isInDoubt(),
    warnOnce: (sentence) => {
      if (!warned.has(sentence)) options.warn(sentence);
      warned.add(sentence);
    },
    address: options.address ?? baseUrl,
    told: () => ({ skewMs: serverClock.reliableSkewMs(), isSimulator }),
  };
}

/** By this a simulator says that it is one. */
const SIMULATOR_HEADER = 'x-herald-simulator';

/** The published rate of every operation, for estimates. */
export const RATES: Readonly<Record<Operation, number>> = Object.fromEntries(
  Object.entries(CATALOGUE).map(([operation, row]) => [operation, row.perSecond]),
) as Record<Operation, number>;
