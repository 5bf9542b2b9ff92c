import { inspect } from 'node:util';
import { rowOf, type CallInput, type Operation } from '../../src/api/catalogue.ts';
import { createClient, type Client, type ClientOptions, type LooseInput } from '../../src/api/client.ts';
import { describeProblem } from '../../src/api/errors.ts';
import type { Exchange } from '../../src/api/send-call.ts';
import { ApiKey } from '../../src/api/key.ts';
import { Limiter } from '../../src/api/limiter.ts';
import { jumpingClock } from './jumping-clock.ts';

export const SECRET = 'hk_live_3f9a81c2d7';
export const BASE = 'https://svc.test';

/** A client of a service: a function of the request and of how many came before it. */
export function aClientScene(
  answer: (request: Request, nth: number) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) {
  const clock = jumpingClock();
  /** Everything that the client ever logged. */
  const lines: string[] = [];
  /** Requests as they left. */
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: BASE,
    key: new ApiKey(SECRET),
    authHeader: 'x-svc-auth-token',
    timeoutMs: 75_000,
    rates: new Limiter(options.clock ?? clock, 1),
    clock,
    random: () => 0,
    log: (line) => void lines.push(line),
    fetch: async (request) => answer(request, sent.push(request)),
    ...options,
  });
  return { client, clock, lines, sent };
}

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(value === undefined ? null : JSON.stringify(value), { status, headers });

/** What a failed `fetch` throws. */
export const failed = (syscall: 'connect' | 'getaddrinfo' | 'read', code: string, message = code) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code, syscall }) });

export const CAMPAIGN = { id: '9007199254740993123', account_id: '101', name: 'Welcome', status: 'active' };

const account = { account_id: '101' };
const campaign = { ...account, campaign_id: '9' };
/** The shortest call of each repeat rule, and an answer that ends it well. */
export const CALLS = {
  read: { operation: 'campaigns.get', input: { params: campaign }, good: () => json(CAMPAIGN) },
  idempotent: {
    operation: 'fans.label',
    input: { params: { ...account, fan_id: '8' }, body: { note: 'n' } },
    good: () => json({ success: true }),
  },
  status: {
    operation: 'campaigns.set-status',
    input: { params: campaign, body: { status: 'paused' } },
    good: () => json(undefined, 204),
  },
  unsend: { operation: 'campaigns.unsend', input: { params: campaign }, good: () => json(undefined, 204) },
  once: {
    operation: 'campaigns.create',
    input: { params: account, body: { trigger: 'welcome_message', action: 'send_message', name: 'Welcome' } },
    good: () => json(CAMPAIGN, 201),
  },
} as const satisfies Record<string, { operation: Operation; input: object; good: () => Response }>;
export type Rule = keyof typeof CALLS;

export const callUntyped = (client: Client, operation: Operation, input: LooseInput) =>
  client.prepareRow(operation, rowOf(operation), input)();

export const callOf = (client: Client, rule: Rule): Promise<Exchange<unknown>> =>
  callUntyped(client, CALLS[rule].operation, CALLS[rule].input);

export const list = async (client: Client, query: CallInput<'campaigns.list'>['query'] = {}) =>
  client.prepare('campaigns.list', { params: account, query })();

/** An exchange in a few words: its kind, with the flags that matter. */
export function inWords(result: Exchange<unknown>): string {
  if (result.kind === 'unknown') return result.timedOut ? 'unknown, timed out' : 'unknown';
  if (result.kind === 'not_sent') return result.withheld ? 'withheld' : 'not sent';
  return result.kind;
}

export const wordsOf = (result: Exchange<unknown>) =>
  result.kind === 'done' ? 'done' : describeProblem(result.problem);

/** Every form in which a value could be shown. */
export const allForms = (value: unknown): string =>
  [
    String(value),
    inspect(value, { depth: 20, showHidden: true }),
    inspect(value, { depth: 20, customInspect: false }),
    value instanceof Error
      ? `${value.stack} ${JSON.stringify(Object.entries(value))} ${allForms(value.cause)}`
      : '',
    JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member)) ??
      '',
  ].join('\n');
