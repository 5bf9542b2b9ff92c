import type { Clock } from '../domain/ports.ts';
import { CATALOGUE, rowOf, type CallInput, type Operation, type Reply } from './catalogue.ts';
import { ServiceError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { ApiKey } from './key.ts';
import { Limiter } from './limiter.ts';
import { endpointBucket, exchange, type Fetch, type RequestPorts, type Withhold } from './request.ts';
import { repeat } from './retry.ts';
import { ServerClock } from './server-clock.ts';
import { buildCall, checkedBaseUrl, type LooseInput } from './url.ts';

export interface ClientOptions {
  readonly baseUrl: string;
  /** How the ledger names this service; its base address unless given. */
  readonly address?: string;
  readonly key: ApiKey;
  readonly authHeader: string;
  readonly timeoutMs: number;
  /** The part of every published rate to take, above 0 and at most 1; more is for a server that has no limits. */
  readonly rateShare: number;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** One line for each request that was sent, without secrets. */
  readonly log: (line: string) => void;
}

export interface Client {
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
  callLoosely(operation: Operation, input: LooseInput): Promise<Exchange<unknown>>;
  /** A call that must end well: throws `ServiceError` otherwise. */
  read<Name extends Operation>(
    operation: Name,
    input: CallInput<Name>,
    withhold?: Withhold,
  ): Promise<Reply<Name>>;
  /** The server's clock minus ours in milliseconds, as `Date` headers tell it; 0 while none did. */
  skewMs(): number;
  /** How the ledger names this service. */
  readonly address: string;
  /** What the answers so far told of the server: its clock, null while nothing reliable is known, and whether it pretends. */
  told(): { readonly skewMs: number | null; readonly isSimulator: boolean };
}

/**
 * A client for one service and one key. All its calls share one limiter.
 * Throws when the base address or the header's name could never make a request.
 */
export function createClient(options: ClientOptions): Client {
  const { clock } = options;
  const limiter = new Limiter(clock, options.rateShare);
  const baseUrl = checkedBaseUrl(options.baseUrl);
  // Throws for a name that no header may have.
  new Headers().set(options.authHeader, '');
  const serverClock = new ServerClock(clock);
  let isSimulator = false;

  const onAnswer = (response: Response, sentAtMs: number) => {
    serverClock.hear(response, sentAtMs);
    isSimulator ||= response.headers.has(SIMULATOR_HEADER);
  };
  const ports: RequestPorts = { ...options, limiter, onAnswer };

  const callLoosely = (
    operation: Operation,
    input: LooseInput,
    withhold?: Withhold,
  ): Promise<Exchange<unknown>> => {
    const row = rowOf(operation);
    const call = buildCall(baseUrl, operation, row, input);
    const penalise = (ms: number) => limiter.penalise(endpointBucket(operation, row.perSecond), ms);
    const turn = limiter.takeTurn();
    let earlier: Exchange<unknown> | null = null;
    return repeat({ clock, random: options.random, penalise }, row, async () => {
      earlier = await exchange(ports, call, turn, () => withhold?.(earlier) ?? null);
      return earlier;
    });
  };

  const call = <Name extends Operation>(operation: Name, input: CallInput<Name>, withhold?: Withhold) =>
    // The reply was parsed by the row's own shape, which is what `Reply<Name>` is derived from.
    callLoosely(operation, input, withhold) as Promise<Exchange<Reply<Name>>>;

  return {
    call,
    callLoosely: (operation, input) => callLoosely(operation, input),
    read: async (operation, input, withhold) => {
      const result = await call(operation, input, withhold);
      if (result.kind === 'done') return result.reply;
      throw new ServiceError(result.problem);
    },
    skewMs: () => serverClock.likelySkewMs(),
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
